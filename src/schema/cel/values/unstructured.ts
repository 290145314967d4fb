import { NO_PROPS, type StructuralSchema, getAdditionalSchema, isInt64 } from "../../openapi/index.ts";
import { type Json, compareText, isList as isJsonList, isNumber, isObject } from "../../../model/json.ts";
import { parseDurationField, parseDate, parseDateTime } from "./times.ts";
import type { UnstructuredMap, ListValue, MapValue, NullMembers, CelValue, ObjectValue } from "./value.ts";
import { buildMapKey, buildBytes, buildError, buildList, isObjectValue } from "./value.ts";

/** A value of an object as its schema types it. The value has passed the schema's validation, or nearly so. */
export function unstructuredToValue(json: Json, schema: StructuralSchema, isRoot = false): CelValue {
  if (json === null)
    return schema.nullable ? null : buildError("invalid data, got null for schema with nullable=false");
  const [type] = schema.types;
  if (type === undefined || type === "unknown") return { kind: "opaque", json };
  if (schema.types.length === 2) return intOrString(json);
  switch (type) {
    case "object":
      return isObject(json)
        ? { kind: "json", json, schema, isResource: isRoot || schema.isEmbeddedResource }
        : buildError("invalid data, expected a map for the provided schema with type=object");
    case "array":
      return toList(json, schema);
    case "string":
      return typeof json === "string" ? toText(json, schema.format) : buildError("invalid data, expected string");
    case "integer":
      return isNumber(json) && isInt64(json) ? BigInt(json) : buildError("invalid data, expected int");
    case "number":
      return isNumber(json) ? Number(json) : buildError("invalid data, expected float");
    case "boolean":
      return typeof json === "boolean" ? json : buildError("invalid data, expected bool");
  }
}

/**
 * A value without a schema, as a ValidatingAdmissionPolicy sees it: whole numbers are ints, null members are there unless `nulls` says that
 * they are not, and names are as written. Maps are in the order of their keys. Members become values when they are first read.
 */
export function jsonToValue(json: Json, nulls: NullMembers = "present"): CelValue {
  if (typeof json === "number") return isInt64(json) ? BigInt(json) : json;
  if (isJsonList(json)) return { ...buildList(json.map((item) => jsonToValue(item, nulls))), source: json };
  return isObject(json) ? { kind: "map", json, nulls, members: undefined, entries: undefined } : json;
}

/** The value of a key that is a text. */
export function findMember(map: MapValue, name: string): CelValue | undefined {
  const { json, nulls } = map;
  if (json === undefined) return map.entries?.get(buildMapKey(name))?.[1];
  const member = json[name];
  if (member === undefined || typeof member === "string") return member;
  const known = map.members?.get(name);
  if (known !== undefined) return known;
  // What every object inherits is no member, and no text either.
  if (!Object.hasOwn(json, name)) return undefined;
  if (member === null) return nulls === "absent" ? undefined : null;
  const value = jsonToValue(member, nulls);
  map.members ??= new Map();
  map.members.set(name, value);
  return value;
}

/** In the order of the keys, if the map has none of its own. */
export function getMapEntries(map: MapValue): NonNullable<MapValue["entries"]> {
  map.entries ??= buildEntries(map);
  return map.entries;
}

function buildEntries(map: MapValue): NonNullable<MapValue["entries"]> {
  const names = Object.keys(map.json ?? {}).toSorted(compareText);
  const entries = names.flatMap((name) => {
    const value = findMember(map, name);
    return value === undefined ? [] : [[buildMapKey(name), [name, value]] as const];
  });
  return new Map(entries);
}

function intOrString(json: Json): CelValue {
  if (typeof json === "string") return json;
  if (isNumber(json) && isInt64(json)) return BigInt(json);
  return buildError("invalid data, expected XIntOrString value to be either a string or integer");
}

function toList(json: Json, schema: StructuralSchema): CelValue {
  if (!isJsonList(json)) return buildError("invalid data, expected an array for the provided schema with type=array");
  if (schema.items === undefined) return buildError("invalid array type, expected Items with a non-empty Schema");
  return { kind: "list", json, items: schema.items, type: schema.listType, values: undefined };
}

function toText(json: string, format: string): CelValue {
  switch (format) {
    case "byte": {
      const bytes = decodeBase64(json);
      return bytes === undefined ? buildError(`Invalid byte formatted string ${json}`) : buildBytes(bytes);
    }
    case "date":
      return parseDate(json) ?? buildError(`Invalid date formatted string ${json}`);
    case "date-time":
      return parseDateTime(json) ?? buildError(`Invalid date-time formatted string ${json}`);
    case "duration":
      return parseDurationField(json) ?? buildError(`Invalid duration ${json}`);
    default:
      return json;
  }
}

export function getListSize(list: ListValue): number {
  return (list.json ?? list.values ?? []).length;
}

export function getListValues(list: ListValue): readonly CelValue[] {
  const { items } = list;
  if (list.values === undefined)
    list.values = items === undefined ? [] : (list.json ?? []).map((item) => unstructuredToValue(item, items));
  return list.values;
}

export function findListItem(list: ListValue, index: number): CelValue | undefined {
  if (list.values !== undefined) return list.values[index];
  const item = list.json?.[index];
  return item === undefined || list.items === undefined ? undefined : unstructuredToValue(item, list.items);
}

const UNBOUNDED = {
  nullable: false,
  format: "",
  formatValidator: undefined,
  enum: undefined,
  limits: NO_PROPS.limits,
  pattern: undefined,
  required: [],
  junctors: undefined,
  defaults: new Map(),
  additionalProperties: undefined,
  items: undefined,
  default: undefined,
  preserveUnknownFields: false,
  isEmbeddedResource: false,
  listType: undefined,
  rules: [],
  hasExtensions: false,
  applyType: "any",
  hasRules: false,
  equatesHidden: true,
  isVisibleToRules: true,
} as const;
const TEXT: StructuralSchema = { ...UNBOUNDED, types: ["string"], properties: new Map() };
const METADATA: StructuralSchema = {
  ...UNBOUNDED,
  types: ["object"],
  properties: new Map([
    ["name", TEXT],
    ["generateName", TEXT],
  ]),
};
const RESOURCE: ReadonlyMap<string, StructuralSchema> = new Map([
  ["apiVersion", TEXT],
  ["kind", TEXT],
  ["metadata", METADATA],
]);

/** The schema of a field; of a resource's own fields where the schema doesn't type all of them. */
export function findFieldSchema(map: UnstructuredMap, name: string): StructuralSchema | undefined {
  const { schema, isResource } = map;
  const own = isResource && RESOURCE.has(name) && !typesResourceFields(schema) ? RESOURCE.get(name) : undefined;
  return own ?? schema.properties.get(name) ?? (hasNamedFields(map) ? undefined : getAdditionalSchema(schema));
}

/** Does it have named fields? A null in such a field counts as absent. */
export function hasNamedFields({ schema, isResource }: UnstructuredMap): boolean {
  return isResource || schema.properties.size > 0;
}

function typesResourceFields(schema: StructuralSchema): boolean {
  const metadata = schema.properties.get("metadata");
  return (
    isType(schema.properties.get("kind"), "string") &&
    isType(schema.properties.get("apiVersion"), "string") &&
    isType(metadata, "object") &&
    isType(metadata?.properties.get("name"), "string") &&
    isType(metadata?.properties.get("generateName"), "string")
  );
}

function isType(schema: StructuralSchema | undefined, type: string): boolean {
  return schema?.types.length === 1 && schema.types[0] === type;
}

/** A field by its name in JSON; undefined where there is none, or none that rules may see. */
export function findField(map: UnstructuredMap, name: string): CelValue | undefined {
  const { json } = map;
  const value = Object.hasOwn(json, name) ? json[name] : undefined;
  if (value === undefined || (value === null && hasNamedFields(map))) return undefined;
  const schema = findFieldSchema(map, name);
  return schema && unstructuredToValue(value, schema);
}

const NO_VALUE = buildError("unsupported conversion to ref.Val");
const UNCONVERTIBLE: ReadonlySet<ObjectValue["kind"]> = new Set(["url", "ip", "cidr", "quantity", "semver"]);

/**
 * What remains of an optional value once it is read through a variable, a conditional or a selection: cel-go converts it to a value of Go and
 * back. So values of an object lose their schema, and those of Kubernetes' libraries can't be had at all.
 */
export function toNative(value: CelValue): CelValue {
  if (!isObjectValue(value)) return value;
  if (value.kind === "optional") return value.value === undefined ? null : toNative(value.value);
  if (value.kind === "type") return value.name;
  if (value.kind === "json" || value.kind === "opaque") return jsonToValue(value.json);
  if (value.kind === "list" && value.json !== undefined) return jsonToValue(value.json);
  return UNCONVERTIBLE.has(value.kind) ? NO_VALUE : value;
}

const BASE64_URL = /^[A-Za-z0-9\-_\r\n]*={0,2}[\r\n]*$/;

/** Decodes URL-safe base64 as the API server does for fields of format "byte"; undefined if that fails. */
function decodeBase64(text: string): Uint8Array | undefined {
  const plain = text.replaceAll(/[\r\n]/g, "");
  if (!BASE64_URL.test(text) || plain.length % 4 !== 0) return undefined;
  return new Uint8Array(Buffer.from(plain, "base64url"));
}
