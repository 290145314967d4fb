import type { Context, Finding } from "../../model/check.ts";
import { leavesMinor, formatMinor } from "../../model/version.ts";
import { type ClusterOperator, buildRef, formatReason } from "./cluster-operator.ts";
import { risks } from "./risks.ts";

/** The cluster-version operator checks Upgradeable only before updates to a later minor, and only False blocks them. */
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
        risk: risks.ClusterOperatorNotUpgradeable.name,
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
      `ClusterOperator ${operator.name} reports Upgradeable=Unknown (${formatReason(condition)}), which does not block the update from ${formatMinor(context.source)} to ${formatMinor(context.target)}.`,
    ];
  });
}

/** An operator's forecast: the update service collects it, and no release blocks an update because of it. */
export function buildEvaluationNotices(operators: readonly ClusterOperator[]): readonly string[] {
  return operators.flatMap((operator) => {
    const condition = operator.conditions.EvaluationConditionsDetected;
    if (condition?.status !== "True") return [];
    return [
      `ClusterOperator ${operator.name} reports something that a later release may not accept (${formatReason(condition)}).`,
    ];
  });
}
