import { type Json, type JsonObject, at, isObject, objectAt, textAt } from "../../../src/model/json.ts";
import { judgeDefinition } from "../../../src/schema/crd/index.ts";
import { type Mutable, mutable } from "../definition/schemas.ts";
import { ORACLE_MINOR } from "../../differential/oracle.ts";
import type { Random } from "./random.ts";
import { addRule } from "./rule-places.ts";
import { maybe } from "./scalar-schemas.ts";
import { generateObjectSchema, generateSchema } from "./schema-generator.ts";
import { generateJunctors } from "./junctor-schemas.ts";

const TRIES = 5;

/** A CRD of kind Thing with everything that a structural schema may have. Nearly all are accepted by an API server. */
export function generateCrd(random: Random, group: string, versions = random.pick([1, 1, 1, 2, 2, 3])): Mutable {
  for (let i = 1; ; i++) {
    const definition = generateDefinition(random, group, versions);
    if (i < TRIES && !random.chance(0.02) && !isAcceptable(definition)) continue;
    for (let left = random.below(9); left > 0; left--) addRule(definition, random);
    return definition;
  }
}

/** Our own verdict is good enough where a wrong one only costs variety. */
export function isAcceptable(definition: JsonObject, installed?: JsonObject): boolean {
  return judgeDefinition(definition, installed, ORACLE_MINOR).refusals.length === 0;
}

function generateDefinition(random: Random, group: string, versions: number): Mutable {
  const names = { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" };
  const scope = random.chance(0.8) ? "Namespaced" : "Cluster";
  const definition: Mutable = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
    spec: {
      group,
      names,
      scope,
      versions: generateVersions(random, versions),
      ...maybe(random, 0.3, () => ({ conversion: { strategy: "None" } })),
    },
  };
  return definition;
}

/** Up to three versions, of which the first is mostly the stored one. */
function generateVersions(random: Random, count: number): readonly Json[] {
  const names = ["v1", "v1beta1", "v1alpha1"].slice(0, count);
  const stored = random.chance(0.8) ? 0 : random.below(names.length);
  const first = generateVersion(random);
  return names.map((name, i) => {
    const own = i === 0 || random.chance(0.5) ? first : generateVersion(random);
    return { name, served: i === stored || random.chance(0.8), storage: i === stored, ...structuredClone(own) };
  });
}

/** The schema of a version and what goes with it. */
export function generateVersion(random: Random): JsonObject {
  const schema = generateRoot(random);
  const status = maybe(random, 0.4, () => ({ status: {} }));
  const scale = maybe(random, 0.1, () => ({
    scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
  }));
  const fields = listSelectable(schema, "", 0).filter(() => random.chance(0.5));
  return {
    schema: { openAPIV3Schema: schema },
    ...maybe(random, 0.5, () => ({ subresources: { ...status, ...scale } })),
    ...maybe(random, fields.length > 0 ? 0.2 : 0, () => ({
      selectableFields: fields.slice(0, 8).map((jsonPath) => ({ jsonPath })),
    })),
    ...maybe(random, 0.2, () => ({
      additionalPrinterColumns: [
        { name: "A", type: random.pick(["string", "integer", "date"]), jsonPath: ".spec.a", priority: 1 },
      ],
    })),
  };
}

/** Paths of plain values that can be selected by. */
function listSelectable(schema: Json, path: string, depth: number): readonly string[] {
  if (["string", "integer", "boolean"].includes(textAt(schema, "type") ?? "")) return path === "" ? [] : [path];
  if (depth > 3 || at(schema, "additionalProperties") !== undefined) return [];
  return Object.entries(objectAt(schema, "properties")).flatMap(([name, property]) =>
    /^[a-z]+$/.test(name) && name !== "metadata" && !(depth === 0 && /^(?:kind|apiVersion)$/i.test(name))
      ? listSelectable(property, `${path}.${name}`, depth + 1)
      : [],
  );
}

function generateRoot(random: Random): JsonObject {
  const spec = random.chance(0.9) ? generateObjectSchema(0, random) : generateSchema(1, random);
  const properties = {
    ...maybe(random, 0.5, () => ({ apiVersion: { type: "string" }, kind: { type: "string" } })),
    ...maybe(random, 0.3, () => ({ metadata: generateMetadataSchema(random) })),
    spec,
    ...maybe(random, 0.4, () => ({ status: generateObjectSchema(2, random) })),
    ...maybe(random, 0.15, () => ({ data: generateSchema(2, random) })),
  };
  const root = { type: "object", properties };
  return {
    ...root,
    ...maybe(random, 0.25, () => ({ required: ["spec"] })),
    ...maybe(random, 0.05, () => ({ "x-kubernetes-preserve-unknown-fields": true })),
    ...maybe(random, 0.06, () => generateJunctors({ ...root, properties: { spec } }, random)),
    ...maybe(random, 0.05, () => ({ description: "A thing." })),
  };
}

/** Only names may be restricted here. Those of rounds are o0, o1, ... */
function generateMetadataSchema(random: Random): JsonObject {
  const name = random.pick<JsonObject>([
    { type: "string", maxLength: random.pick([1, 2, 8, 63]) },
    { type: "string", pattern: random.pick(["^o[0-9]+$", "^o[0-4]", "^[a-z]"]) },
    { type: "string", minLength: 2 },
  ]);
  const generateName = maybe(random, 0.2, () => ({ generateName: { type: "string", maxLength: 20 } }));
  const properties = maybe(random, 0.7, () => ({ properties: { name, ...generateName } }));
  return { type: "object", ...properties };
}

/** The versions of a definition, to be changed. */
export function getVersions(definition: Mutable): readonly Mutable[] {
  const versions = at(definition, "spec", "versions");
  return Array.isArray(versions) ? versions.filter(isObject).map(mutable) : [];
}
