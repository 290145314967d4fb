import {
  type Json,
  type JsonObject,
  at,
  flagAt,
  isObject,
  listAt,
  numberAt,
  objectAt,
  textAt,
  textsAt,
} from "../../../src/model/json.ts";
import { generateBoundaryNumber } from "./boundary-numbers.ts";
import { isFitting } from "./fitting-value.ts";
import { ODD_METADATA } from "./odd-metadata.ts";
import type { Random } from "./random.ts";
import { generateText } from "./text-generator.ts";

/** How to generate objects: how often a value is deliberately invalid, and how many more values are allowed. */
type Generation = { readonly random: Random; readonly faultRate: number; remaining: number };

/** Generates an object that mostly fits its schema, with occasional faults of every kind. */
export function generate(
  schema: JsonObject,
  apiVersion: string,
  kind: string,
  random: Random,
  faultRate: number = random.pick([0, 0.01, 0.03, 0.1]),
): JsonObject {
  const generation: Generation = { random, faultRate, remaining: 150 };
  const body = generateMap(schema, 0, generation);
  const rest = Object.entries(isObject(body) ? body : {}).filter(
    ([key]) => !["apiVersion", "kind", "metadata"].includes(key),
  );
  return Object.fromEntries([
    ["apiVersion", apiVersion],
    ["kind", kind],
    ["metadata", generateMetadata(generation)],
    ...rest,
  ]);
}

/** A valid value of the schema, if one is found soon. */
export function generateFitting(schema: JsonObject, random: Random): Json | undefined {
  for (let i = 0; i < 4; i++) {
    const value = generateValue(schema, 2, { random, faultRate: 0, remaining: 20 });
    if (isFitting(schema, value)) return value;
  }
  return undefined;
}

function generateMetadata({ random, faultRate }: Generation): JsonObject {
  const name = random.chance(faultRate)
    ? random.pick(["Upper", "a..b", "-a", "a_b", "x".repeat(254)])
    : random.pick(["cluster", "a.b-c", "x"]);
  return random.chance(0.1) ? { name, labels: { a: "b" } } : { name };
}

const ODD_VALUES: readonly [Json, ...Json[]] = [
  null,
  true,
  0,
  -1,
  1.5,
  3_000_000_000,
  1e20,
  "",
  "x",
  "7",
  [],
  {},
  [null],
  [{}],
  { a: 1 },
  [["x"]],
  65,
];
const ODD_NAMES: readonly [string, ...string[]] = [
  "unknown",
  "__proto__",
  "constructor",
  "toString",
  "a.b",
  "spec",
  "",
  "x/y",
];

function generateValue(schema: Json | undefined, depth: number, generation: Generation): Json {
  const { random } = generation;
  generation.remaining--;
  if (random.chance(generation.faultRate)) return random.pick(ODD_VALUES);
  const literal = random.chance(0.7) ? random.oneOf(listAt(schema, "enum")) : undefined;
  if (literal !== undefined) return literal;
  const fallback = random.chance(0.05) ? at(schema, "default") : undefined;
  if (fallback !== undefined) return fallback;
  if (random.chance(flagAt(schema, "nullable") ? 0.15 : generation.faultRate)) return null;
  return isObject(schema) ? generateOneOf(schema, depth, generation) : generateOfType(schema, depth, generation);
}

/** The first of some values that is valid, unless it may be a fault. */
function generateOneOf(schema: JsonObject, depth: number, generation: Generation): Json {
  const isScalar = !["object", "array"].includes(textAt(schema, "type") ?? "");
  const count = generation.random.chance(generation.faultRate) ? 1 : isScalar ? 8 : hasConditions(schema) ? 3 : 1;
  const first = generateAlternative(schema, depth, generation);
  for (let i = 1, value = first; i < count; i++, value = generateAlternative(schema, depth, generation)) {
    if (isFitting(schema, value)) return value;
  }
  return first;
}

/** Whether a value of an object or a list depends on more than each of its parts. */
function hasConditions(schema: JsonObject): boolean {
  return ["anyOf", "oneOf", "allOf", "not", "minProperties", "x-kubernetes-validations"].some(
    (keyword) => schema[keyword] !== undefined,
  );
}

function generateAlternative(schema: JsonObject, depth: number, generation: Generation): Json {
  const { random } = generation;
  const alternative = random.chance(0.5)
    ? random.oneOf([...listAt(schema, "anyOf"), ...listAt(schema, "oneOf"), ...listAt(schema, "allOf")])
    : undefined;
  const merged = alternative === undefined ? schema : mergeSchemas(schema, alternative);
  return generateOfType(merged, depth, generation);
}

/** The schema merged with one of its alternatives. */
function mergeSchemas(schema: Json | undefined, alternative: Json): Json {
  const base = isObject(schema) ? schema : {};
  const extra = isObject(alternative) ? alternative : {};
  const required = [...textsAt(base, "required"), ...textsAt(extra, "required")];
  return { ...base, ...extra, properties: objectAt(base, "properties"), required };
}

function generateOfType(schema: Json | undefined, depth: number, generation: Generation): Json {
  const { random } = generation;
  const type = flagAt(schema, "x-kubernetes-int-or-string")
    ? random.pick(["integer", "string"])
    : textAt(schema, "type");
  if (type === "object") return generateMap(schema, depth, generation);
  if (type === "array") return generateList(schema, depth, generation);
  if (type === "boolean") return random.chance(0.5);
  if (["integer", "number"].includes(type ?? "") && random.chance(isLarge(schema) ? 0.5 : 0.05))
    return generateBoundaryNumber(random);
  if (type === "integer")
    return random.chance(0.9) ? Math.round(generateNumber(schema, random)) : generateNumber(schema, random);
  if (type === "number") return generateNumber(schema, random);
  if (type === "string") return generateText(schema ?? {}, random);
  return random.pick(ODD_VALUES);
}

/** Whether a limit is at a boundary of Go's numbers. */
function isLarge(schema: Json | undefined): boolean {
  return ["minimum", "maximum", "multipleOf"].some((limit) => Math.abs(numberAt(schema, limit) ?? 0) >= 2 ** 31 - 1);
}

function generateNumber(schema: Json | undefined, random: Random): number {
  const minimum = numberAt(schema, "minimum");
  const maximum = numberAt(schema, "maximum");
  const factor = numberAt(schema, "multipleOf");
  const bounds = [minimum, maximum, factor].filter((bound) => bound !== undefined);
  const near = random.oneOf([
    ...bounds.flatMap((bound) => [bound, bound + 1, bound - 1]),
    ...(factor ? [2 * factor, 0] : []),
  ]);
  if (near !== undefined && random.chance(0.7)) return near;
  return random.pick([
    0,
    1,
    -1,
    2,
    10,
    80,
    65_535,
    65_536,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 40,
    0.5,
    1.0000000001,
    1.0005,
    -1.0000000001,
  ]);
}

function generateList(schema: Json | undefined, depth: number, generation: Generation): Json {
  const { random } = generation;
  const least = numberAt(schema, "minItems") ?? 0;
  const most = numberAt(schema, "maxItems");
  const wanted = random.chance(generation.faultRate)
    ? random.chance(0.5)
      ? least - 1
      : (most ?? 2) + 1
    : Math.max(least, random.below(4));
  const count = generation.remaining < 0 ? Math.min(least, 3) : Math.max(0, Math.min(wanted, most ?? wanted, 60));
  const items = Array.from({ length: random.chance(generation.faultRate) ? Math.min(wanted, 60) : count }, () =>
    generateValue(at(schema, "items"), depth + 1, generation),
  );
  const [first] = items;
  // Duplicates matter once a list becomes a set.
  const isUnique = ["set", "map"].includes(textAt(schema, "x-kubernetes-list-type") ?? "");
  const repeats = first !== undefined && random.chance((isUnique ? 0.01 : 0.15) + generation.faultRate);
  return repeats && items.length < (most ?? 60) ? [...items, first] : items;
}

function generateMap(schema: Json | undefined, depth: number, generation: Generation): Json {
  const { random } = generation;
  const required = new Set(textsAt(schema, "required"));
  const entries = Object.entries(objectAt(schema, "properties")).flatMap(
    ([name, child]): (readonly [string, Json])[] => {
      const wanted = required.has(name)
        ? 1 - generation.faultRate
        : generation.remaining < 0
          ? 0
          : 0.8 / (1 + depth / 2);
      return random.chance(wanted) ? [[name, generateValue(child, depth + 1, generation)]] : [];
    },
  );
  return Object.fromEntries([...entries, ...generateUnknownFields(schema, depth, generation)]);
}

/** Fields of maps and embedded resources, and fields that the schema doesn't define. */
function generateUnknownFields(
  schema: Json | undefined,
  depth: number,
  generation: Generation,
): readonly (readonly [string, Json])[] {
  const { random } = generation;
  const additional = at(schema, "additionalProperties");
  const found: (readonly [string, Json])[] = [];
  if (random.chance(generation.faultRate)) found.push([random.pick(ODD_NAMES), random.pick(ODD_VALUES)]);
  if (flagAt(schema, "x-kubernetes-embedded-resource")) found.push(...generateEmbedded(generation));
  if (flagAt(schema, "x-kubernetes-preserve-unknown-fields")) found.push(["any", random.pick(ODD_VALUES)]);
  if (additional === undefined || generation.remaining < 0) return found;
  const names = ["a", "b.c", "d/e", "F"].slice(0, random.below(5));
  if (random.chance(generation.faultRate)) names.push(random.pick(ODD_NAMES));
  return [...found, ...names.map((name) => [name, generateValue(additional, depth + 1, generation)] as const)];
}

function generateEmbedded({ random, faultRate }: Generation): readonly (readonly [string, Json])[] {
  const all: readonly (readonly [string, Json])[] = [
    ["apiVersion", random.chance(faultRate) ? random.pick(["", "a/b/c", 1, null]) : "example.com/v1"],
    ["kind", random.chance(faultRate) ? random.pick(["", "1x", "A_b", 1]) : "Thing"],
    ["metadata", random.chance(0.3 + faultRate) ? random.pick(ODD_METADATA) : { name: "x" }],
  ];
  return all.filter(() => !random.chance(faultRate));
}
