import type { Check, Context, Finding, OmittedFindings } from "../model/check.ts";
import { compareText } from "../model/json.ts";
import { isOperatorRisk } from "../model/operator-risks.ts";
import { joinNames } from "../model/names.ts";
import type { Outcome } from "../model/report.ts";

/** Whether to report risks that the running cluster-version operator reports itself ("show"), or to omit them ("leave"). */
export type OperatorRisks = "show" | "leave";

/** Why a check is omitted: the operator itself reports all of its risks. */
export function findOmissionReason(check: Check, context: Context): string | undefined {
  if (check.risks.length === 0 || !check.risks.every((risk) => isOperatorRisk(risk, context))) return undefined;
  const names = new Set(check.risks.flatMap(({ liftedAs }) => liftedAs ?? []));
  return `The cluster-version operator reports this itself, as ${joinNames([...names].toSorted(compareText))}.`;
}

/** The outcome without the findings that the operator reports itself; a notice names these. */
export function omitOperatorRisks(check: Check, outcome: Outcome, context: Context): Outcome {
  if (outcome.kind !== "risk" && outcome.kind !== "unknown") return outcome;
  const operatorNames = new Map(
    check.risks.filter((risk) => isOperatorRisk(risk, context)).map(({ name, liftedAs = "" }) => [name, liftedAs]),
  );
  const [omitted, findings] = [
    outcome.findings.filter(({ risk }) => operatorNames.has(risk)),
    outcome.findings.filter(({ risk }) => !operatorNames.has(risk)),
  ];
  if (omitted.length === 0) return outcome;
  const uncollected = outcome.omittedFindings ?? {};
  const notices = [...outcome.notices, ...buildOmissionNotices(omitted, uncollected, operatorNames)].toSorted(
    compareText,
  );
  if (outcome.kind === "risk" && findings.length === 0) return { kind: "clear", notices };
  const omittedFindings = Object.fromEntries(Object.entries(uncollected).filter(([risk]) => !operatorNames.has(risk)));
  return { ...outcome, findings, notices, ...(outcome.omittedFindings ? { omittedFindings } : {}) };
}

function buildOmissionNotices(
  omitted: readonly Finding[],
  uncollected: OmittedFindings,
  operatorNames: ReadonlyMap<string, string>,
): readonly string[] {
  return [...Map.groupBy(omitted, ({ risk }) => risk)].map(([risk, { length }]) => {
    const all = length + (uncollected[risk] ?? 0);
    const [count, verb, pronoun] = all === 1 ? ["1 finding", "is", "it"] : [`${all} findings`, "are", "them"];
    return `${count} of ${risk} ${verb} omitted: the cluster-version operator reports ${pronoun} itself, as ${operatorNames.get(risk) ?? ""}.`;
  });
}
