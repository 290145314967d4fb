import type { Json, JsonObject } from "../../../src/model/json.ts";
import { generateBoundarySchema } from "./boundary-numbers.ts";
import type { Random } from "./random.ts";
import { PATTERN_TEXTS } from "./text-generator.ts";

const FORMATS = [
  ..."byte date date-time duration ipv4 ipv6 ip cidr uri uuid uuid3 uuid4 uuid5 hostname email mac".split(" "),
  ..."password isbn isbn10 isbn13 creditcard ssn hexcolor rgbcolor bsonobjectid datetime int32 odd".split(" "),
  ..."cidr date-time duration byte date k8s-short-name k8s-long-name".split(" "),
];
const WORDS = ["a", "b", "Managed", "True", "", "10Gi", "1h", "a.b/c", "é"] as const;

/** Keyword values that a schema has at times. */
export function maybe(random: Random, probability: number, build: () => JsonObject): JsonObject {
  return random.chance(probability) ? build() : {};
}

export function generateScalar(random: Random): JsonObject {
  return random.pick([
    generateText,
    generateText,
    generateText,
    generateNumber,
    generateNumber,
    generateMixed,
    generateAny,
  ])(random);
}

/** Most have a bound, so that a rule may read all of it. */
export function generateText(random: Random): JsonObject {
  const form = random.below(10);
  if (form < 2) return { type: "string", enum: generateWords(random) };
  const limits = {
    ...maybe(random, 0.6, () => ({ maxLength: random.pick([2, 3, 8, 32, 63, 253]) })),
    ...maybe(random, 0.15, () => ({ minLength: random.pick([0, 1, 2]) })),
  };
  if (form < 5) return { type: "string", format: random.oneOf(FORMATS) ?? "odd", ...maybe(random, 0.2, () => limits) };
  const pattern = maybe(random, 0.3, () => ({ pattern: generatePattern(random) }));
  return { type: "string", ...limits, ...pattern };
}

export function generatePattern(random: Random): string {
  return random.oneOf(Object.keys(PATTERN_TEXTS)) ?? "";
}

function generateWords(random: Random): readonly Json[] {
  const words = WORDS.filter(() => random.chance(0.4));
  return words.length > 0 ? words : ["a"];
}

export function generateNumber(random: Random): JsonObject {
  if (random.chance(0.12)) return generateBoundarySchema(random);
  const type = random.pick(["integer", "integer", "number", "boolean"]);
  if (type === "boolean") return { type, ...maybe(random, 0.1, () => ({ enum: [true] })) };
  const format = maybe(random, 0.3, () => ({
    format: random.pick(["int32", "int64", "float", "double", "date", "odd"]),
  }));
  return { type, ...format, ...generateRange(type, random) };
}

/** Bounds of a number, few of which exclude everything. */
function generateRange(type: string, random: Random): JsonObject {
  if (random.chance(0.1)) return { enum: type === "number" ? [1, 1.5, -2] : [1, 2, 3].slice(random.below(3)) };
  const minimum = random.pick([0, 1, -5, 10, ...(type === "number" ? [0.5, -1.5] : [])]);
  return {
    ...maybe(random, 0.35, () => ({
      minimum,
      ...maybe(random, 0.2, () => ({ exclusiveMinimum: random.chance(0.8) })),
    })),
    ...maybe(random, 0.35, () => ({
      maximum: minimum + random.pick([1, 5, 100, 65_535]),
      ...maybe(random, 0.2, () => ({ exclusiveMaximum: random.chance(0.8) })),
    })),
    ...maybe(random, 0.12, () => ({ multipleOf: random.pick([2, 5, ...(type === "number" ? [0.5, 0.1, 2.5] : [])]) })),
  };
}

const EITHER: Json = [{ type: "integer" }, { type: "string" }];

/** An integer or a string, in each of the forms that a structural schema may have. */
export function generateMixed(random: Random): JsonObject {
  const values = generateMixedValues(random);
  const form = random.below(4);
  const mark = { "x-kubernetes-int-or-string": true };
  if (form === 0) return { ...mark, ...values };
  if (form === 1) return { ...mark, allOf: [{ anyOf: EITHER }, values] };
  return { ...mark, anyOf: EITHER, ...values };
}

export function generateMixedValues(random: Random): JsonObject {
  return {
    ...maybe(random, 0.3, () => ({ pattern: random.pick(["^[0-9]+%?$", "^a"]) })),
    ...maybe(random, 0.2, () => ({ maximum: random.pick([10, 100]) })),
    ...maybe(random, 0.3, () => ({ maxLength: random.pick([2, 8]) })),
    ...maybe(random, 0.1, () => ({ enum: [1, "A", "7"] })),
    ...maybe(random, 0.1, () => ({ format: random.pick(["int32", "date", "odd", "duration"]) })),
  };
}

/** Anything at all, or any object. */
export function generateAny(random: Random): JsonObject {
  const type: JsonObject = random.chance(0.6) ? { type: "object" } : {};
  const properties = maybe(random, 0.5, () => ({ properties: { a: generateText(random), b: generateNumber(random) } }));
  return { "x-kubernetes-preserve-unknown-fields": true, ...type, ...properties };
}
