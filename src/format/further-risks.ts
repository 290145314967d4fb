import { FURTHER_RISKS, FURTHER_RISKS_URL } from "../model/document.ts";
import type { RiskText } from "./budget.ts";

const REMEDIATION =
  'Run "preflight check -o json" against the same target to see all of them, and deal with those named here first.';

/** The last risk of a document that can't hold all: how many more there are, and how to see them. */
export function buildFurtherRisks(cut: readonly RiskText[]): RiskText {
  const unknownCount = cut.filter(({ unknown }) => unknown).length;
  const riskCount = cut.length - unknownCount;
  const message = [
    ...(riskCount > 0
      ? [`${riskCount} more ${riskCount === 1 ? "risk applies" : "risks apply"} to this cluster.`]
      : []),
    ...(unknownCount > 0 ? [`${unknownCount} more ${unknownCount === 1 ? "check" : "checks"} could not look.`] : []),
    "One document can't hold them.",
    REMEDIATION,
  ].join(" ");
  return { name: FURTHER_RISKS, unknown: riskCount === 0, message, remediation: REMEDIATION, url: FURTHER_RISKS_URL };
}
