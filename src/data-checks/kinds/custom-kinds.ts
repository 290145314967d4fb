import type { Crd, CrdVersion } from "../../model/crd.ts";
import {
  type JsonObject,
  at,
  findOwn,
  flagAt,
  isObject,
  objectAt,
  parseObject,
  textAt,
  textsAt,
} from "../../model/json.ts";
import { formatResource } from "../../model/resource.ts";
import { BOOL, DYN, INT, STRING, type Type, type ValueType, listType, mapType } from "../../schema/cel/index.ts";
import { METADATA } from "./built-in-kinds.ts";
import { type Kind, type KindTable, mergeTypes, plainField } from "./kind.ts";

/** What definitions say of their objects. Of one that has several variants or releases, all fields are known. */
export function buildCustomKinds(crds: readonly Crd[]): KindTable {
  const kinds = new Map<string, Kind>();
  for (const crd of crds)
    for (const version of crd.versions) {
      const name = formatResource({ group: crd.group, version: version.name, resource: crd.plural });
      const type = crd.preserveUnknownFields ? DYN : buildVersionType(version, name);
      const known = kinds.get(name)?.type;
      const scope = crd.scope === "Namespaced" ? "Namespaced" : "Cluster";
      kinds.set(name, { scope, type: known === undefined ? type : mergeTypes(known, type) });
    }
  return { find: (resource) => kinds.get(formatResource(resource)) };
}

function buildVersionType({ schema }: CrdVersion, name: string): Type {
  const root = parseObject(schema);
  const type = root === undefined ? DYN : buildType(root, name);
  return type.fields === undefined ? DYN : { ...type, fields: new Map([...type.fields, ...getMetadataFields()]) };
}

function getMetadataFields(): ReadonlyMap<string, ValueType> {
  return METADATA.fields ?? new Map();
}

/** `name`: of the place, since two objects never have the same type. What may hold more than its schema says has any type. */
function buildType(schema: JsonObject, name: string): Type {
  if (flagAt(schema, "x-kubernetes-preserve-unknown-fields") === true) return DYN;
  if (flagAt(schema, "x-kubernetes-int-or-string") === true) return DYN;
  const type = textAt(schema, "type") ?? "";
  if (type === "array") return listType(buildType(objectAt(schema, "items"), `${name}[]`));
  return type === "object" ? buildObject(schema, name) : (findOwn(PLAIN, type) ?? DYN);
}

/** A number may be whole, which is then an int. */
const PLAIN: Readonly<Record<string, Type>> = { boolean: BOOL, integer: INT, string: STRING };

function buildObject(schema: JsonObject, name: string): Type {
  const values = at(schema, "additionalProperties");
  if (isObject(values)) return mapType(STRING, buildType(values, `${name}[]`));
  const properties = Object.entries(objectAt(schema, "properties"));
  if (properties.length === 0) return DYN;
  const own = properties.map(([field, inner]) => {
    const type = isObject(inner) ? buildType(inner, `${name}.${field}`) : DYN;
    return [field, plainField(type)] as const;
  });
  const isEmbedded = flagAt(schema, "x-kubernetes-embedded-resource") === true;
  const fields = new Map([...own, ...(isEmbedded ? getMetadataFields() : [])]);
  return { kind: "struct", name, parameters: [], fields, required: new Set(textsAt(schema, "required")) };
}
