import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load, loadAll } from "js-yaml";
import {
  type Json,
  type JsonObject,
  isObject,
  objectAt,
  objectsAt,
  parseJson,
  textAt,
  textsAt,
} from "../../src/model/json.ts";

/** What a program would have to look at to see a fault. */
export const QUESTIONS = [
  "version",
  "deprecation",
  "kind",
  "schema",
  "keys",
  "rule",
  "code",
  "text",
  "name",
  "definition",
  "together",
] as const;
export type Question = (typeof QUESTIONS)[number];

/** What the API server does with an object. */
export type Fate = "refused" | "deprecated" | "accepted";

/** A change of an object: operations of a JSON patch. */
export type Change = { readonly of: string; readonly operations: readonly JsonObject[] };

/** `repeat`: a field that is written once more, with another value. `with`: what is planted beside it. */
export type Plant = Change & {
  readonly repeat?: { readonly key: string; readonly value: Json };
  readonly with?: string;
};

export type FaultKind = {
  readonly fault: string;
  readonly asks: Question;
  readonly truth: Fate;
  readonly plants: readonly Plant[];
};

function read(file: string): string {
  return readFileSync(join(import.meta.dirname, file), "utf8");
}

/** As JSON, since YAML has more than that. */
function toJson(value: unknown): Json {
  return parseJson(JSON.stringify(value)) ?? null;
}

/** The documents of a file beside this one. */
export function readObjects(file: "objects.yaml" | "definitions.yaml"): readonly JsonObject[] {
  return loadAll(read(file)).map(toJson).filter(isObject);
}

export function readVariants(): readonly Change[] {
  return objectsAt({ all: toJson(load(read("variants.yaml"))) }, "all").map(parseChange);
}

export function readFaults(): readonly FaultKind[] {
  return objectsAt({ all: toJson(load(read("faults.yaml"))) }, "all").map((one) => ({
    fault: textAt(one, "fault") ?? "",
    asks: QUESTIONS.find((question) => question === one["asks"]) ?? "schema",
    truth: parseFate(textAt(one, "truth")),
    plants: objectsAt(one, "plants").map(parsePlant),
  }));
}

function parseFate(text = "refused"): Fate {
  if (text === "refused" || text === "deprecated" || text === "accepted") return text;
  throw new Error(`no fate is ${text}`);
}

function parsePlant(plant: JsonObject): Plant {
  const [repeated] = Object.entries(objectAt(plant, "repeat"));
  const beside = textAt(plant, "with");
  return {
    ...parseChange(plant),
    ...(repeated === undefined ? {} : { repeat: { key: repeated[0], value: repeated[1] } }),
    ...(beside === undefined ? {} : { with: beside }),
  };
}

/** Beyond every list that is changed. */
const END = 99;

/** `append` puts a value at the end of a list. */
function parseChange(change: JsonObject): Change {
  const set = Object.entries(objectAt(change, "set")).map(([path, value]) => {
    return { op: /\/\d+$/.test(path) ? "replace" : "add", path, value };
  });
  const append = Object.entries(objectAt(change, "append")).map(([path, value]) => ({
    op: "add",
    path: `${path}/${END}`,
    value,
  }));
  const remove = textsAt(change, "remove").map((path) => ({ op: "remove", path }));
  return { of: textAt(change, "of") ?? "", operations: [...set, ...append, ...remove] };
}
