import { type Json, type JsonObject, byText } from "../../model/json.ts";
import { type Each, type Get, type Got, type Listed, each, get } from "../../model/read.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { type Core, expand } from "./expand.ts";
import { testItem } from "./item-tests.ts";
import { valuesAt } from "./paths.ts";
import type { Truth } from "./truth.ts";
import type { DanglingPredicate, EachPredicate, Entry, GetPredicate, Reading } from "./vocabulary.ts";

/** What is held of an object: which it is, what the test said, and the names that it mentions. */
export type Kept = { readonly ref: ObjectRef; readonly truth: Truth; readonly names: readonly string[] };

export type KeptRead = Get<Kept> | Each<Kept>;
export type KeptValue = Got<Kept> | Listed<Kept>;

/** Each reading of an entry has its own key, so that its own test runs while the objects stream by. */
export type Plan =
  | { readonly kind: "always" }
  | { readonly kind: "reading"; readonly reading: Reading; readonly key: string }
  | { readonly kind: "allOf" | "anyOf"; readonly of: readonly Plan[] }
  | { readonly kind: "not"; readonly of: Plan };

export function planOf(entry: Entry): Plan {
  return numbered(expand(entry.when), entry.id);
}

function numbered(core: Core, key: string): Plan {
  if (core.kind === "always") return core;
  if (core.kind === "reading") return { ...core, key };
  if (core.kind === "not") return { kind: "not", of: numbered(core.of, key) };
  return { kind: core.kind, of: core.of.map((one, i) => numbered(one, `${key}.${i}`)) };
}

/** Where that is read which a dangling name should name. */
export function namedKey(key: string): string {
  return `${key}.named`;
}

/** The reads of a plan, by key. */
export function readsOfPlan(plan: Plan): readonly (readonly [string, KeptRead])[] {
  if (plan.kind === "always") return [];
  if (plan.kind === "not") return readsOfPlan(plan.of);
  if (plan.kind !== "reading") return plan.of.flatMap(readsOfPlan);
  return readsOfReading(plan.reading, plan.key);
}

function readsOfReading(reading: Reading, key: string): readonly (readonly [string, KeptRead])[] {
  if (!("dangling" in reading)) return [[key, readOf(reading)]];
  return [
    [key, readOf(reading.dangling, reading.names)],
    [namedKey(key), namedOf(reading)],
  ];
}

/** The names that are there. */
function namedOf({ missingIn }: DanglingPredicate): KeptRead {
  if (typeof missingIn === "string") return each(missingIn, (object) => named(object, "metadata.name"));
  return get(missingIn.get, missingIn.name, (object) => named(object, missingIn.at));
}

function named(object: JsonObject, path: string): Kept {
  return { ref: refOf(object), truth: "yes", names: namesAt(object, path) };
}

function readOf(reading: Exclude<Reading, DanglingPredicate>, names?: string): KeptRead {
  if ("get" in reading) return getOf(reading, names);
  return each(reading.each, (object) => {
    const kept = keep(reading, object, names);
    return kept.truth === "no" ? undefined : kept;
  });
}

function getOf(reading: GetPredicate, names: string | undefined): Get<Kept> {
  return get(reading.get, reading.name, (object) => keep(reading, object, names));
}

function keep({ where }: GetPredicate | EachPredicate, object: JsonObject, names: string | undefined): Kept {
  const truth = where ? testItem(where, object) : "yes";
  return { ref: refOf(object), truth, names: names === undefined ? [] : namesAt(object, names) };
}

/** Sorted, so that what is held doesn't depend on the order in which an object lists them. */
function namesAt(object: JsonObject, path: string): readonly string[] {
  const texts = valuesAt(object, path).filter((value: Json) => typeof value === "string");
  return [...new Set(texts)].toSorted(byText);
}

/** What a read gave, as one list; an object that is not there and a kind that isn't served give none. */
export function keptOf(value: KeptValue): readonly Kept[] {
  if (value.kind === "absent") return [];
  if ("values" in value) return value.values;
  return [value.value];
}
