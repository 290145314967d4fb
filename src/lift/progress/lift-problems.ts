import { joinNames } from "../../model/names.ts";
import { type GatedFields, listAbsentRiskFields } from "../objects/gated-fields.ts";

/** What could not be merged as it was given. */
export type MergeProblem =
  | { readonly kind: "invalidName"; readonly risk: string }
  /** Two texts, urls or rules under one name: the first stands. `version` where the other one was there already. */
  | { readonly kind: "divergent"; readonly risk: string; readonly version?: string }
  | { readonly kind: "unknownVersion"; readonly risk: string; readonly version: string }
  | { readonly kind: "unknownRisk"; readonly risk: string };

/** What keeps a result from being shown as it is. Part of the conditions: a reason is never renamed. */
export type LiftProblem = {
  readonly reason: "TargetNotOffered" | "NoRoom" | "RiskNotMerged" | "RiskFieldsAbsent" | "UpdateStarted";
  /** Sentences for an administrator. */
  readonly message: string;
};

export function describeMergeProblems(problems: readonly MergeProblem[]): readonly LiftProblem[] {
  return problems.map((problem) => ({ reason: "RiskNotMerged", message: formatMergeProblem(problem) }));
}

function formatMergeProblem(problem: MergeProblem): string {
  switch (problem.kind) {
    case "invalidName":
      return `"${problem.risk}" is no name that ClusterVersion takes for a risk.`;
    case "divergent":
      return `Another risk has the name ${problem.risk} too${problem.version === undefined ? "" : `, at ${problem.version}`}, with another text: the preflight's is whole in its document only.`;
    case "unknownVersion":
      return `${problem.risk} is about ${problem.version}, which is not offered.`;
    case "unknownRisk":
      return `${problem.risk} is named, but not described.`;
  }
}

export function describeOmittedRisks(omitted: readonly string[]): readonly LiftProblem[] {
  if (omitted.length === 0) return [];
  const message = `ClusterVersion has no room for ${omitted.length} of the risks, which only the document shows: ${joinNames(omitted)}.`;
  return [{ reason: "NoRoom", message }];
}

/** Said where there are risks to show: what the API server would drop is not sent. */
export function describeAbsentFields(fields: GatedFields): readonly LiftProblem[] {
  const absent = listAbsentRiskFields(fields);
  if (absent.length === 0) return [];
  const message = `In this cluster's feature set ClusterVersion has no ${joinNames(absent)}: there the risks are not shown, and none can be accepted.`;
  return [{ reason: "RiskFieldsAbsent", message }];
}
