import type { Json, JsonObject } from "../../model/json.ts";
import type { SchemaProps } from "./schema-props.ts";

/** What a node without a default of its own contributes to the validation of the defaults below it. */
const KEPT = ["type", "x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields"];
/** Defaults in these are validated as part of the whole resource. */
const META = new Set(["metadata", "apiVersion", "kind"]);

/**
 * The part of a schema that validates its defaults: schemas with a default are whole, those above one lose everything else. Most schemas
 * have few defaults, so this saves most of the compilation. As in the API server, schemas below additionalProperties are left out.
 */
export function selectDefaults(root: SchemaProps): JsonObject {
  return select(root, true) ?? { type: "object" };
}

function select(schema: SchemaProps, isRoot: boolean): JsonObject | undefined {
  if (schema.default !== undefined) return schema.raw;
  if (schema.embedded && !isRoot) return hasDefaultsWithin(schema) ? schema.raw : undefined;
  const properties = selectProperties(schema, isRoot);
  const items = schema.items && select(schema.items, false);
  if (items === undefined && properties.length === 0) return undefined;
  return {
    ...Object.fromEntries(KEPT.flatMap((keyword) => selectKeyword(schema.raw, keyword))),
    ...(items === undefined ? {} : { items }),
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
  };
}

function selectKeyword(raw: JsonObject, keyword: string): readonly (readonly [string, Json])[] {
  const value = raw[keyword] ?? undefined;
  return value === undefined ? [] : [[keyword, value]];
}

function selectProperties(schema: SchemaProps, isRoot: boolean): readonly (readonly [string, JsonObject])[] {
  return [...schema.properties].flatMap(([name, property]) => {
    const kept = isRoot && META.has(name) && hasDefaultsWithin(property) ? property.raw : select(property, false);
    return kept === undefined ? [] : [[name, kept] as const];
  });
}

function hasDefaultsWithin(schema: SchemaProps): boolean {
  if (schema.default !== undefined) return true;
  if (schema.items && hasDefaultsWithin(schema.items)) return true;
  for (const property of schema.properties.values()) if (hasDefaultsWithin(property)) return true;
  return false;
}
