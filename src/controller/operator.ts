import { type JsonObject, numberAt, textAt } from "../model/json.ts";
import { instantOf } from "../model/time.ts";
import type { Answer } from "./api.ts";
import type { Operator } from "./observed.ts";

/**
 * By this annotation of its Deployment an operator says that it serves the mode Preflight: the formats of documents that it reads,
 * with commas between them. No released one does.
 */
const FORMATS = "preflight.openshift.io/formats";
const FORMAT = "preflight-v1-json";

/** Source of the lease's name: pkg/start of the cluster-version operator. One that stops gives it back at once; one that dies lets it expire. */
export function operatorOf(lease: Answer, deployment: JsonObject | undefined, now: Date): Operator {
  if (lease.kind === "absent") return { kind: "absent" };
  if (lease.kind !== "ok") return { kind: "unknown", message: lease.message };
  const holder = textAt(lease.object, "spec", "holderIdentity") ?? "";
  if (holder === "" || isExpired(lease.object, now)) return { kind: "absent" };
  return { kind: "running", holder, servesMode: servesMode(deployment) };
}

/** A lease that doesn't say until when it holds is taken for held. */
function isExpired(lease: JsonObject, now: Date): boolean {
  const renewed = instantOf(textAt(lease, "spec", "renewTime"));
  const seconds = numberAt(lease, "spec", "leaseDurationSeconds");
  return renewed !== undefined && seconds !== undefined && renewed + seconds * 1_000 < now.getTime();
}

function servesMode(deployment: JsonObject | undefined): boolean {
  const formats = textAt(deployment, "metadata", "annotations", FORMATS) ?? "";
  return formats.split(",").some((format) => format.trim() === FORMAT);
}
