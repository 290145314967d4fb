import { type JsonObject, textAt } from "../../model/json.ts";
import { buildConfigMapRef } from "../../model/resource.ts";

export const CONFLICT_REPORT = buildConfigMapRef("openshift-config", "selinux-conflicts");

/** kube-controller-manager of 5.0 checks every half minute, and writes the result if it changed. */
export type ConflictReport = "True" | "False" | "other";

export function keepConflictReport(object: JsonObject): ConflictReport {
  const value = textAt(object, "data", "conflictsPresent");
  return value === "True" || value === "False" ? value : "other";
}
