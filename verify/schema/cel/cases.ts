import { strict as assert } from "node:assert";
import { formatCanonicalJson, type Json, type JsonObject } from "../../../src/model/json.ts";
import {
  validateObject,
  type CompiledSchema,
  compileSchema,
  type CompileOptions,
  type ValidationResult,
} from "../../../src/schema/crd/index.ts";
import { deepFreeze } from "../../../src/cases/runner.ts";

/** The schema of an object whose field `f` has the given schema. */
export function wrapSchema(schema: Json): JsonObject {
  return { type: "object", properties: { f: schema } };
}

/** A CRD with the given schema for its spec. */
export function wrapSpec(spec: Json): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      names: { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" },
      scope: "Cluster",
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
        },
      ],
    },
  };
}

export function compileForTest(schema: JsonObject, options?: CompileOptions): CompiledSchema {
  const compiled = compileSchema(formatCanonicalJson(schema), options);
  return compiled.kind === "refused" ? assert.fail(compiled.message) : compiled;
}

/** Validates a frozen object whose field `f` has the value. */
export function validateField(schema: Json, value: Json, options?: CompileOptions): ValidationResult {
  return validateObject(compileForTest(wrapSchema(schema), options), deepFreeze({ f: value }));
}

/** The errors in the notation of the tables: "Required f.a". */
export function listErrors(schema: Json, value: Json, options?: CompileOptions): readonly string[] {
  return validateField(schema, value, options).errors.map(
    (error) => `${error.type.replace("FieldValue", "")} ${error.path}`,
  );
}
