import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { Random } from "./random.ts";
import { generateMixed, generateNumber, generateText, maybe } from "./scalar-schemas.ts";

/** How the schema of a place is built; `build` makes one of a place below. */
export type SchemaScope = {
  readonly random: Random;
  readonly depth: number;
  readonly build: (depth: number) => JsonObject;
};

export function generateCompound(scope: SchemaScope): JsonObject {
  return scope.random.pick([
    generateObject,
    generateObject,
    generateObject,
    generateMap,
    generateMap,
    generateList,
    generateList,
    generateSet,
    generateByKey,
    generateByKey,
    generateEmbedded,
  ])(scope);
}

/** Rules have to escape some of them. */
const NAMES = ["a", "b", "c.d", "e", "namespace", "x-y", "f__g", "size", "in", "h/i", "__proto__", "constructor", "é"];

/** The first names are frequent, so that places have them in common. */
export function generateName(random: Random): string {
  return (random.chance(0.7) ? random.oneOf(NAMES.slice(0, 5)) : random.oneOf(NAMES)) ?? "a";
}

function generateProperties({ random, depth, build }: SchemaScope): JsonObject {
  const names = new Set(Array.from({ length: 1 + random.below(4) }, () => generateName(random)));
  return Object.fromEntries([...names].map((name) => [name, build(depth + 1)]));
}

export function generateObject(scope: SchemaScope): JsonObject {
  const { random } = scope;
  const properties = generateProperties(scope);
  const required = Object.keys(properties).filter(() => random.chance(0.2));
  return {
    type: "object",
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...maybe(random, 0.08, () => ({ "x-kubernetes-preserve-unknown-fields": true })),
    ...maybe(random, 0.1, () => ({ "x-kubernetes-map-type": random.pick(["atomic", "granular"]) })),
    ...maybe(random, 0.1, () => generateSizes("Properties", random)),
  };
}

/** At least and at most so many items or properties. */
function generateSizes(of: "Items" | "Properties", random: Random): JsonObject {
  return {
    ...maybe(random, 0.8, () => ({ [`max${of}`]: random.pick([2, 3, 5, 8]) })),
    ...maybe(random, 0.15, () => ({ [`min${of}`]: random.pick([0, 1, 2]) })),
  };
}

export function generateMap({ random, depth, build }: SchemaScope): JsonObject {
  return {
    type: "object",
    additionalProperties: random.chance(0.1) ? true : build(depth + 1),
    ...generateSizes("Properties", random),
    ...maybe(random, 0.1, () => ({ "x-kubernetes-map-type": random.pick(["atomic", "granular"]) })),
    ...maybe(random, 0.05, () => ({ "x-kubernetes-preserve-unknown-fields": true })),
  };
}

export function generateList({ random, depth, build }: SchemaScope): JsonObject {
  return {
    type: "array",
    items: build(depth + 1),
    ...generateSizes("Items", random),
    ...maybe(random, 0.3, () => ({ "x-kubernetes-list-type": "atomic" })),
    ...maybe(random, 0.05, () => ({ uniqueItems: false })),
    ...maybe(random, 0.03, () => ({ "x-kubernetes-preserve-unknown-fields": true })),
  };
}

/** Its items can be scalars, and atomic lists and objects. */
export function generateSet(scope: SchemaScope): JsonObject {
  const { random, depth } = scope;
  const below = { ...scope, depth: depth + 1 };
  const items: Json = random.pick([
    () => generateText(random),
    () => generateText(random),
    () => generateNumber(random),
    () => generateMixed(random),
    () => ({ ...generateList(below), "x-kubernetes-list-type": "atomic" }),
    () => ({ ...generateObject(below), "x-kubernetes-map-type": "atomic" }),
  ])();
  return { type: "array", items, ...generateSizes("Items", random), "x-kubernetes-list-type": "set" };
}

/** A list of objects with one key or two, which have defaults or are required. */
export function generateByKey(scope: SchemaScope): JsonObject {
  const { random, depth } = scope;
  const keys = random.pick([["k"], ["k"], ["name"], ["k", "l"]]);
  const defaulted = random.chance(0.4) ? random.oneOf(keys) : undefined;
  const properties = {
    ...generateProperties({ ...scope, depth: depth + 1 }),
    ...Object.fromEntries(keys.map((key) => [key, generateKey(key === defaulted, random)])),
  };
  const required = keys.filter((key) => key !== defaulted);
  const items = { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
  return {
    type: "array",
    items,
    ...generateSizes("Items", random),
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": keys,
  };
}

function generateKey(isDefaulted: boolean, random: Random): JsonObject {
  if (isDefaulted)
    return random.pick([
      { type: "string", default: "x" },
      { type: "integer", default: 1 },
    ]);
  return random.pick<() => JsonObject>([
    () => ({ type: "string", maxLength: 8 }),
    () => ({ type: "integer" }),
    () => ({ type: "string" }),
    () => ({ type: "boolean" }),
  ])();
}

export function generateEmbedded(scope: SchemaScope): JsonObject {
  const { random, depth } = scope;
  const properties: JsonObject = random.chance(0.5)
    ? { properties: { spec: generateObject({ ...scope, depth: depth + 1 }), ...generateOwnFields(random) } }
    : {};
  const isOpen = properties["properties"] === undefined || random.chance(0.3);
  return {
    type: "object",
    "x-kubernetes-embedded-resource": true,
    ...properties,
    ...(isOpen ? { "x-kubernetes-preserve-unknown-fields": true } : {}),
  };
}

function generateOwnFields(random: Random): JsonObject {
  const name = { type: "object", properties: { name: { type: "string", minLength: 2 } } };
  return random.chance(0.5) ? { apiVersion: { type: "string" }, kind: { type: "string" }, metadata: name } : {};
}
