import {
  type VersionPair,
  type SchemaPair,
  type CrdPair,
  compileSchemas,
  findVersionPair,
  findUnservedVersions,
  pairCrds,
} from "../../src/checks/crd-skew/crd-pair.ts";
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
  const versionPairs = pairs.flatMap((pair) => getVersionPairs(pair).map((reading) => ({ pair, reading })));
  const start = now();
  const context = buildContext(source.version, target, new Date(0));
  const schemas = versionPairs.map(({ pair, reading }) => compileSchemas(pair, reading, context));
  const milliseconds = now() - start;
  const counts = {
    both: pairs.length,
    changed: pairs.filter((pair) => findVersionPair(pair) !== undefined).length,
    added: countAbsent(source, target),
    gone: countAbsent(target, source),
    unserved: pairs.reduce((sum, pair) => sum + findUnservedVersions(pair).length, 0),
    ...countChanges(versionPairs.map(({ reading }) => compareVersionPair(reading))),
    notEvaluated: schemas.reduce((sum, { after }: SchemaPair) => sum + countUnevaluatedRules(after), 0),
  };
  return { counts, milliseconds };
}

/** Every version that both serve and whose schema changes; if they share none, the versions that objects are read and evaluated in. */
function getVersionPairs(pair: CrdPair): readonly VersionPair[] {
  const first = findVersionPair(pair);
  if (first === undefined || first.hasWebhook) return [];
  if (first.before.name !== first.after.name) return [first];
  return pair.target.versions.flatMap((after) => {
    const before = pair.installed.versions.find(({ name, served }) => served && name === after.name);
    const isChanged = before?.schema !== after.schema && after.schema !== "";
    return before && after.served && isChanged ? [{ before, after, hasWebhook: false }] : [];
  });
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
