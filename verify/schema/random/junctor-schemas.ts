import { type Json, type JsonObject, isObject, listAt, objectAt, textAt } from "../../../src/model/json.ts";
import type { Random } from "./random.ts";
import { generateMixedValues, generatePattern, maybe } from "./scalar-schemas.ts";

/** Alternatives and conditions for the values of a schema. */
export function generateJunctors(schema: JsonObject, random: Random): JsonObject {
  const values = (): JsonObject => generateValueValidation(schema, 0, random);
  const union = random.chance(0.4) ? generateUnion(schema, random) : undefined;
  if (union) return union;
  const isMixed = schema["x-kubernetes-int-or-string"] === true;
  return random.pick<() => JsonObject>([
    (): JsonObject =>
      isMixed ? { oneOf: [values(), values()] } : { anyOf: [values(), values(), values()].slice(random.below(2)) },
    () => ({ oneOf: [values(), values()] }),
    (): JsonObject => (isMixed ? { not: values() } : { allOf: [values(), { not: values() }] }),
    () => ({ not: values() }),
  ])();
}

/** An object has exactly one of its properties, or the one that its type names. */
function generateUnion(schema: JsonObject, random: Random): JsonObject | undefined {
  const properties = Object.entries(objectAt(schema, "properties"));
  const members = properties.map(([name]) => name);
  if (members.length < 2) return undefined;
  const selector = properties.find(([, property]) => listAt(property, "enum").length > 1 && textAt(property, "type"));
  if (selector === undefined || random.chance(0.3)) return { oneOf: members.map((name) => ({ required: [name] })) };
  const [name, property] = selector;
  const others = members.filter((member) => member !== name);
  const branches = listAt(property, "enum").map((value, i): JsonObject => {
    const needed = others[i % others.length] ?? name;
    return { properties: { [name]: { enum: [value] } }, required: [name, needed] };
  });
  return { [random.pick(["oneOf", "anyOf"])]: branches };
}

/** What a junctor may say of a value of the schema: of itself, or of what is in it. */
export function generateValueValidation(schema: Json | undefined, depth: number, random: Random): JsonObject {
  const nested = maybe(random, depth < 2 ? 0.12 : 0, () => ({
    [random.pick(["anyOf", "allOf", "oneOf"])]: [0, 1].map(() => generateValueValidation(schema, depth + 1, random)),
  }));
  return { ...generateOwn(schema, depth, random), ...nested };
}

function generateOwn(schema: Json | undefined, depth: number, random: Random): JsonObject {
  if (!isObject(schema)) return {};
  if (schema["x-kubernetes-int-or-string"] === true) return generateMixedValues(random);
  const type = textAt(schema, "type");
  if (type === "string") {
    return random.pick<() => JsonObject>([
      () => ({ minLength: random.below(4) }),
      () => ({ maxLength: random.pick([0, 1, 3, 10]) }),
      () => ({ pattern: generatePattern(random) }),
      () => ({ enum: [random.pick(["a", "b", "True", ""])] }),
      () => ({ format: random.pick(["date", "ipv4", "byte", "odd"]) }),
    ])();
  }
  if (type === "integer" || type === "number") {
    return random.pick<JsonObject>([
      { minimum: random.below(5) },
      { maximum: random.below(50) },
      { multipleOf: 2 },
      { enum: [0, 1] },
      { minimum: 1, exclusiveMinimum: true },
    ]);
  }
  if (type === "boolean") return { enum: [random.chance(0.5)] };
  if (type === "array") return generateOfList(schema, depth, random);
  return type === "object" ? generateOfObject(schema, depth, random) : {};
}

function generateOfList(schema: JsonObject, depth: number, random: Random): JsonObject {
  return random.pick<() => JsonObject>([
    () => ({ minItems: random.below(3) }),
    () => ({ maxItems: random.below(4) }),
    () => ({ items: generateValueValidation(schema["items"], depth + 1, random) }),
    () => ({ items: generateValueValidation(schema["items"], depth + 1, random), minItems: 1 }),
  ])();
}

function generateOfObject(schema: JsonObject, depth: number, random: Random): JsonObject {
  const properties = Object.entries(objectAt(schema, "properties")).filter(([name]) => name !== "metadata");
  const [name, property] = random.oneOf(properties) ?? [];
  if (name === undefined)
    return random.pick<JsonObject>([{ minProperties: random.below(3) }, { maxProperties: random.below(4) }]);
  const inner = (): JsonObject => ({ [name]: generateValueValidation(property, depth + 1, random) });
  return random.pick<() => JsonObject>([
    () => ({ required: [name] }),
    () => ({ required: [name], properties: inner() }),
    () => ({ properties: inner() }),
    () => ({ minProperties: random.below(3) }),
    () => ({ maxProperties: 1 + random.below(4) }),
  ])();
}
