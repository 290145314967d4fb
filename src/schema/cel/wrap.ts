import { type Json, type JsonObject, isList as isJsonList, isObject } from "../../model/json.ts";
import { type Node, additionalNode } from "../node.ts";
import { isInt64, isRounded } from "../numbers.ts";
import { decodeBase64 } from "./bytes.ts";
import { parseStoredDuration } from "./duration-text.ts";
import { parseDate, parseDateTime } from "./timestamp-text.ts";
import { type JsonMap, type List, NotJudged, type Value, bytesOf, failure } from "./value.ts";

/** A value of an object as its schema types it. The value has passed the schema's validation, or nearly so. */
export function wrap(json: Json, node: Node, isRoot = false): Value {
  if (json === null) return node.nullable ? null : failure("invalid data, got null for schema with nullable=false");
  const [type] = node.types;
  if (type === undefined) return { kind: "opaque", json };
  if (node.types.length === 2) return intOrString(json);
  switch (type) {
    case "object":
      return isObject(json)
        ? { kind: "json", json, node, resource: isRoot || node.embedded }
        : failure("invalid data, expected a map for the provided schema with type=object");
    case "array":
      return list(json, node);
    case "string":
      return typeof json === "string" ? text(json, node.format) : failure("invalid data, expected string");
    case "integer":
      return typeof json === "number" && isInt64(json) ? int(json) : failure("invalid data, expected int");
    case "number":
      return typeof json === "number" ? json : failure("invalid data, expected float");
    case "boolean":
      return typeof json === "boolean" ? json : failure("invalid data, expected bool");
  }
}

function intOrString(json: Json): Value {
  if (typeof json === "string") return json;
  if (typeof json === "number" && isInt64(json)) return int(json);
  return failure("invalid data, expected XIntOrString value to be either a string or integer");
}

function int(json: number): bigint {
  if (isRounded(json)) throw new NotJudged("an integer beyond 2^53 can't be read exactly");
  return BigInt(json);
}

function list(json: Json, node: Node): Value {
  if (!isJsonList(json)) return failure("invalid data, expected an array for the provided schema with type=array");
  if (node.items === undefined) return failure("invalid array type, expected Items with a non-empty Schema");
  return { kind: "list", json, items: node.items, type: node.listType, values: undefined };
}

function text(json: string, format: string): Value {
  switch (format) {
    case "byte": {
      const bytes = decodeBase64(json);
      return bytes === undefined ? failure(`Invalid byte formatted string ${json}`) : bytesOf(bytes);
    }
    case "date":
      return parseDate(json) ?? failure(`Invalid date formatted string ${json}`);
    case "date-time":
      return parseDateTime(json) ?? failure(`Invalid date-time formatted string ${json}`);
    case "duration":
      return parseStoredDuration(json) ?? failure(`Invalid duration ${json}`);
    default:
      return json;
  }
}

export function listSize(of: List): number {
  return (of.json ?? of.values ?? []).length;
}

export function listValues(of: List): readonly Value[] {
  const { items } = of;
  if (of.values === undefined) of.values = items === undefined ? [] : (of.json ?? []).map((item) => wrap(item, items));
  return of.values;
}

export function listItem(of: List, index: number): Value | undefined {
  if (of.values !== undefined) return of.values[index];
  const item = of.json?.[index];
  return item === undefined || of.items === undefined ? undefined : wrap(item, of.items);
}

const UNBOUND = {
  nullable: false,
  format: "",
  formatCheck: undefined,
  enum: undefined,
  number: undefined,
  text: undefined,
  list: undefined,
  map: undefined,
  junctors: undefined,
  defaults: new Map(),
  additional: undefined,
  items: undefined,
  default: undefined,
  preserve: false,
  embedded: false,
  listType: undefined,
  rules: [],
  hasShapes: false,
  hasRules: false,
  visible: true,
};
const TEXT: Node = { ...UNBOUND, types: ["string"], properties: new Map() };
const METADATA: Node = {
  ...UNBOUND,
  types: ["object"],
  properties: new Map([
    ["name", TEXT],
    ["generateName", TEXT],
  ]),
};
const RESOURCE: ReadonlyMap<string, Node> = new Map([
  ["apiVersion", TEXT],
  ["kind", TEXT],
  ["metadata", METADATA],
]);

/** The schema of a field; of a resource's own fields where the schema doesn't type all of them. */
export function fieldNode(map: JsonMap, name: string): Node | undefined {
  const { node, resource } = map;
  const own = resource && RESOURCE.has(name) && !typesResource(node) ? RESOURCE.get(name) : undefined;
  return own ?? node.properties.get(name) ?? (isStruct(map) ? undefined : additionalNode(node));
}

/** Does it have named fields, so that a null is as good as nothing? */
export function isStruct({ node, resource }: JsonMap): boolean {
  return resource || node.properties.size > 0;
}

function typesResource(node: Node): boolean {
  const metadata = node.properties.get("metadata");
  return (
    isType(node.properties.get("kind"), "string") &&
    isType(node.properties.get("apiVersion"), "string") &&
    isType(metadata, "object") &&
    isType(metadata?.properties.get("name"), "string") &&
    isType(metadata?.properties.get("generateName"), "string")
  );
}

function isType(node: Node | undefined, type: string): boolean {
  return node?.types.length === 1 && node.types[0] === type;
}

/** A field by its name in JSON; undefined where there is none, or none that rules may see. */
export function field(map: JsonMap, name: string): Value | undefined {
  const { json } = map;
  const value = hasOwn(json, name) ? json[name] : undefined;
  if (value === undefined || (value === null && isStruct(map))) return undefined;
  const node = fieldNode(map, name);
  return node && wrap(value, node);
}

function hasOwn(json: JsonObject, name: string): boolean {
  return Object.hasOwn(json, name);
}
