import { type Json, type JsonObject, compareText, parseObject } from "../../model/json.ts";
import { type Each, type Get, type GetResult, type ListResult, each, get, withAnnotations } from "../../model/read.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { type CorePredicate, expand } from "./core-predicate.ts";
import { listAnnotations, testItem } from "./item-tests.ts";
import { matchesPattern, type Truth } from "./value-tests.ts";
import { valuesAt } from "./paths.ts";
import type { DanglingPredicate, EachPredicate, KnownBug, GetPredicate, ReadPredicate } from "./known-bug.ts";

/** The parts of an object that are kept: its reference, the test's result, and the names that it mentions. */
export type KeptObject = { readonly ref: ObjectRef; readonly truth: Truth; readonly names: readonly string[] };

export type PlanRead = Get<KeptObject> | Each<KeptObject>;
export type PredicateValue = GetResult<KeptObject> | ListResult<KeptObject>;

/** Each read of an entry has its own key, so that its own test runs while the objects stream by. */
export type PredicatePlan =
  | { readonly kind: "always" }
  | { readonly kind: "read"; readonly predicate: ReadPredicate; readonly key: string }
  | { readonly kind: "allOf" | "anyOf"; readonly of: readonly PredicatePlan[] }
  | { readonly kind: "not"; readonly of: PredicatePlan };

export function buildPlan(bug: KnownBug): PredicatePlan {
  return addKeys(expand(bug.when), bug.id);
}

function addKeys(core: CorePredicate, key: string): PredicatePlan {
  if (core.kind === "always") return core;
  if (core.kind === "read") return { ...core, key };
  if (core.kind === "not") return { kind: "not", of: addKeys(core.of, key) };
  return { kind: core.kind, of: core.of.map((one, i) => addKeys(one, `${key}.${i}`)) };
}

/** The key of the read of the existing names. */
export function formatNamesKey(key: string): string {
  return `${key}.named`;
}

/** The reads of a plan, by key. */
export function buildReads(plan: PredicatePlan): readonly (readonly [string, PlanRead])[] {
  if (plan.kind === "always") return [];
  if (plan.kind === "not") return buildReads(plan.of);
  if (plan.kind !== "read") return plan.of.flatMap(buildReads);
  return buildPredicateReads(plan.predicate, plan.key);
}

function buildPredicateReads(predicate: ReadPredicate, key: string): readonly (readonly [string, PlanRead])[] {
  if (!("dangling" in predicate)) return [[key, buildRead(predicate)]];
  return [
    [key, buildRead(predicate.dangling, predicate)],
    [formatNamesKey(key), buildNamesRead(predicate)],
  ];
}

/** Reads the names that exist. */
function buildNamesRead({ missingIn }: DanglingPredicate): PlanRead {
  if (typeof missingIn === "string") return each(missingIn, (object) => keepNames(object, "metadata.name"));
  if ("get" in missingIn)
    return get(missingIn.get, missingIn.name, (object) => keepParsedNames(object, missingIn.at, missingIn.parsed));
  return each(missingIn.each, (object) =>
    testItem(missingIn.where, object) === "yes" ? keepNames(object, missingIn.at) : undefined,
  );
}

function keepNames(object: JsonObject, path: string): KeptObject {
  return { ref: refOf(object), truth: "yes", names: selectNames(object, path) };
}

/** A text that can't be parsed has no names. */
function keepParsedNames(object: JsonObject, path: string, parsed: string | undefined): KeptObject {
  if (parsed === undefined) return keepNames(object, path);
  const names = valuesAt(object, parsed).flatMap((text) =>
    typeof text === "string" ? selectNames(parseObject(text) ?? {}, path) : [],
  );
  return { ref: refOf(object), truth: "yes", names };
}

type Names = Pick<DanglingPredicate, "names" | "matching">;

function buildRead(predicate: Exclude<ReadPredicate, DanglingPredicate>, names?: Names): PlanRead {
  const annotations = predicate.where ? listAnnotations(predicate.where) : [];
  if ("get" in predicate) return withAnnotations(annotations, buildGet(predicate, names));
  const read = each(predicate.each, (object) => {
    const kept = keepObject(predicate, object, names);
    return kept.truth === "no" ? undefined : kept;
  });
  return withAnnotations(annotations, read);
}

function buildGet(predicate: GetPredicate, names: Names | undefined): Get<KeptObject> {
  return get(predicate.get, predicate.name, (object) => keepObject(predicate, object, names));
}

function keepObject({ where }: GetPredicate | EachPredicate, object: JsonObject, names: Names | undefined): KeptObject {
  const truth = where ? testItem(where, object) : "yes";
  return {
    ref: refOf(object),
    truth,
    names: names === undefined ? [] : selectNames(object, names.names, names.matching),
  };
}

/** Sorted, so that the kept value doesn't depend on the order in which an object lists them. */
function selectNames(object: JsonObject, path: string, matching = ""): readonly string[] {
  const texts = valuesAt(object, path)
    .filter((value: Json) => typeof value === "string")
    .filter((text) => matchesPattern(matching, text));
  return [...new Set(texts)].toSorted(compareText);
}

/** The result of a read as one list, which is empty for an absent object and for a kind that isn't served. */
export function getKeptObjects(value: PredicateValue): readonly KeptObject[] {
  if (value.kind === "absent") return [];
  if ("values" in value) return value.values;
  return [value.value];
}
