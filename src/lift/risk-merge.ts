import type { MergeProblem } from "./progress/preflight-conditions.ts";
import { type JsonObject, compareText, formatCanonicalJson, textAt } from "../model/json.ts";
import type { ClusterUpdates, PrefixForm } from "./objects/cluster-version.ts";
import {
  addRelease,
  compareReleaseVersions,
  isAlertRisk,
  nameOf,
  releaseOf,
  removeRelease,
  risksOf,
  versionOf,
  withPrefix,
} from "./objects/cluster-version.ts";
import { type UntimedCondition, APPLIES } from "./objects/conditions.ts";
import { MAX_RISK_NAME, MAX_CONDITIONAL_UPDATES, MAX_RISKS, MAX_RISKS_OF_UPDATE } from "./objects/limits.ts";
import { FURTHER_RISKS, FURTHER_RISKS_URL } from "../model/document.ts";
import { findConditionIn } from "../model/object.ts";
import { limitSiteRisks } from "../model/check-origin.ts";
import type { UpdateVersions } from "../model/cluster-version-risks.ts";
import type { RetainedResult } from "./progress/retained-result.ts";

type MergeResult = { readonly updates: ClusterUpdates; readonly problems: readonly MergeProblem[] };

/** Since 4.23 the operator also allows "." and "-". The document format allows neither. */
const NAME = /^[A-Z][A-Za-z0-9.-]*$/;

/**
 * Adds risks to updates; `versions` maps a risk's name to the updates' versions. Source of the rules: Merge in pkg/risk of the
 * cluster-version operator. Problems that the operator only logs are returned.
 */
export function mergeRisks(
  updates: ClusterUpdates,
  risks: readonly JsonObject[],
  versions: ReadonlyMap<string, readonly string[]>,
): MergeResult {
  const defined = indexRisks(risks);
  const pairs = [...versions]
    .filter(([name]) => isRiskName(name))
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([name, targets]) => targets.map((version) => ({ name, version })));
  const missing = [...new Set(pairs.map(({ name }) => name))].filter((name) => !defined.byName.has(name));
  const start: MergeResult = { updates, problems: defined.problems };
  const merged = pairs.reduce((before, { name, version }) => {
    const risk = defined.byName.get(name);
    if (!risk) return before;
    const after = mergeRisk(before.updates, risk, version);
    return { updates: after.updates, problems: [...before.problems, ...after.problems] };
  }, start);
  const unknown = missing.map((risk) => ({ kind: "unknownRisk", risk }) as const);
  return { updates: sortUpdates(merged.updates), problems: [...merged.problems, ...unknown] };
}

/** Whether two risks are equal apart from their conditions. */
export function isSameDefinition(a: JsonObject, b: JsonObject): boolean {
  return getDefinitionKey(a) === getDefinitionKey(b);
}

/** A risk without its conditions as text: equal if the operator considers the risks equal. */
export function getDefinitionKey(risk: JsonObject): string {
  return formatCanonicalJson(Object.fromEntries(Object.entries(risk).filter(([key]) => key !== "conditions")));
}

function isRiskName(name: string): boolean {
  return NAME.test(name) && name.length <= MAX_RISK_NAME;
}

type RiskIndex = { readonly byName: ReadonlyMap<string, JsonObject>; readonly problems: readonly MergeProblem[] };

function indexRisks(risks: readonly JsonObject[]): RiskIndex {
  const byName = new Map<string, JsonObject>();
  const problems = risks.flatMap((risk): readonly MergeProblem[] => {
    const name = nameOf(risk);
    if (!isRiskName(name)) return [{ kind: "invalidName", risk: name }];
    const first = byName.get(name);
    if (!first) byName.set(name, risk);
    return first && !isSameDefinition(first, risk) ? [{ kind: "divergent", risk: name }] : [];
  });
  return { byName, problems };
}

function mergeRisk(updates: ClusterUpdates, risk: JsonObject, version: string): MergeResult {
  const index = updates.available.findIndex((release) => textAt(release, "version") === version);
  const release = updates.available[index];
  if (release) {
    const moved = { release, risks: [risk] };
    const after = { available: updates.available.toSpliced(index, 1), conditional: [...updates.conditional, moved] };
    return { updates: after, problems: [] };
  }
  if (!updates.conditional.some((update) => versionOf(update) === version))
    return { updates, problems: [{ kind: "unknownVersion", risk: nameOf(risk), version }] };
  return mergeIntoConditional(updates, risk, version);
}

function mergeIntoConditional(updates: ClusterUpdates, risk: JsonObject, version: string): MergeResult {
  const problems: MergeProblem[] = [];
  const conditional = updates.conditional.map((update) => {
    if (versionOf(update) !== version) return update;
    const sameName = risksOf(update).filter((one) => nameOf(one) === nameOf(risk));
    if (sameName.length === 0) return { ...update, risks: [...risksOf(update), risk] };
    if (!sameName.every((one) => isSameDefinition(one, risk)))
      problems.push({ kind: "divergent", risk: nameOf(risk), version });
    return update;
  });
  return { updates: { ...updates, conditional }, problems };
}

function sortUpdates({ available, conditional }: ClusterUpdates): ClusterUpdates {
  const ordered = conditional.toSorted((a, b) => compareReleaseVersions(versionOf(a), versionOf(b)));
  return { available, conditional: ordered.map(sortRisksOf) };
}

function sortRisksOf(update: JsonObject): JsonObject {
  return {
    ...update,
    release: releaseOf(update),
    risks: risksOf(update).toSorted((a, b) => compareText(nameOf(a), nameOf(b))),
  };
}

type RiskSelection = { readonly kept: readonly JsonObject[]; readonly omitted: readonly string[] };

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
  if (capacity === 0) return { kept: [], omitted: [...within, ...beyond].map(nameOf) };
  const candidates = within.filter((risk) => nameOf(risk) !== FURTHER_RISKS);
  const kept = candidates.slice(0, capacity - 1);
  const omitted = [...candidates.slice(capacity - 1), ...beyond];
  return { kept: [...kept, buildFurtherRisks(omitted, versions, form)], omitted: omitted.map(nameOf) };
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

export type AppliedRisks = {
  readonly updates: ClusterUpdates;
  /** Whether the target's update has received risks. */
  readonly isMerged: boolean;
  readonly problems: readonly MergeProblem[];
  /** The names of risks that exceed ClusterVersion's limits. */
  readonly omitted: readonly string[];
};

/** Merges a result's risks into the target's update. `otherRisks` are the other sources' entries of conditionalUpdateRisks. */
export function applyRisks(
  updates: ClusterUpdates,
  retained: RetainedResult | undefined,
  otherRisks: readonly JsonObject[],
  form: PrefixForm,
): AppliedRisks {
  if (retained === undefined || retained.risks.length === 0)
    return { updates, isMerged: false, problems: [], omitted: [] };
  const candidates = removeFromAvailable(updates, retained.target);
  const { kept, omitted } = selectRisks(
    retained.risks,
    remainingCapacity(retained.target, candidates, otherRisks),
    retained,
    form,
  );
  if (kept.length === 0) return { updates, isMerged: false, problems: [], omitted };
  const versions = new Map(kept.map((risk) => [nameOf(risk), [retained.target]]));
  const merged = mergeRisks(candidates, kept, versions);
  const alertNames = new Set(candidates.conditional.flatMap(risksOf).filter(isAlertRisk).map(nameOf));
  // An alert on the same risk has another text, but it is not another risk.
  const problems = [...merged.problems, ...findCollisions(candidates, retained.target, kept)].filter(
    ({ kind, risk }) => kind !== "divergent" || !alertNames.has(risk),
  );
  return { updates: merged.updates, isMerged: true, problems, omitted };
}

/** ClusterVersion lists a recommended conditional update in both lists; the update service offers it in one. */
function removeFromAvailable(updates: ClusterUpdates, version: string): ClusterUpdates {
  const duplicates = updates.conditional.filter((update) => versionOf(update) === version).map(releaseOf);
  return { ...updates, available: duplicates.reduce(removeRelease, updates.available) };
}

/** Risks that share a name with a different risk of another version: conditionalUpdateRisks can hold only one of the two. */
function findCollisions(
  updates: ClusterUpdates,
  version: string,
  risks: readonly JsonObject[],
): readonly MergeProblem[] {
  const others = updates.conditional.filter((update) => versionOf(update) !== version);
  return risks.flatMap((risk) => {
    const update = others.find((one) =>
      risksOf(one).some((other) => nameOf(other) === nameOf(risk) && !isSameDefinition(other, risk)),
    );
    return update ? [{ kind: "divergent", risk: nameOf(risk), version: versionOf(update) } as const] : [];
  });
}

type WithdrawalResult = {
  readonly updates: ClusterUpdates;
  /** The versions that lost risks. */
  readonly changedVersions: ReadonlySet<string>;
};

/** Removes risks. A release without other risks moves back to the available updates. */
export function withdrawRisks(updates: ClusterUpdates, isWithdrawn: (risk: JsonObject) => boolean): WithdrawalResult {
  const changed = updates.conditional.filter((update) => risksOf(update).some(isWithdrawn));
  const emptied = changed.filter((update) => risksOf(update).every(isWithdrawn));
  const conditional = updates.conditional
    .filter((update) => !emptied.includes(update))
    .map((update) =>
      changed.includes(update) ? { ...update, risks: risksOf(update).filter((risk) => !isWithdrawn(risk)) } : update,
    );
  const available = emptied.map(releaseOf).reduce(addRelease, updates.available);
  return { updates: { available, conditional }, changedVersions: new Set(changed.map(versionOf)) };
}
