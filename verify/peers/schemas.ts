import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Json,
  type JsonObject,
  isList,
  isObject,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
} from "../../src/model/json.ts";
import { formatGroupVersion } from "../../src/model/resource.ts";
import type { AdminApi } from "../api-server/admin-api.ts";

/**
 * Writes an API server's OpenAPI documents into a folder, in the layout that `kubectl-validate --local-schemas` reads, and JSON schemas of
 * them, in the layout that kubeconform reads: what its users make with openapi2jsonschema.
 */
export async function writeSchemas(api: AdminApi, groups: readonly string[], folder: string): Promise<void> {
  for (const [path, address] of await listDocuments(api, groups)) {
    const { body } = await api.call("GET", address);
    write(join(folder, "openapi", `${path}.json`), body);
    const schemas = objectAt(body, "components", "schemas");
    for (const schema of Object.values(schemas).filter(isObject)) writeKinds(schema, schemas, join(folder, "json"));
  }
}

const PAUSE_MS = 100;
const MAX_TRIES = 300;

/** The groups of new CRDs are published a moment later. */
async function listDocuments(
  api: AdminApi,
  groups: readonly string[],
): Promise<readonly (readonly [string, string])[]> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { body } = await api.call("GET", "/openapi/v3");
    const paths = Object.entries(objectAt(body, "paths")).filter(([path]) => /^apis?\/.*v\d\w*$/.test(path));
    const isComplete = groups.every((group) => paths.some(([path]) => path.startsWith(`apis/${group}/`)));
    if (isComplete) return paths.map(([path, one]) => [path, textAt(one, "serverRelativeURL") ?? ""]);
    await sleep(PAUSE_MS);
  }
  throw new Error(`the API server doesn't publish the schemas of ${groups.join(", ")}`);
}

function write(path: string, value: JsonObject): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
}

function writeKinds(schema: JsonObject, schemas: JsonObject, folder: string): void {
  for (const one of objectsAt(schema, "x-kubernetes-group-version-kind")) {
    const [group = "", version = "", kind = ""] = ["group", "version", "kind"].map((key) => textAt(one, key) ?? "");
    const file = `${kind}-${version}.json`.toLowerCase();
    const body = convert(schema, schemas, []);
    const properties = {
      ...objectAt(body, "properties"),
      apiVersion: { const: formatGroupVersion({ group, version }) },
      kind: { const: kind },
    };
    // kubeconform takes the version for the group of a kind that has none.
    write(join(folder, group === "" ? version : group, file), { ...(isObject(body) ? body : {}), properties });
  }
}

const REFERENCE = "#/components/schemas/";

/** With references filled in; one that leads back to itself allows anything. */
function convert(schema: JsonObject, schemas: JsonObject, above: readonly string[]): JsonObject {
  const reference = textAt(schema, "$ref")?.slice(REFERENCE.length);
  if (reference !== undefined)
    return above.includes(reference) ? {} : convert(objectAt(schemas, reference), schemas, [...above, reference]);
  const [only, ...others] = objectsAt(schema, "allOf");
  if (only !== undefined && others.length === 0 && Object.hasOwn(only, "$ref")) return convert(only, schemas, above);
  const { default: _default, ...rest } = schema;
  const entries = Object.entries(rest).filter(([key]) => !key.startsWith("x-") && key !== "nullable");
  const inner = entries.map(([key, value]) => [key, convertValue(key, value, schemas, above)] as const);
  return close(Object.fromEntries(inner), schema);
}

function convertValue(key: string, value: Json, schemas: JsonObject, above: readonly string[]): Json {
  const each = (one: Json): Json => (isObject(one) ? convert(one, schemas, above) : one);
  if (key === "properties" && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, each(one)]));
  if (["items", "additionalProperties", "not"].includes(key)) return each(value);
  return isList(value) && ["allOf", "anyOf", "oneOf"].includes(key) ? value.map(each) : value;
}

/** Strict: no other fields, and null only where it may stand: in fields that are not required, as openapi2jsonschema has it. */
function close(schema: JsonObject, source: JsonObject): JsonObject {
  const properties = objectAt(schema, "properties");
  const required = textsAt(schema, "required");
  const optional = Object.entries(properties).map(([name, one]) => [name, required.includes(name) ? one : orNull(one)]);
  const isOpen =
    source["x-kubernetes-preserve-unknown-fields"] === true || Object.hasOwn(schema, "additionalProperties");
  const text: JsonObject = source["x-kubernetes-int-or-string"] === true ? { type: ["integer", "string"] } : {};
  if (optional.length === 0) return { ...schema, ...text };
  return { ...schema, properties: Object.fromEntries(optional), ...(isOpen ? {} : { additionalProperties: false }) };
}

function orNull(value: Json): Json {
  const type = isObject(value) ? value["type"] : undefined;
  if (!isObject(value) || typeof type !== "string" || Object.hasOwn(value, "enum")) return value;
  return { ...value, type: [type, "null"] };
}
