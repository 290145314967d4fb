import { wrapSpec } from "../cases.ts";
import { type Json, type JsonObject, isObject, listAt, objectAt } from "../../../../src/model/json.ts";
import type { Random } from "./random.ts";

const MAX_DEPTH = 4;
const FORMATS = ["", "", "", "", "byte", "date", "date-time", "ip", "ipv4", "duration", "int32", "odd"] as const;

/** A CRD with a random schema for its spec. Most are valid; they have what validation and server-side apply read differently. */
export function generateCrd(random: Random): JsonObject {
  return wrapSpec(generateObject(0, random));
}

/** The CRD with other schemas in some places, and some places closed. */
export function changeCrd(crd: JsonObject, random: Random): JsonObject {
  const spec = objectAt(listAt(crd, "spec", "versions")[0], "schema", "openAPIV3Schema", "properties", "spec");
  return wrapSpec({ ...changeSchema(spec, 0, random), type: "object" });
}

function changeSchema(schema: JsonObject, depth: number, random: Random): JsonObject {
  if (depth > 0 && random.chance(0.15)) return generateSchema(depth, random);
  const inner = Object.entries(schema).map(([key, value]) => [key, changeKeyword(key, value, depth, random)] as const);
  return changeKind(Object.fromEntries(inner), random);
}

function changeKeyword(key: string, value: Json, depth: number, random: Random): Json {
  if (!isObject(value)) return value;
  if (key === "items" || key === "additionalProperties") return changeSchema(value, depth + 1, random);
  if (key !== "properties") return value;
  const changed = Object.entries(value).map(
    ([name, property]) => [name, isObject(property) ? changeSchema(property, depth + 1, random) : property] as const,
  );
  return Object.fromEntries(changed);
}

/** The same values, otherwise read. */
function changeKind(schema: JsonObject, random: Random): JsonObject {
  if (!random.chance(0.3)) return schema;
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true && schema["type"] === "object";
  if (isOpen) return { ...schema, "x-kubernetes-embedded-resource": true };
  if (schema["type"] === "array") return { ...schema, "x-kubernetes-list-type": random.pick(["set", "atomic"]) };
  if (schema["x-kubernetes-int-or-string"] === true) return { ...schema, type: random.pick(["string", "integer"]) };
  const isText = schema["type"] === "string" || schema["type"] === "integer";
  return isText ? { ...schema, type: "string", format: random.pick(FORMATS) } : schema;
}

function generateSchema(depth: number, random: Random): JsonObject {
  const nullable = random.chance(0.1) ? { nullable: true } : {};
  const isDeep = depth >= MAX_DEPTH || random.chance(0.35);
  return { ...(isDeep ? generateScalar(random) : generateCompound(depth, random)), ...nullable };
}

function generateScalar(random: Random): JsonObject {
  return random.pick([generateText, generateText, generateNumber, generateMixed, generateAny])(random);
}

function generateText(random: Random): JsonObject {
  const format = random.pick(FORMATS);
  const limit = random.chance(0.2) ? { maxLength: random.below(3) } : {};
  const fallback = format === "" && random.chance(0.1) ? { default: "", maxLength: 2 } : {};
  return { type: "string", ...(format === "" ? {} : { format }), ...limit, ...fallback };
}

function generateNumber(random: Random): JsonObject {
  const type = random.pick(["integer", "number", "boolean"]);
  const format = random.chance(0.2) ? { format: random.pick(["int32", "int64", "float", "date"]) } : {};
  return { type, ...format, ...(random.chance(0.2) && type !== "boolean" ? { minimum: 1 } : {}) };
}

function generateMixed(random: Random): JsonObject {
  const type = random.chance(0.5) ? { type: random.pick(["string", "integer", "number", "boolean", "object"]) } : {};
  const format = random.chance(0.2) ? { format: random.pick(FORMATS) } : {};
  return { "x-kubernetes-int-or-string": true, ...type, ...format };
}

function generateAny(random: Random): JsonObject {
  const type = random.chance(0.7) ? { type: "object" } : {};
  const properties = random.chance(0.4) ? { properties: { a: generateText(random) } } : {};
  return { "x-kubernetes-preserve-unknown-fields": true, ...type, ...properties };
}

function generateCompound(depth: number, random: Random): JsonObject {
  return random.pick([
    generateObject,
    generateMap,
    generateList,
    generateList,
    generateSet,
    generateByKey,
    generateEmbedded,
  ])(depth, random);
}

function generateProperties(depth: number, random: Random): JsonObject {
  const names = ["a", "b", "c.d", "e"].slice(0, 1 + random.below(4));
  return Object.fromEntries(names.map((name) => [name, generateSchema(depth + 1, random)]));
}

function generateObject(depth: number, random: Random): JsonObject {
  const properties = generateProperties(depth, random);
  const required = Object.keys(properties).filter(() => random.chance(0.2));
  return {
    type: "object",
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(random.chance(0.1) ? { "x-kubernetes-preserve-unknown-fields": true } : {}),
    ...(random.chance(0.1) ? { "x-kubernetes-map-type": random.pick(["atomic", "granular"]) } : {}),
  };
}

function generateMap(depth: number, random: Random): JsonObject {
  return { type: "object", additionalProperties: random.chance(0.1) ? true : generateSchema(depth + 1, random) };
}

function generateList(depth: number, random: Random): JsonObject {
  const type = random.chance(0.3) ? { "x-kubernetes-list-type": "atomic" } : {};
  return { type: "array", items: generateSchema(depth + 1, random), ...type };
}

/** Its items can be scalars, and atomic lists and objects. */
function generateSet(depth: number, random: Random): JsonObject {
  const items: Json = random.pick([
    () => generateText(random),
    () => generateNumber(random),
    () => generateMixed(random),
    () => ({ ...generateList(depth + 1, random), "x-kubernetes-list-type": "atomic" }),
    () => ({ ...generateObject(depth + 1, random), "x-kubernetes-map-type": "atomic" }),
  ])();
  return { type: "array", items, "x-kubernetes-list-type": "set" };
}

function generateByKey(depth: number, random: Random): JsonObject {
  const keys = random.pick([["k"], ["k", "l"]]);
  const fallback = random.chance(0.3) ? "l" : "";
  const ofKey = (): JsonObject => ({ type: random.pick(["string", "integer", "boolean"]) });
  const properties = {
    ...generateProperties(depth + 1, random),
    ...Object.fromEntries(keys.map((key) => [key, key === fallback ? { type: "string", default: "x" } : ofKey()])),
  };
  const items = { type: "object", properties, required: keys.filter((key) => key !== fallback) };
  return { type: "array", items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys };
}

function generateEmbedded(depth: number, random: Random): JsonObject {
  const properties = random.chance(0.5)
    ? { properties: { spec: generateObject(depth + 1, random), ...generateOwnFields(random) } }
    : {};
  const isOpen = properties.properties === undefined || random.chance(0.3);
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
