import { isObject, type Json, type JsonObject, at, listAt, parseObject, textAt } from "../../../src/model/json.ts";
import { compileSchema, validateObject, validateUpdate } from "../../../src/schema/crd/index.ts";
import { readCases } from "../seeds.ts";
import { joinTexts, splitTexts, type FuzzTarget } from "../target.ts";

const MAX_SEED_LENGTH = 6000;

/** A schema of a CRD is compiled or refused, and judges any object, new or stored. */
export const target: FuzzTarget = {
  seeds: readCases("crd-skew/cases/risk-*.yaml")
    .flatMap(buildSeeds)
    .filter((text) => text.length < MAX_SEED_LENGTH),
  maxBytes: 8192,
  run: (input) => {
    const [schemaText = "", objectText = ""] = splitTexts(input);
    const compiled = compileSchema(schemaText, { kubernetesMinor: 36, allowsUnknownTypes: true });
    compileSchema(schemaText, { kubernetesMinor: 29, preserveUnknownFields: true });
    const object = parseObject(objectText);
    if (compiled.kind === "refused" || object === undefined) return;
    validateObject(compiled, object);
    validateUpdate(compiled, object);
  },
};

/** Each schema of a case, with the first object of its kind. */
function buildSeeds(one: JsonObject): readonly string[] {
  const objects = collectObjects(one);
  return objects
    .filter(({ kind }) => kind === "CustomResourceDefinition")
    .flatMap((crd) => {
      const kind = textAt(crd, "spec", "names", "kind");
      const object = objects.find((other) => other["kind"] === kind) ?? { metadata: { name: "a" } };
      return listAt(crd, "spec", "versions").map((version) =>
        joinTexts(JSON.stringify(at(version, "schema", "openAPIV3Schema") ?? {}), JSON.stringify(object)),
      );
    });
}

function collectObjects(value: Json): readonly JsonObject[] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap(collectObjects);
  return isObject(value) && typeof value["kind"] === "string" ? [value, ...below] : below;
}
