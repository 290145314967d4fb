import type { Context, Finding, Judgement } from "../../model/check.ts";
import { refText } from "../../model/resource.ts";
import { minorPlace } from "../../model/version.ts";
import type { Operator } from "./operator.ts";
import { declarationInvalid, incompatibleWithNext, incompatibleWithTarget } from "./risks.ts";

export function judgeOperators(operators: readonly Operator[], context: Context): Judgement {
  return {
    findings: operators.flatMap((operator) => findingFor(operator, context)),
    notices: operators.flatMap(unreadNotice),
  };
}

function findingFor(operator: Operator, context: Context): readonly Finding[] {
  const { last, object } = operator;
  if (last.kind === "invalid") return operator.seenByOlm ? [invalidFinding(operator, last.why)] : [];
  if (last.place >= minorPlace(context.target)) return [];
  const message = `${last.text} is the last OpenShift release that it declares to work on, and the target is ${context.target.text}.`;
  const detail = { maxOpenShiftVersion: last.text };
  return [{ risk: riskOf(last.place, operator, context), object, message: message + leavingText(operator), detail }];
}

/** OLM itself looks one release ahead of the running one. */
function riskOf(place: number, { seenByOlm }: Operator, { source }: Context): string {
  const blockedByOlm = seenByOlm && place <= minorPlace(source);
  return blockedByOlm ? incompatibleWithNext.name : incompatibleWithTarget.name;
}

function invalidFinding(operator: Operator, why: string): Finding {
  const message = `Its property olm.maxOpenShiftVersion can't be understood: ${why}.`;
  return { risk: declarationInvalid.name, object: operator.object, message: message + leavingText(operator) };
}

function leavingText({ leaving }: Operator): string {
  return leaving === undefined ? "" : ` It is being ${leaving}: OLM counts it until it is gone.`;
}

function unreadNotice({ last, object, seenByOlm }: Operator): readonly string[] {
  if (last.kind !== "invalid" || seenByOlm) return [];
  return [
    `${refText(object)} may declare its last OpenShift release in the annotation olm.properties, which can't be understood (${last.why}); OLM doesn't read that annotation and blocks nothing by it.`,
  ];
}
