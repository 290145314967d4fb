import { type JsonObject, textAt } from "../model/json.ts";
import type { Answer } from "./api.ts";
import { holderOf } from "./lease.ts";
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
  const holder = holderOf(lease.object, now);
  if (holder === undefined) return { kind: "absent" };
  return { kind: "running", holder, servesMode: servesMode(deployment) };
}

function servesMode(deployment: JsonObject | undefined): boolean {
  const formats = textAt(deployment, "metadata", "annotations", FORMATS) ?? "";
  return formats.split(",").some((format) => format.trim() === FORMAT);
}
