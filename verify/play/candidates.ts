import { type Json, type JsonObject, isList, isObject, objectAt, textAt } from "../../src/model/json.ts";
import { type CompiledSchema, compileSchema, validateObject, findSchemaChanges } from "../../src/schema/crd/index.ts";
import { generate } from "../schema/random/object-generator.ts";
import type { Random } from "../schema/random/random.ts";
import { type PlayedCrd, findSchema } from "./played-crd.ts";

/** How many objects are made to choose from, and how many of them are offered whatever preflight thinks of them. */
const BATCH = 16;
const UNFILTERED = 0.1;

/** Random objects of a kind; those that have what the target changes come first. */
export type CandidateSource = (random: Random, name: string) => readonly JsonObject[];

/** Preflight's own validation only saves requests: the API server decides what is stored. */
export function createCandidateSource(crd: PlayedCrd, version: string): CandidateSource {
  const schema = findSchema(crd.before, version);
  const compiled = compileSchema(JSON.stringify(schema), {});
  const paths = crd.after === undefined ? [] : findChangedPaths(schema, findSchema(crd.after, version));
  const apiVersion = `${textAt(crd.before, "spec", "group")}/${version}`;
  const kind = textAt(crd.before, "spec", "names", "kind") ?? "";
  return (random, name) =>
    Array.from({ length: BATCH }, () => generate(schema, apiVersion, kind, random, random.pick([0, 0, 0, 0.01])))
      .map((object) => ({ ...object, metadata: { ...objectAt(object, "metadata"), name } }))
      .filter((object) => random.chance(UNFILTERED) || isValid(compiled, object))
      .toSorted((a, b) => countTouched(b, paths) - countTouched(a, paths));
}

function isValid(compiled: ReturnType<typeof compileSchema>, object: JsonObject): boolean {
  return compiled.kind === "refused" || listErrors(compiled, object).length === 0;
}

function listErrors(compiled: CompiledSchema, object: JsonObject): readonly unknown[] {
  const { errors, applyFaults } = validateObject(compiled, object);
  return [...errors, ...applyFaults];
}

function findChangedPaths(before: JsonObject, after: JsonObject): readonly string[] {
  return [...new Set(findSchemaChanges(before, after).map(({ path }) => path))].filter((path) => path !== "");
}

function countTouched(object: JsonObject, paths: readonly string[]): number {
  return paths.filter((path) => isTouched(object, path.split(/\.|(?=\[\*\])/))).length;
}

/** `path`: names, and "[*]" for all items of a list or a map. */
function isTouched(value: Json | undefined, [step, ...rest]: readonly string[]): boolean {
  if (value === undefined) return false;
  if (step === undefined) return true;
  if (step === "[*]")
    return isList(value) || isObject(value) ? listItems(value).some((one) => isTouched(one, rest)) : false;
  return isObject(value) && isTouched(value[step], rest);
}

function listItems(value: readonly Json[] | JsonObject): readonly Json[] {
  return isList(value) ? value : Object.values(value);
}
