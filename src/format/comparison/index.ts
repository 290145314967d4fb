import { formatJsonText } from "../../model/visible-text.ts";
import { createPageFormats } from "../text/page-formats.ts";
import { buildComparisonPage, type ComparisonView } from "./comparison-page.ts";
import type { ComparedResult } from "./compared-result.ts";
import { type Comparison, isLessKnown, isWorse, listDoubts, type RiskChange } from "./comparison.ts";

/** The output formats of a comparison, by name. */
export const comparisonFormats = {
  ...createPageFormats(buildComparisonPage),
  json: ({ comparison }: ComparisonView) => formatJsonText(buildComparisonJson(comparison)),
};

/** For machines; schemas/preflight-comparison-v1.schema.json describes it. */
export function buildComparisonJson(comparison: Comparison): object {
  const { old, new: now, risks, checks, newMinorsBetween } = comparison;
  return {
    format: "preflight-comparison-v1-json",
    old: buildResultJson(old),
    new: buildResultJson(now),
    isWorse: risks.some(isWorse),
    isLessKnown: isLessKnown(comparison),
    doubts: listDoubts(comparison),
    risks: risks.map(buildRiskJson),
    checks: checks.map(({ id, kind, causes, unknownRisk, isAccepted }) => ({
      id,
      change: kind,
      risk: unknownRisk,
      accepted: isAccepted ? true : undefined,
      causes,
    })),
    newMinorsBetween,
  };
}

function buildResultJson(result: ComparedResult): object {
  const { label, sourceVersion, targetVersion, clusterId, observedAt, whyNone, complete } = result;
  return {
    name: label,
    sourceVersion,
    targetVersion,
    clusterID: clusterId,
    observedAt,
    complete: complete === true,
    failure: whyNone,
  };
}

function buildRiskJson(change: RiskChange): object {
  const { name, check, message, effect, leadTime, isAccepted } = change.risk;
  return {
    name,
    change: change.kind,
    isWorse: isWorse(change),
    check,
    effect,
    leadTime,
    accepted: isAccepted,
    message,
    ...(change.kind === "changed" ? buildDifferenceJson(change) : {}),
  };
}

function buildDifferenceJson(change: Extract<RiskChange, { kind: "changed" }>): object {
  const { added, removed, acceptance, hasOtherText } = change;
  return { added, removed, hasOtherText, acceptance };
}
