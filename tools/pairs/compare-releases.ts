import { schemasOf, readingOf, type Reading, type Schemas } from "../../src/checks/crd-skew/reading.ts";
import type { Pair } from "../../src/checks/crd-skew/definitions.ts";
import { contextOf } from "../../src/model/context.ts";
import { isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import type { Release } from "../../src/model/release.ts";
import { type Change, compareSchemas } from "./compare-schemas.ts";
import { notEvaluated } from "./not-evaluated.ts";
import { ANYTHING } from "./schema-parts.ts";

/** What an update from one release to another brings to CRDs; each a number of what its name says. */
export type Counts = {
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

/** `milliseconds`: what it took to prepare both schemas of everything that changed. */
export type Compared = { readonly counts: Counts; readonly milliseconds: number };

/** `now` gives milliseconds. Throws where a schema is not understood. */
export function compareReleases(source: Release, target: Release, now: () => number): Compared {
  const before = new Map(source.crds.map((crd) => [crd.name, crd]));
  const pairs = target.crds.flatMap((crd): readonly Pair[] => {
    const installed = before.get(crd.name);
    return installed === undefined ? [] : [{ installed, target: crd }];
  });
  const readings = pairs.flatMap((pair) => readingsOf(pair).map((reading) => ({ pair, reading })));
  const begun = now();
  const context = contextOf(source.version, target, new Date(0));
  const schemas = readings.map(({ pair, reading }) => schemasOf(pair, reading, context));
  const milliseconds = now() - begun;
  const counts = {
    both: pairs.length,
    changed: pairs.filter((pair) => readingOf(pair) !== undefined).length,
    added: absentFrom(source, target),
    gone: absentFrom(target, source),
    unserved: pairs.reduce((sum, pair) => sum + unservedIn(pair), 0),
    ...countChanges(readings.map(({ reading }) => changesOf(reading))),
    notEvaluated: schemas.reduce((sum, { after }: Schemas) => sum + notEvaluated(after).length, 0),
  };
  return { counts, milliseconds };
}

/** Every version that both serve and whose schema changes; where they share none, what objects are read and judged by instead. */
function readingsOf(pair: Pair): readonly Reading[] {
  const first = readingOf(pair);
  if (first === undefined || first.webhook) return [];
  if (first.before.name !== first.after.name) return [first];
  return pair.target.versions.flatMap((after) => {
    const before = pair.installed.versions.find(({ name, served }) => served && name === after.name);
    const isChanged = before?.schema !== after.schema && after.schema !== "";
    return before && after.served && isChanged ? [{ before, after, webhook: false }] : [];
  });
}

/** How many CRDs `of` brings of which the manifests of `release` have none; one that is only created where it is absent is there. */
function absentFrom(release: Release, of: Release): number {
  const there = new Set(release.manifests.filter(({ kind }) => kind === CRD).map(({ name }) => name));
  return of.crds.filter(({ name }) => !there.has(name)).length;
}

const CRD = "CustomResourceDefinition";

function unservedIn({ installed, target }: Pair): number {
  const served = new Set(target.versions.filter((version) => version.served).map(({ name }) => name));
  return installed.versions.filter((version) => version.served && !served.has(version.name)).length;
}

type ChangeCounts = Pick<Counts, "tightenings" | "drops" | "rules" | "transitionRules">;

function countChanges(lists: readonly (readonly Change[])[]): ChangeCounts {
  const sum = (count: (changes: readonly Change[]) => number): number =>
    lists.reduce((total, changes) => total + count(changes), 0);
  return {
    tightenings: sum((changes) => new Set(ofKind(changes, "tightening").map(({ path }) => path)).size),
    drops: sum((changes) => ofKind(changes, "drop").length),
    rules: sum((changes) => ofKind(changes, "rule").length),
    transitionRules: sum((changes) => ofKind(changes, "transitionRule").length),
  };
}

function ofKind(changes: readonly Change[], kind: Change["kind"]): readonly Change[] {
  return changes.filter((change) => change.kind === kind);
}

function changesOf({ before, after }: Reading): readonly Change[] {
  return compareSchemas(before.schema === "" ? ANYTHING : parse(before.schema), parse(after.schema));
}

function parse(schema: string): JsonObject {
  const value: Json = JSON.parse(schema);
  if (!isObject(value)) throw new Error("a schema is no object");
  return value;
}
