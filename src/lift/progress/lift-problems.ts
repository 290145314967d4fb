import { joinNames } from "../../model/names.ts";
import { type GatedFields, listAbsentRiskFields } from "../objects/gated-fields.ts";
import type { NotOfferedReason, PayloadRefusalReason } from "../objects/payload.ts";

/** A risk that could not be merged. */
export type MergeProblem =
  | { readonly kind: "invalidName"; readonly risk: string }
  /** Two different risks of one name: the first is kept. `version` is set if the other was already in ClusterVersion. */
  | { readonly kind: "divergent"; readonly risk: string; readonly version?: string }
  | { readonly kind: "unknownVersion"; readonly risk: string; readonly version: string }
  | { readonly kind: "unknownRisk"; readonly risk: string };

/** What keeps ClusterVersion from showing a result. Reasons are API: they are never renamed. */
export type LiftProblem = {
  readonly reason:
    | NotOfferedReason
    | PayloadRefusalReason
    | "NoRoom"
    | "RiskNotMerged"
    | "RiskFieldsAbsent"
    | "ConditionsNotStored"
    | "UpdateStarted";
  /** Sentences for an administrator. */
  readonly message: string;
};

export function describeMergeProblems(problems: readonly MergeProblem[]): readonly LiftProblem[] {
  return problems.map((problem) => ({ reason: "RiskNotMerged", message: formatMergeProblem(problem) }));
}

function formatMergeProblem(problem: MergeProblem): string {
  switch (problem.kind) {
    case "invalidName":
      return `ClusterVersion does not allow the risk name "${problem.risk}".`;
    case "divergent":
      return `Another risk${problem.version === undefined ? "" : ` of ${problem.version}`} is also named ${problem.risk} but differs. Only the document shows the preflight's risk.`;
    case "unknownVersion":
      return `${problem.risk} names ${problem.version}, which is not offered.`;
    case "unknownRisk":
      return `${problem.risk} is listed but not defined.`;
  }
}

export function describeOmittedRisks(omitted: readonly string[]): readonly LiftProblem[] {
  if (omitted.length === 0) return [];
  const message = `${omitted.length} ${omitted.length === 1 ? "risk exceeds" : "risks exceed"} ClusterVersion's limits, so only the document shows: ${joinNames(omitted)}.`;
  return [{ reason: "NoRoom", message }];
}

/** Reports the fields that the API server would drop. */
export function describeAbsentFields(fields: GatedFields): readonly LiftProblem[] {
  const absent = listAbsentRiskFields(fields);
  if (absent.length === 0) return [];
  const message = `In this cluster's feature set, ClusterVersion has no ${joinNames(absent)}. These fields can't show the risks or accept them.`;
  return [{ reason: "RiskFieldsAbsent", message }];
}
