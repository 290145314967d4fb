import { type JsonObject, textAt } from "../model/json.ts";
import type { ApiResponse } from "../cluster/writer/api-client.ts";
import { findHolder } from "./leader/lease.ts";
import type { OperatorState } from "./observation.ts";

/**
 * Annotation by which an operator's Deployment advertises the mode Preflight: the document formats it reads, separated by commas. No
 * released operator has it.
 */
const FORMATS_ANNOTATION = "preflight.openshift.io/formats";
const DOCUMENT_FORMAT = "preflight-v1-json";

/** Source of the lease's name: pkg/start of the cluster-version operator. An operator that stops releases it; one that dies lets it expire. */
export function getOperator(lease: ApiResponse, deployment: JsonObject | undefined, now: Date): OperatorState {
  if (lease.kind === "absent") return { kind: "absent" };
  if (lease.kind !== "ok") return { kind: "unknown", message: lease.message };
  const holder = findHolder(lease.object, now);
  if (holder === undefined) return { kind: "absent" };
  return { kind: "running", holder, canServeMode: canServeMode(deployment) };
}

function canServeMode(deployment: JsonObject | undefined): boolean {
  const formats = textAt(deployment, "metadata", "annotations", FORMATS_ANNOTATION) ?? "";
  return formats.split(",").some((format) => format.trim() === DOCUMENT_FORMAT);
}
