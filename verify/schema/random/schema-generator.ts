import type { JsonObject } from "../../../src/model/json.ts";
import { generateCompound, generateObject } from "./compound-schemas.ts";
import { generateJunctors } from "./junctor-schemas.ts";
import { generateFitting } from "./object-generator.ts";
import type { Random } from "./random.ts";
import { generateScalar, maybe } from "./scalar-schemas.ts";

const MAX_DEPTH = 4;

/** A schema with anything that a structural schema may have, but rules. */
export function generateSchema(depth: number, random: Random): JsonObject {
  const isScalar = depth >= MAX_DEPTH || random.chance(0.4);
  const build = (below: number): JsonObject => generateSchema(below, random);
  return complete(isScalar ? generateScalar(random) : generateCompound({ random, depth, build }), random);
}

/** The schema of an object with properties. */
export function generateObjectSchema(depth: number, random: Random): JsonObject {
  const build = (below: number): JsonObject => generateSchema(below, random);
  return complete(generateObject({ random, depth, build }), random);
}

/** Adds what a schema of any type may have. */
function complete(schema: JsonObject, random: Random): JsonObject {
  const nullable = maybe(random, 0.1, () => ({ nullable: random.chance(0.9) }));
  const junctors = maybe(random, schema["anyOf"] || schema["allOf"] ? 0.03 : 0.1, () =>
    generateJunctors(schema, random),
  );
  const texts = maybe(random, 0.06, () => generateTexts(random));
  const whole = { ...schema, ...junctors, ...nullable, ...texts };
  const listed = maybe(random, 0.02, () => generateEnum(whole, random));
  return { ...whole, ...listed, ...maybe(random, 0.2, () => generateDefault({ ...whole, ...listed }, random)) };
}

function generateTexts(random: Random): JsonObject {
  return random.pick<JsonObject>([
    { title: "A title" },
    { description: "Says what it is." },
    { example: { a: 1 } },
    { externalDocs: { url: "https://example.com", description: "More" } },
  ]);
}

/** Some valid values of a schema of any type as the only ones. */
function generateEnum(schema: JsonObject, random: Random): JsonObject {
  const values = [0, 1, 2].map(() => generateFitting(schema, random));
  const found = values.filter((value) => value !== undefined);
  return found.length > 0 ? { enum: found } : {};
}

export function generateDefault(schema: JsonObject, random: Random): JsonObject {
  if (schema["nullable"] === true && random.chance(0.2)) return { default: null };
  const value = random.chance(0.1) && schema["type"] === "object" ? {} : generateFitting(schema, random);
  return value === undefined ? {} : { default: value };
}
