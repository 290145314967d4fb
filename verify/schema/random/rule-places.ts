import { type Json, type JsonObject, at, listAt } from "../../../src/model/json.ts";
import { judgeDefinition } from "../../../src/schema/crd/index.ts";
import { generateSchemaRule } from "../cel/rule-generator.ts";
import { type Mutable, schemasIn, set } from "../definition/schemas.ts";
import { generate, generateFitting } from "./object-generator.ts";
import { ORACLE_MINOR } from "../../differential/oracle.ts";
import type { Random } from "./random.ts";

const SAMPLES = 5;

/** Adds a rule to one of the schemas of a CRD, mostly one that an API server accepts there. */
export function addRule(definition: Mutable, random: Random): void {
  const places = schemasIn(definition).map(({ schema }) => schema);
  const place = random.oneOf(places);
  if (place === undefined) return;
  const roots = listAt(definition, "spec", "versions").map((version) => at(version, "schema", "openAPIV3Schema"));
  const rule = roots.includes(place) ? buildRootRule(place, random) : buildRule(place, random);
  if (rule === undefined) return;
  const before = place["x-kubernetes-validations"];
  set(place, "x-kubernetes-validations", [...listAt(place, "x-kubernetes-validations"), rule]);
  const isRefused = judgeDefinition(definition, undefined, ORACLE_MINOR).refusals.length > 0;
  if (isRefused && !random.chance(0.01)) set(place, "x-kubernetes-validations", before);
}

function buildRule(schema: JsonObject, random: Random): JsonObject | undefined {
  const samples = Array.from({ length: SAMPLES }, () => generateFitting(schema, random));
  const found: readonly Json[] = samples.filter((sample) => sample !== undefined);
  return generateSchemaRule(schema, schema["x-kubernetes-embedded-resource"] === true, found, random);
}

/** A resource is tried as one that is embedded. */
function buildRootRule(root: JsonObject, random: Random): JsonObject | undefined {
  const samples = Array.from({ length: SAMPLES }, () => generate(root, "example.com/v1", "Thing", random, 0));
  return generateSchemaRule({ ...root, "x-kubernetes-embedded-resource": true }, true, samples, random);
}
