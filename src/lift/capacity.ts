import { type JsonObject, textAt } from "../model/json.ts";
import { FURTHER_RISKS, FURTHER_RISKS_URL } from "../model/document.ts";
import { findConditionIn } from "../model/conditions.ts";
import { type UntimedCondition, APPLIES } from "./objects/condition.ts";
import { MAX_CONDITIONAL_UPDATES, MAX_RISKS, MAX_RISKS_OF_UPDATE } from "./objects/limits.ts";
import { limitSiteRisks } from "../model/site-checks.ts";
import { nameOf, type ClusterUpdates, risksOf, versionOf } from "./objects/cluster-updates.ts";
import type { UpdateVersions } from "../model/preflight-mark.ts";
import { type PrefixForm, withPrefix } from "./objects/risk-prefix.ts";

export type RiskSelection = { readonly kept: readonly JsonObject[]; readonly omitted: readonly string[] };

/** How many risks a version can hold beside those of other sources, which are never displaced. */
export function remainingCapacity(
  version: string,
  { conditional }: ClusterUpdates,
  otherRisks: readonly JsonObject[],
): number {
  const update = conditional.find((one) => versionOf(one) === version);
  if (!update && conditional.length >= MAX_CONDITIONAL_UPDATES) return 0;
  const names = new Set([...conditional.flatMap(risksOf), ...otherRisks].map(nameOf));
  return Math.max(0, Math.min(MAX_RISKS_OF_UPDATE - risksOf(update).length, MAX_RISKS - names.size));
}

/** Selects the risks that fit, omitting unknowns first; one risk then counts the omitted ones. */
export function selectRisks(
  risks: readonly JsonObject[],
  capacity: number,
  versions: UpdateVersions,
  form: PrefixForm,
): RiskSelection {
  const { within, beyond } = limitSiteRisks(sortByWorth(risks), nameOf);
  if (beyond.length === 0 && risks.length <= capacity) return { kept: risks, omitted: [] };
  const candidates = within.filter((risk) => nameOf(risk) !== FURTHER_RISKS);
  const room = Math.max(0, capacity - 1);
  const kept = candidates.slice(0, room);
  const omitted = [...candidates.slice(room), ...beyond];
  const further = capacity > 0 ? [buildFurtherRisks(omitted, versions, form)] : [];
  return { kept: [...kept, ...further], omitted: omitted.map(nameOf) };
}

function sortByWorth(risks: readonly JsonObject[]): readonly JsonObject[] {
  return [...risks.filter((risk) => !isUnknownRisk(risk)), ...risks.filter(isUnknownRisk)];
}

/** Whether a risk reports a check that could not complete: the document gives it this reason. */
export function isUnknownRisk(risk: JsonObject): boolean {
  return textAt(findConditionIn(risk, APPLIES), "reason") === "PreflightPartial";
}

function buildFurtherRisks(omitted: readonly JsonObject[], versions: UpdateVersions, form: PrefixForm): JsonObject {
  const text = `${omitted.length} more risks of this preflight exceed ClusterVersion's limits. The document lists them all.`;
  return {
    name: FURTHER_RISKS,
    message: withPrefix(text, versions, form),
    url: FURTHER_RISKS_URL,
    matchingRules: [{ type: "Always" }],
    conditions: [buildFurtherApplies(omitted)],
  };
}

/** Applies since the earliest transition time of the omitted risks. */
function buildFurtherApplies(omitted: readonly JsonObject[]): JsonObject {
  const times = omitted
    .map((risk) => textAt(findConditionIn(risk, APPLIES), "lastTransitionTime") ?? "")
    .filter(Boolean);
  const condition: UntimedCondition = {
    type: APPLIES,
    status: "True",
    reason: "PreflightValidation",
    message: "",
  };
  const first = times.toSorted()[0];
  return first === undefined ? condition : { ...condition, lastTransitionTime: first };
}
