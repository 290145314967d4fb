import type { Context, Finding } from "../../model/check.ts";
import { leavesMinor, minorText } from "../../model/version.ts";
import { type Operator, refTo } from "./operators.ts";
import { notUpgradeable } from "./risks.ts";
import { ownWords } from "./words.ts";

/** The cluster-version operator asks for Upgradeable before updates to a later minor only, and takes False alone for a no. */
export function notUpgradeableOperators(operators: readonly Operator[], context: Context): readonly Finding[] {
  if (!leavesMinor(context)) return [];
  return operators.flatMap((operator) => {
    const said = operator.conditions.Upgradeable;
    if (said?.status !== "False") return [];
    return [
      {
        risk: notUpgradeable.name,
        object: refTo(operator),
        message: `It reports Upgradeable=False (${ownWords(said)}).`,
        detail: { condition: "Upgradeable", reason: said.reason, message: said.message },
      },
    ];
  });
}

export function undecidedNotices(operators: readonly Operator[], context: Context): readonly string[] {
  if (!leavesMinor(context)) return [];
  return operators.flatMap((operator) => {
    const said = operator.conditions.Upgradeable;
    if (said?.status !== "Unknown") return [];
    return [
      `ClusterOperator ${operator.name} doesn't know whether it can be updated from ${minorText(context.source)} to ${minorText(context.target)} (${ownWords(said)}), which blocks nothing.`,
    ];
  });
}

/** What an operator sees coming: the update service collects it, and no release blocks an update by it. */
export function evaluationNotices(operators: readonly Operator[]): readonly string[] {
  return operators.flatMap((operator) => {
    const said = operator.conditions.EvaluationConditionsDetected;
    if (said?.status !== "True") return [];
    return [
      `ClusterOperator ${operator.name} found something that a later release may not take any more (${ownWords(said)}).`,
    ];
  });
}
