import { isUnknownRisk } from "../../../lift/capacity.ts";
import { selectPending } from "../../../lift/risk-summary.ts";
import { nameOf } from "../../../lift/objects/cluster-updates.ts";
import type { RetainedResult } from "../../../lift/progress/retained-result.ts";
import { textAt } from "../../../model/json.ts";
import { isComplete, isCurrent } from "./document.ts";
import { getRequestState } from "./request.ts";
import { getStatusResult } from "./risks.ts";
import { getPreflightConditions, type StatusInput } from "./status.ts";

/**
 * The codes of `check`: 1 if the preflight failed, 3 for an unaccepted risk, 4 without a current and complete result (also if no
 * preflight is requested), else 0.
 */
export function getStatusExitCode(input: StatusInput): 0 | 1 | 3 | 4 {
  if (getRequestState(input).kind === "invalid" || isFailed(input)) return 1;
  const result = getStatusResult(input);
  if (!result) return 4;
  const [pending, unknownRisks] = [selectPending(result.risks), getUnknownRisks(result.retained)];
  if (pending.some(({ name }) => !unknownRisks.includes(name))) return 3;
  if (pending.length > 0 || !isCurrent(input)) return 4;
  return isComplete(input) || unknownRisks.length > 0 ? 0 : 4;
}

/** Whether a wait is over: the preflight has a current result, has failed, or cannot start. */
export function isSettled(input: StatusInput): boolean {
  return getRequestState(input).kind !== "requested" || isFailed(input) || isCurrent(input);
}

function isFailed(input: StatusInput): boolean {
  return getPreflightConditions(input).some(
    (condition) => textAt(condition, "type") === "PreflightFailed" && textAt(condition, "status") === "True",
  );
}

function getUnknownRisks({ risks }: RetainedResult): readonly string[] {
  return risks.filter(isUnknownRisk).map(nameOf);
}
