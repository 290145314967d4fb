import type { ItemTest } from "./known-bug.ts";

/** Pods that have ended never pull an image or start a container again. */
const ENDED: ItemTest = { at: "status.phase", oneOf: ["Succeeded", "Failed"] };

/** A test of a pod that may still pull images and start containers. */
export function buildPodTest(where: ItemTest): ItemTest {
  return { allOf: [{ not: ENDED }, where] };
}

/** The spec of the pods that a CronJob creates, most of which have ended between two runs. */
export const CRON_JOB_POD_SPEC = "spec.jobTemplate.spec.template.spec";
