import { FURTHER_RISKS, FURTHER_RISKS_URL } from "../../model/document.ts";
import type { UnfittedRisk } from "./budget.ts";
import { formatCount } from "../../model/count.ts";

const REMEDIATION =
  'Run "preflight check -o json" against the same target to list all of them; resolve the risks named here first.';

/** The last risk of a document that can't hold all: it counts the others and says how to list them. */
export function buildFurtherRisks(cut: readonly UnfittedRisk[]): UnfittedRisk {
  const unknownCount = cut.filter(({ unknown }) => unknown).length;
  const riskCount = cut.length - unknownCount;
  const message = [
    ...(riskCount > 0
      ? [`${riskCount} more ${riskCount === 1 ? "risk applies" : "risks apply"} to this cluster.`]
      : []),
    ...(unknownCount > 0 ? [`${formatCount(unknownCount, "more check")} could not be completed.`] : []),
    "They do not fit into one document.",
    REMEDIATION,
  ].join(" ");
  return { name: FURTHER_RISKS, unknown: riskCount === 0, message, remediation: REMEDIATION, url: FURTHER_RISKS_URL };
}
