import { type Json, type JsonObject, listAt, numberAt } from "../../src/model/json.ts";
import {
  generateBoundaryList,
  generateBoundaryNumber,
  generateBoundarySchema,
} from "../schema/random/boundary-numbers.ts";
import { isAcceptable } from "../schema/random/crd-generator.ts";
import { ODD_METADATA } from "../schema/random/odd-metadata.ts";
import type { Random } from "../schema/random/random.ts";
import { FORMAT_TEXTS } from "../schema/random/text-generator.ts";
import { readRound } from "./generate-round.ts";
import { type Round, getRoundGroup } from "./round.ts";

/** A field whose values are at the limits of its schema; `loose`: the schema under which all of them are stored. */
type Field = { readonly schema: JsonObject; readonly loose: JsonObject; readonly values: readonly Json[] };

/** How often an object has a field. One value that can't be read hides what is said of the others, and an error lets no write pass. */
const SHARE = 0.6;
const RARE_SHARE = 0.15;

/** A rule that differs by itself in Kubernetes 1.31, which would explain whatever else differs in its round. */
const OLD_FAULT = "place";

/**
 * A round of what chance hardly meets: the values of each format, limits of each keyword, odd embedded resources, and rules that can't be
 * evaluated, all stored before they were limited. Each object has the next value of most fields.
 */
export function generateBoundaryRound(random: Random, index: number, objects: number): Round {
  const group = getRoundGroup(index);
  const isRefused = ({ schema }: Field): boolean => !isAcceptable(buildCrd(group, { field: schema }));
  const isLeftOut = (name: string): boolean => name === OLD_FAULT && index % 20 !== 0;
  const fields = Object.entries(listFields(random)).filter(([name, field]) => !isLeftOut(name) && !isRefused(field));
  const offset = random.below(100);
  const used = new Map<string, number>();
  const take = (name: string, { values }: Field): Json => {
    const count = used.get(name) ?? offset;
    used.set(name, count + 1);
    return values[count % values.length] ?? null;
  };
  const build = (i: number): Json => {
    const present = fields.filter(([name]) => random.chance(name === "metadata" || name in RULES ? RARE_SHARE : SHARE));
    const spec = Object.fromEntries(present.map(([name, field]) => [name, take(name, field)]));
    const metadata = { name: `o${i}`, namespace: "default" };
    return { apiVersion: `${group}/v1`, kind: "Thing", metadata, spec };
  };
  const list = (of: "schema" | "loose"): JsonObject =>
    Object.fromEntries(fields.map(([name, field]) => [name, field[of]]));
  const crds = { before: buildCrd(group, list("loose")), after: buildCrd(group, list("schema")) };
  const all = Array.from({ length: objects }, (_, i) => build(i));
  return readRound(JSON.stringify({ name: `boundary ${index}`, group, ...crds, objects: all }));
}

function buildCrd(group: string, properties: JsonObject): JsonObject {
  const spec = { type: "object", properties };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
    spec: {
      group,
      names: { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}

function listFields(random: Random): Readonly<Record<string, Field>> {
  const numbers = [0, 1, 2, 3, 4, 5].map((i) => [`number${i}`, buildNumber(random)] as const);
  const lists = [0, 1].map((i) => [`list${i}`, buildList(random)] as const);
  const formats = Object.entries(FORMAT_TEXTS).map(([format, values]): readonly [string, Field] => [
    format,
    { schema: { type: "string", format }, loose: { type: "string" }, values },
  ]);
  return { ...Object.fromEntries([...formats, ...numbers, ...lists]), ...SIZES, ...RESOURCES, ...RULES };
}

/** Values at a limit, and on both sides of it. */
function buildNumber(random: Random): Field {
  const schema = generateBoundarySchema(random);
  const loose: JsonObject =
    schema["type"] === undefined ? { "x-kubernetes-int-or-string": true } : { type: schema["type"] };
  const limits = ["minimum", "maximum", "multipleOf"].flatMap((keyword) => numberAt(schema, keyword) ?? []);
  const near = limits.flatMap((limit) => [limit, limit + 1, limit - 1, limit * 2]);
  const others = Array.from({ length: 6 }, () => generateBoundaryNumber(random));
  const all = [...near, ...listAt(schema, "enum"), ...others];
  const isInteger = (value: Json): boolean => typeof value === "bigint" || Number.isSafeInteger(value);
  const values = schema["type"] === "number" ? all : all.filter(isInteger);
  return { schema, loose, values: [0, ...values] };
}

/** Items that the API server compares with each other. */
function buildList(random: Random): Field {
  const [schema, value] = generateBoundaryList(random);
  const { items = {} } = schema;
  const values = [value, ...Array.from({ length: 5 }, () => generateBoundaryList(random)[1])];
  return { schema, loose: { type: "array", items }, values: values.filter((one) => isLike(one, value)) };
}

function isLike(one: Json, other: Json): boolean {
  const shape = (value: Json): string => JSON.stringify(value).replaceAll(/-?\d[\d.e+-]*/g, "0");
  return shape(one) === shape(other);
}

const sized = (most: number, limits: JsonObject): Field => ({
  schema: { type: "string", ...limits },
  loose: { type: "string" },
  values: [most - 1, most, most + 1].flatMap((size) => ["a", "é", "😀", "e\u0301"].map((one) => one.repeat(size))),
});

const SIZES: Readonly<Record<string, Field>> = {
  longest: sized(3, { maxLength: 3 }),
  shortest: sized(2, { minLength: 2 }),
  items: {
    schema: { type: "array", maxItems: 2, minItems: 1, items: { type: "integer" } },
    loose: { type: "array", items: { type: "integer" } },
    values: [[], [1], [1, 2], [1, 2, 3]],
  },
  entries: {
    schema: { type: "object", maxProperties: 2, minProperties: 1, additionalProperties: { type: "integer" } },
    loose: { type: "object", additionalProperties: { type: "integer" } },
    values: [{}, { a: 1 }, { a: 1, b: 2 }, { a: 1, b: 2, c: 3 }],
  },
};

const OPEN: JsonObject = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const WHOLE: JsonObject = { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "x" } };

function resource(field: string, values: readonly Json[]): Field {
  const { [field]: _, ...without } = WHOLE;
  return {
    schema: { ...OPEN, "x-kubernetes-embedded-resource": true },
    loose: OPEN,
    values: [WHOLE, without, ...values.map((value) => ({ ...WHOLE, [field]: value }))],
  };
}

const RESOURCES: Readonly<Record<string, Field>> = {
  apiVersion: resource("apiVersion", ["", "v1", "/", "/v1", "a/", "a/b/c", "A b/v1", 1, null]),
  kind: resource("kind", ["", "1x", "A_b", "a", "x-", "X".repeat(63), "X".repeat(64), 1, null, {}]),
  metadata: resource("metadata", ODD_METADATA),
};

const ruled = (type: JsonObject, rules: readonly string[], values: readonly Json[]): Field => ({
  schema: { ...type, "x-kubernetes-validations": rules.map((rule) => ({ rule, message: `breaks ${rule}` })) },
  loose: type,
  values,
});

const TEXT: JsonObject = { type: "string", maxLength: 20 };
const NUMBERS: JsonObject = { type: "array", maxItems: 5, items: { type: "integer" } };
const MAP: JsonObject = { type: "object", maxProperties: 5, additionalProperties: { type: "integer" } };
const LISTS: readonly Json[] = [[], [0], [1, 2], [3, 2, 1], [1, 2, 3, 4]];

/** Rules that are false for some values and can't be evaluated for others: an error is never tolerated, however old the value is. */
const RULES: Readonly<Record<string, Field>> = {
  part: ruled(TEXT, ["self.substring(2) != 'c'"], ["", "a", "ab", "abc", "abcd", "é😀"]),
  range: ruled(TEXT, ["self.substring(1, 3) != 'bc'"], ["", "ab", "abc", "abcd"]),
  character: ruled(TEXT, ["self.charAt(2) == ''"], ["", "a", "ab", "abc", "ab😀"]),
  place: ruled(TEXT, ["self.indexOf('a', 2) < 0", "self.lastIndexOf('a', 1) < 0"], ["", "aa", "ba", "bba", "bbaa"]),
  parsed: ruled(TEXT, ["int(self) < 10", "duration(self) < duration('1h')"], ["1", "10", "a", "1h", ""]),
  replaced: ruled(TEXT, ["oldSelf == self", "int(self) < 10"], ["1", "10", "a"]),
  optional: { ...ruled(TEXT, [], ["1", "10", "a"]), schema: buildOptional() },
  divided: ruled({ type: "integer" }, ["10 / self > 2", "10 % self != 1"], [0, 1, 3, 4, -1]),
  added: ruled({ type: "integer" }, ["self + 9223372036854775806 > 0"], [0, 1, 2, -1]),
  indexed: ruled(NUMBERS, ["self[1] > 1", "self.slice(1, 3).size() == 2"], LISTS),
  sum: ruled(NUMBERS, ["self.min() > 0", "self.sum() < 6", "self[size(self)] == 0 || size(self) > 1"], LISTS),
  keyed: ruled(
    MAP,
    ["self['a'] > 1", "self.all(k, self[k] / self['b'] < 2)"],
    [{}, { a: 1 }, { a: 2, b: 0 }, { b: 1 }],
  ),
};

function buildOptional(): JsonObject {
  const rule = "oldSelf.hasValue() ? int(oldSelf.value()) == int(self) : int(self) < 10";
  return { ...TEXT, "x-kubernetes-validations": [{ rule, optionalOldSelf: true, message: "differs" }] };
}
