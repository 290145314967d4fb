import { type Json, type JsonObject, isList, isObject } from "../../model/json.ts";
import { patternFault } from "./go-pattern.ts";
import { hasFeature } from "./server-features.ts";
import { type Fault, type Place, enter, findFault, refuse } from "./report.ts";
import { type SchemaOrBool, type SchemaProps, isSchemaKeyword } from "./schema-props.ts";

/** Keywords that a structural schema must not have. */
const UNSUPPORTED = ["id", "$schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions"];

/** Why a schema can't be converted to a structural one. */
export function findUnreadable(schema: SchemaProps): Fault | undefined {
  const keyword = UNSUPPORTED.find((name) => saysAnything(schema.raw, name));
  if (keyword !== undefined) return [`.${keyword}`, "is not supported"];
  if (schema.preserve === false) return [".x-kubernetes-preserve-unknown-fields", "must be true or left out"];
  if (schema.itemSchemas.length > 0) return [".items", "must be one schema, not a list of them"];
  for (const [step, child] of schemasBelow(schema)) {
    const fault = findUnreadable(child);
    if (fault) return [step + fault[0], fault[1]];
  }
  return undefined;
}

function saysAnything(raw: JsonObject, keyword: string): boolean {
  const value = raw[keyword] ?? "";
  if (keyword === "additionalItems") return value !== "";
  return value !== "" && !(isObject(value) && Object.keys(value).length === 0);
}

/** A child of a schema, and the step to it. */
type Step = readonly [step: string, schema: SchemaProps];

function* schemasBelow(schema: SchemaProps): Generator<Step> {
  if (schema.items) yield [".items", schema.items];
  for (const [name, property] of schema.properties) yield [`.properties[${name}]`, property];
  if (schema.additional?.schema) yield [".additionalProperties", schema.additional.schema];
  yield* junctorsOf(schema);
}

export function hasJunctors({ allOf, anyOf, oneOf, not }: SchemaProps): boolean {
  return allOf.length + anyOf.length + oneOf.length > 0 || not !== undefined;
}

const NO_STEPS: readonly Step[] = [];

export function junctorsOf(schema: SchemaProps): readonly Step[] {
  if (!hasJunctors(schema)) return NO_STEPS;
  const steps = (["allOf", "anyOf", "oneOf"] as const).flatMap((junctor) =>
    schema[junctor].map((child, i): Step => [`.${junctor}[${i}]`, child]),
  );
  return schema.not ? [...steps, [".not", schema.not]] : steps;
}

/** Does the test hold for a schema or any schema below it? */
export function hasSchema(schema: SchemaProps, test: (schema: SchemaProps) => boolean): boolean {
  if (test(schema)) return true;
  for (const [, child] of schemasBelow(schema)) if (hasSchema(child, test)) return true;
  return schema.itemSchemas.some((child) => hasSchema(child, test));
}

export function hasDefaults(schema: SchemaProps): boolean {
  return hasSchema(schema, (one) => one.default !== undefined);
}

/** The first reason why a schema is not structural. */
export function findStructuralFault(schema: SchemaProps, minor: number): Fault | undefined {
  return findUnreadable(schema) ?? findFault((root) => requireStructural(schema, root), minor);
}

/** Refuses a schema that is not structural. */
export function requireStructural(schema: SchemaProps, place: Place): void {
  requireInvariants(schema, true, place);
  requireCounterparts(schema, place.path, schema, place);
}

function requireInvariants(schema: SchemaProps, isRoot: boolean, place: Place): void {
  if (schema.type === "array" && schema.items === undefined) refuse(place, ".items", "is required for an array");
  if (schema.items) requireInvariants(schema.items, false, enter(place, ".items"));
  for (const [name, property] of schema.properties) {
    requireInvariants(property, false, enter(place, `.properties[${name}]`));
  }
  if (schema.additional) requireAdditional(schema, schema.additional, isRoot, enter(place, ".additionalProperties"));
  if (schema.intOrString) requireIntOrString(schema, place);
  requireValues(schema, isIntOrStringPattern(schema.anyOf), isIntOrStringPattern(schema.allOf[0]?.anyOf ?? []), place);
  requireType(schema, isRoot, place);
  if (isRoot || schema.embedded) requireResource(schema, isRoot, place);
}

function requireAdditional({ embedded }: SchemaProps, { schema }: SchemaOrBool, isRoot: boolean, place: Place): void {
  if (isRoot) refuse(place, "", "is not allowed at the root");
  if (embedded) refuse(place, "", "is not allowed in an embedded resource");
  if (schema) requireInvariants(schema, false, place);
}

function requireIntOrString({ preserve, embedded }: SchemaProps, place: Place): void {
  const reason = "must not be true together with x-kubernetes-int-or-string";
  if (preserve) refuse(place, ".x-kubernetes-preserve-unknown-fields", reason);
  if (embedded) refuse(place, ".x-kubernetes-embedded-resource", reason);
}

function requireType({ type, embedded, intOrString, preserve }: SchemaProps, isRoot: boolean, place: Place): void {
  if (embedded && type !== "object") refuse(place, ".type", "must be object in an embedded resource");
  else if (type === "" && !intOrString && !preserve) refuse(place, ".type", "is required");
  if (isRoot && type !== "" && type !== "object") refuse(place, ".type", "must be object at the root");
}

/** Requirements for the root and for embedded resources. */
function requireResource({ properties, embedded, preserve }: SchemaProps, isRoot: boolean, place: Place): void {
  for (const [name, type] of [
    ["kind", "string"],
    ["apiVersion", "string"],
    ["metadata", "object"],
  ] as const) {
    const property = properties.get(name);
    if (property && property.type !== type) refuse(place, `.properties[${name}].type`, `must be ${type}`);
  }
  const metadata = properties.get("metadata");
  if (isRoot && metadata && !isNamesOnly(metadata, place.minor)) {
    refuse(place, ".properties[metadata]", "may only restrict name and generateName");
  }
  if (!embedded || preserve || properties.size > 0) return;
  refuse(place, ".properties", "must not be empty in an embedded resource that does not preserve unknown fields");
}

const DOCUMENTATION = ["externalDocs", "example"];

function isNamesOnly(metadata: SchemaProps, minor: number): boolean {
  const names = [...metadata.properties.keys()];
  if (!names.every((name) => name === "name" || name === "generateName")) return false;
  const allowed = ["type", "default", "properties", ...(hasFeature("documentation", minor) ? [] : DOCUMENTATION)];
  return Object.entries(metadata.raw).every(
    ([keyword, value]) => allowed.includes(keyword) || isNothing(keyword, value),
  );
}

const KEEPS_EMPTY = new Set(["required", "x-kubernetes-list-map-keys", "x-kubernetes-validations"]);

/** Does a keyword have the same effect as if it were absent? */
function isNothing(keyword: string, value: Json): boolean {
  if (!isSchemaKeyword(keyword) || UNSUPPORTED.includes(keyword)) return true;
  if (value === null || value === false || value === "") return keyword !== "additionalProperties" || value === null;
  if (isList(value)) return value.length === 0 && !KEEPS_EMPTY.has(keyword);
  return keyword === "properties" && isObject(value) && Object.keys(value).length === 0;
}

function isIntOrStringPattern([first, second, ...more]: readonly SchemaProps[]): boolean {
  return more.length === 0 && isTypeOnly(first, "integer") && isTypeOnly(second, "string");
}

function isTypeOnly(schema: SchemaProps | undefined, type: string): boolean {
  if (schema?.type !== type) return false;
  return Object.entries(schema.raw).every(
    ([keyword, value]) => keyword === "type" || (keyword !== "properties" && isNothing(keyword, value)),
  );
}

/** `skipsAny`, `skipsFirst`: the alternatives of int-or-string may name types, here or in the first of allOf. */
function requireValues(schema: SchemaProps, skipsAny: boolean, skipsFirst: boolean, place: Place): void {
  for (const [i, child] of (skipsAny ? [] : schema.anyOf).entries())
    requireNested(child, false, enter(place, `.anyOf[${i}]`));
  for (const [i, child] of schema.allOf.entries())
    requireNested(child, skipsFirst && i === 0, enter(place, `.allOf[${i}]`));
  for (const [i, child] of schema.oneOf.entries()) requireNested(child, false, enter(place, `.oneOf[${i}]`));
  if (schema.not) requireNested(schema.not, false, enter(place, ".not"));
  const fault = schema.pattern === "" ? undefined : patternFault(schema.pattern);
  if (fault !== undefined) refuse(place, ".pattern", `is not a valid regular expression: ${fault}`);
}

/** A schema below a junctor may only restrict values whose structure the schema above defines. */
function requireNested(schema: SchemaProps, skipsAny: boolean, place: Place): void {
  requireValues(schema, skipsAny, false, place);
  if (schema.items) requireNested(schema.items, false, enter(place, ".items"));
  for (const [name, property] of schema.properties) {
    requireNested(property, false, enter(place, `.properties[${name}]`));
  }
  for (const keyword of structureIn(schema)) {
    refuse(place, `.${keyword}`, "is not allowed below allOf, anyOf, oneOf or not");
  }
}

function structureIn(schema: SchemaProps): readonly string[] {
  const says: Readonly<Record<string, boolean>> = {
    type: schema.type !== "",
    additionalProperties: schema.additional?.allows ?? false,
    default: schema.default !== undefined,
    title: (schema.raw["title"] ?? "") !== "",
    description: (schema.raw["description"] ?? "") !== "",
    nullable: schema.nullable,
    "x-kubernetes-preserve-unknown-fields": schema.preserve ?? false,
    "x-kubernetes-embedded-resource": schema.embedded,
    "x-kubernetes-int-or-string": schema.intOrString,
    "x-kubernetes-list-map-keys": schema.listMapKeys.length > 0,
    "x-kubernetes-list-type": schema.listType !== undefined,
    "x-kubernetes-map-type": schema.mapType !== undefined,
    "x-kubernetes-validations": schema.rules.length > 0,
    "properties[metadata]": schema.properties.has("metadata"),
  };
  return Object.keys(says).filter((keyword) => says[keyword]);
}

/**
 * Fields that a junctor restricts must be in the structure. As in the API server, only the root's junctors are judged. `schema` and
 * `place` are those of the structure that has the fields of `nested`, which is at `path`.
 */
function requireCounterparts(nested: SchemaProps, path: string, schema: SchemaProps, place: Place): void {
  for (const [step, child] of junctorsOf(nested)) requireCounterpart(child, path + step, schema, place);
}

function requireCounterpart(nested: SchemaProps, path: string, schema: SchemaProps | undefined, place: Place): void {
  if (schema === undefined) return refuse(place, "", `is required, because ${path} limits it`);
  requireCounterparts(nested, path, schema, place);
  if (nested.items) requireCounterpart(nested.items, `${path}.items`, schema.items, enter(place, ".items"));
  for (const [name, property] of nested.properties) {
    const step = `.properties[${name}]`;
    requireCounterpart(property, path + step, schema.properties.get(name), enter(place, step));
  }
}
