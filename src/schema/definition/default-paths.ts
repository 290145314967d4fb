import { META } from "../structural/structural-schema.ts";
import { NO_PROPS, type SchemaProps } from "./schema-props.ts";
import { hasDefaults } from "./structure.ts";

/**
 * The part of a schema that validates its defaults: schemas with a default are whole, those above one lose everything else. Most schemas
 * have few defaults, so this saves most of the compilation. As in the API server, schemas below additionalProperties are left out.
 */
export function selectDefaults(root: SchemaProps): SchemaProps {
  return select(root, true) ?? { ...NO_PROPS, type: "object" };
}

function select(schema: SchemaProps, isRoot: boolean): SchemaProps | undefined {
  if (schema.default !== undefined) return schema;
  if (schema.embedded && !isRoot) return hasDefaults(schema) ? schema : undefined;
  const properties = selectProperties(schema, isRoot);
  const items = schema.items && select(schema.items, false);
  if (items === undefined && properties.size === 0) return undefined;
  const { type, intOrString, preserve } = schema;
  return { ...NO_PROPS, type, intOrString, preserve, items, properties };
}

function selectProperties(schema: SchemaProps, isRoot: boolean): SchemaProps["properties"] {
  return new Map(
    [...schema.properties].flatMap(([name, property]) => {
      // Their defaults are validated as part of the whole resource.
      const kept = isRoot && META.has(name) && hasDefaults(property) ? property : select(property, false);
      return kept === undefined ? [] : [[name, kept] as const];
    }),
  );
}
