import type { Context, Finding } from "../../model/check.ts";
import { leavesMinor, formatMinor } from "../../model/version.ts";
import { type ClusterOperator, buildRef } from "./cluster-operator.ts";
import { clusterOperatorNotUpgradeable } from "./risks.ts";
import { formatReason } from "./reason-text.ts";

/** The cluster-version operator asks for Upgradeable before updates to a later minor only, and takes False alone for a no. */
export function buildNotUpgradeableFindings(
  operators: readonly ClusterOperator[],
  context: Context,
): readonly Finding[] {
  if (!leavesMinor(context)) return [];
  return operators.flatMap((operator) => {
    const condition = operator.conditions.Upgradeable;
    if (condition?.status !== "False") return [];
    return [
      {
        risk: clusterOperatorNotUpgradeable.name,
        object: buildRef(operator),
        message: `It reports Upgradeable=False (${formatReason(condition)}).`,
        detail: { condition: "Upgradeable", reason: condition.reason, message: condition.message },
      },
    ];
  });
}

export function buildUndecidedNotices(operators: readonly ClusterOperator[], context: Context): readonly string[] {
  if (!leavesMinor(context)) return [];
  return operators.flatMap((operator) => {
    const condition = operator.conditions.Upgradeable;
    if (condition?.status !== "Unknown") return [];
    return [
      `ClusterOperator ${operator.name} doesn't know whether it can be updated from ${formatMinor(context.source)} to ${formatMinor(context.target)} (${formatReason(condition)}), which blocks nothing.`,
    ];
  });
}

/** What an operator sees coming: the update service collects it, and no release blocks an update by it. */
export function buildEvaluationNotices(operators: readonly ClusterOperator[]): readonly string[] {
  return operators.flatMap((operator) => {
    const condition = operator.conditions.EvaluationConditionsDetected;
    if (condition?.status !== "True") return [];
    return [
      `ClusterOperator ${operator.name} found something that a later release may not take any more (${formatReason(condition)}).`,
    ];
  });
}
