import { type Json, isList, isObject } from "../../model/json.ts";
import { type StructuralSchema, getAdditionalSchema } from "../structural/structural-schema.ts";
import type { SchemaProps } from "./schema-props.ts";

const META = new Set(["metadata", "apiVersion", "kind"]);

/** Does a value have fields that the API server would prune? `keeps`: a list around it preserves unknown fields. */
export function hasUnknownFields(value: Json, node: StructuralSchema | undefined, keeps = false): boolean {
  const keepsOwn = keeps || (node?.preserveUnknownFields ?? false);
  if (isList(value)) {
    if (keepsOwn && node?.items === undefined) return false;
    return value.some((item) => hasUnknownFields(item, node?.items, keepsOwn));
  }
  if (!isObject(value)) return false;
  if (node === undefined) return Object.keys(value).length > 0;
  return Object.entries(value).some(([key, child]) => isUnknownField(key, child, node, keepsOwn));
}

function isUnknownField(key: string, value: Json, node: StructuralSchema, keeps: boolean): boolean {
  if (node.isEmbeddedResource && META.has(key)) return false;
  const child = node.properties.get(key) ?? getAdditionalSchema(node);
  if (child || node.additionalProperties !== undefined) return hasUnknownFields(value, child);
  return !keeps;
}

/** Does a schema have a default with fields that it doesn't define? */
export function hasUnprunedDefaults(schema: SchemaProps, node: StructuralSchema): boolean {
  if (schema.default !== undefined && hasUnknownFields(schema.default, node)) return true;
  if (schema.items && node.items && hasUnprunedDefaults(schema.items, node.items)) return true;
  const additional = getAdditionalSchema(node);
  if (schema.additional?.schema && additional && hasUnprunedDefaults(schema.additional.schema, additional)) return true;
  return [...schema.properties].some(([name, property]) => {
    const child = node.properties.get(name);
    return child !== undefined && hasUnprunedDefaults(property, child);
  });
}
