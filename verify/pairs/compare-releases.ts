import {
  type CrdPair,
  findUnservedVersions,
  type Minors,
  getMinors,
  pairCrds,
} from "../../src/checks/crd-skew/crd-pair.ts";
import { type VersionPair, planKind } from "../../src/checks/crd-skew/kind-plan.ts";
import { buildServer } from "../../src/checks/crd-skew/kind-schemas.ts";
import { buildContext } from "../../src/model/check.ts";
import { isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import type { Release } from "../../src/model/release.ts";
import { type CompiledSchema, type SchemaChange, findSchemaChanges } from "../../src/schema/crd/index.ts";

/** How an update from one release to another changes CRDs, as counts. */
export type CrdCounts = {
  readonly both: number;
  readonly changed: number;
  readonly added: number;
  readonly gone: number;
  readonly tightenings: number;
  readonly drops: number;
  readonly unserved: number;
  readonly rules: number;
  readonly transitionRules: number;
  readonly notEvaluated: number;
};

/** `milliseconds`: the time to prepare both schemas of every changed version. */
export type ReleaseComparison = { readonly counts: CrdCounts; readonly milliseconds: number };

/** `now` is in milliseconds. Throws if a schema is not understood. */
export function compareReleases(source: Release, target: Release, now: () => number): ReleaseComparison {
  const pairs = pairCrds(source.crds, target.crds);
  const versionPairs = pairs.flatMap((pair) => getVersionPairs(pair).map((versions) => ({ pair, versions })));
  const start = now();
  const minors = getMinors(buildContext(source.version, target, new Date(0)));
  const schemas = versionPairs.map(({ pair, versions }) => compileVersions(pair, versions, minors));
  const milliseconds = now() - start;
  const counts = {
    both: pairs.length,
    changed: pairs.filter((pair) => getVersionPairs(pair).length > 0).length,
    added: countAbsent(source, target),
    gone: countAbsent(target, source),
    unserved: pairs.reduce((sum, pair) => sum + findUnservedVersions(pair).length, 0),
    ...countChanges(versionPairs.map(({ versions }) => compareVersionPair(versions))),
    notEvaluated: schemas.reduce((sum, schema) => sum + countUnevaluatedRules(schema), 0),
  };
  return { counts, milliseconds };
}

/** Every version that both serve and whose schema changes; if they share none, the versions that objects are read and evaluated in. */
function getVersionPairs(pair: CrdPair): readonly VersionPair[] {
  const plan = planKind(pair, SAME_SERVERS);
  const judged = plan?.reads.flatMap((list) => list.judged) ?? [];
  const converted = plan?.converted.flatMap(({ version }) => findCommonVersion(pair, version)) ?? [];
  return [...judged, ...converted].filter(({ before, after }) => before.schema !== after.schema && after.schema !== "");
}

/** So that only what the CRDs change counts. */
const SAME_SERVERS = { source: 0, target: 0 };

function findCommonVersion({ installed, target }: CrdPair, version: string): readonly VersionPair[] {
  const before = installed.versions.find(({ name }) => name === version);
  const after = target.versions.find(({ name }) => name === version);
  return before && after ? [{ before, after }] : [];
}

function compileVersions(pair: CrdPair, { before, after }: VersionPair, minors: Minors): CompiledSchema {
  const today = buildServer(pair.installed, minors.source, false);
  const target = buildServer(pair.target, minors.target, true);
  today.get(before.name);
  const compiled = target.get(after.name);
  if (compiled === undefined) throw new Error(`${pair.target.name} has no schema of version ${after.name}`);
  return compiled;
}

/** How many CRDs of `of` the manifests of `release` lack; a CRD that is only created if absent counts as present. */
function countAbsent(release: Release, of: Release): number {
  const there = new Set(release.manifests.filter(({ kind }) => kind === CRD).map(({ name }) => name));
  return of.crds.filter(({ name }) => !there.has(name)).length;
}

const CRD = "CustomResourceDefinition";

type ChangeCounts = Pick<CrdCounts, "tightenings" | "drops" | "rules" | "transitionRules">;

function countChanges(lists: readonly (readonly SchemaChange[])[]): ChangeCounts {
  const select = (kind: SchemaChange["kind"]) =>
    lists.map((changes) => changes.filter((change) => change.kind === kind));
  return {
    tightenings: select("stricter").reduce((sum, changes) => sum + new Set(changes.map(({ path }) => path)).size, 0),
    drops: select("lost").flat().length,
    rules: select("rule").flat().length,
    transitionRules: select("transitionRule").flat().length,
  };
}

/** A schema that allows any value and keeps it whole. */
const ANY_SCHEMA: JsonObject = { "x-kubernetes-preserve-unknown-fields": true };

function compareVersionPair({ before, after }: VersionPair): readonly SchemaChange[] {
  return findSchemaChanges(before.schema === "" ? ANY_SCHEMA : parseSchema(before.schema), parseSchema(after.schema));
}

function parseSchema(schema: string): JsonObject {
  const value: Json = JSON.parse(schema);
  if (!isObject(value)) throw new Error("a schema is no object");
  return value;
}

/** The rules that cannot be evaluated for any object, except transition rules. */
function countUnevaluatedRules({ programs }: CompiledSchema): number {
  return [...programs].filter(([rule, { kind }]) => rule.usesOldSelf !== "always" && kind === "none").length;
}
