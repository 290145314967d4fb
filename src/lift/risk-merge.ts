import type { MergeProblem } from "./progress/lift-problems.ts";
import { type JsonObject, compareText, formatCanonicalJson, textAt } from "../model/json.ts";
import { MAX_RISK_NAME } from "./objects/limits.ts";
import {
  type ClusterUpdates,
  compareReleaseVersions,
  nameOf,
  releaseOf,
  risksOf,
  versionOf,
} from "./objects/cluster-updates.ts";

export type MergeResult = { readonly updates: ClusterUpdates; readonly problems: readonly MergeProblem[] };

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
