import { type JsonObject, objectsAt, textAt } from "../../model/json.ts";
import { findCondition } from "../../model/object.ts";
import { buildVerdict, type InsightResource, type InsightVerdict, type UpdateProgress } from "./condition.ts";

/** The status insight about one ClusterOperator. */
export type OperatorInsight = {
  readonly name: string;
  readonly resource: InsightResource;
  readonly conditions: readonly InsightVerdict[];
};

export function buildOperatorInsight(operator: JsonObject, progress: UpdateProgress): OperatorInsight {
  const name = textAt(operator, "metadata", "name") ?? "";
  return {
    name,
    resource: { group: "config.openshift.io", resource: "clusteroperators", name },
    conditions: [judgeUpdating(operator, progress), judgeHealth(operator)],
  };
}

/**
 * The version decides: an operator at the target is updated, whatever else it does, and only while the control plane updates is another
 * one updating or waiting.
 * Source: assessClusterOperator in pkg/updatestatus of openshift/cluster-version-operator, before its removal.
 */
function judgeUpdating(operator: JsonObject, { target, state }: UpdateProgress): InsightVerdict {
  const versions = objectsAt(operator, "status", "versions");
  const version = textAt(
    versions.find((one) => textAt(one, "name") === "operator"),
    "version",
  );
  const reports = version === undefined ? "It reports no version" : `It reports version ${version}`;
  if (version === target) return buildVerdict("Updating", "False", ["Updated", `${reports}.`]);
  const progressing = findCondition(operator, "Progressing");
  const said = textAt(progressing, "message") ?? "";
  const text = said === "" ? `${reports}.` : `${reports}: ${said}`;
  if (state !== "running") return buildVerdict("Updating", "Unknown", ["CannotDetermine", formatOdd(reports, state)]);
  const status = textAt(progressing, "status");
  if (status === "True") return buildVerdict("Updating", "True", ["Progressing", text]);
  if (status === "False") return buildVerdict("Updating", "False", ["Pending", text]);
  return buildVerdict("Updating", "Unknown", ["CannotDetermine", `${reports}, and not whether it is progressing.`]);
}

function formatOdd(reports: string, state: "over" | "unknown"): string {
  return state === "over"
    ? `${reports}, although the update of the control plane is complete.`
    : `${reports}, and whether the control plane is updating is not known.`;
}

function judgeHealth(operator: JsonObject): InsightVerdict {
  const available = findCondition(operator, "Available");
  const degraded = findCondition(operator, "Degraded");
  if (textAt(available, "status") === "False")
    return buildVerdict("Healthy", "False", ["Unavailable", textAt(available, "message") ?? ""]);
  if (textAt(degraded, "status") === "True")
    return buildVerdict("Healthy", "False", ["Degraded", textAt(degraded, "message") ?? ""]);
  if (textAt(available, "status") === "True" && textAt(degraded, "status") === "False")
    return buildVerdict("Healthy", "True", ["AsExpected", "It is available and not degraded."]);
  return buildVerdict("Healthy", "Unknown", [
    "CannotDetermine",
    `It does not report whether it is ${textAt(available, "status") === "True" ? "degraded" : "available"}.`,
  ]);
}
