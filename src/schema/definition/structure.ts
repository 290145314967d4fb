import { type Json, type JsonObject, isList, isObject } from "../../model/json.ts";
import { patternFault } from "../go-pattern.ts";
import { type DefinitionReport, newReport, refuse } from "./report.ts";
import { isSchemaKeyword } from "./schema-decoder.ts";
import type { SchemaProps } from "./schema-props.ts";

type Level = "root" | "items" | "field";

/** Keywords that a structural schema must not have. */
const UNSUPPORTED = ["id", "$schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions"];

/** The path and reason if a schema can't be converted to a structural one. */
export function unreadable(schema: SchemaProps, path: string): readonly [path: string, reason: string] | undefined {
  const keyword = UNSUPPORTED.find((name) => saysAnything(schema.raw, name));
  if (keyword !== undefined) return [`${path}.${keyword}`, "is not supported"];
  if (schema.preserve === false) return [`${path}.x-kubernetes-preserve-unknown-fields`, "must be true or left out"];
  if (schema.itemSchemas.length > 0) return [`${path}.items`, "must be one schema, not a list of them"];
  for (const [step, child] of schemasBelow(schema)) {
    const found = unreadable(child, `${path}.${step}`);
    if (found) return found;
  }
  return undefined;
}

function saysAnything(raw: JsonObject, keyword: string): boolean {
  const value = raw[keyword] ?? "";
  if (keyword === "additionalItems") return value !== "";
  return value !== "" && !(isObject(value) && Object.keys(value).length === 0);
}

/** The direct children of a schema, each with its path segment. */
export function* schemasBelow(schema: SchemaProps): Generator<readonly [step: string, schema: SchemaProps]> {
  if (schema.items) yield ["items", schema.items];
  for (const [name, property] of schema.properties) yield [`properties[${name}]`, property];
  if (schema.additional?.schema) yield ["additionalProperties", schema.additional.schema];
  if (hasJunctors(schema)) yield* junctorsOf(schema);
}

export function hasJunctors({ allOf, anyOf, oneOf, not }: SchemaProps): boolean {
  return allOf.length + anyOf.length + oneOf.length > 0 || not !== undefined;
}

export function* junctorsOf(schema: SchemaProps): Generator<readonly [step: string, schema: SchemaProps]> {
  for (const junctor of ["allOf", "anyOf", "oneOf"] as const) {
    for (const [i, child] of schema[junctor].entries()) yield [`${junctor}[${i}]`, child];
  }
  if (schema.not) yield ["not", schema.not];
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
export function findStructuralFault(schema: SchemaProps): readonly [path: string, reason: string] | undefined {
  const fault = unreadable(schema, "");
  if (fault) return fault;
  const report = newReport();
  requireStructural(schema, "", report);
  const [first] = report.refusals;
  return first && [first.path, first.reason];
}

/** Refuses a schema that is not structural. */
export function requireStructural(schema: SchemaProps, path: string, report: DefinitionReport): void {
  requireInvariants(schema, "root", path, report);
  requireCounterparts(schema, { schema, path }, path, report);
}

function requireInvariants(schema: SchemaProps, level: Level, path: string, report: DefinitionReport): void {
  if (schema.type === "array" && schema.items === undefined)
    refuse(report, `${path}.items`, "is required for an array");
  if (schema.items) requireInvariants(schema.items, "items", `${path}.items`, report);
  for (const [name, property] of schema.properties) {
    requireInvariants(property, "field", `${path}.properties[${name}]`, report);
  }
  requireAdditional(schema, level, path, report);
  requireExtensions(schema, path, report);
  const isIntOrString = isIntOrStringPattern(schema.anyOf);
  const isFirstIntOrString = isIntOrStringPattern(schema.allOf[0]?.anyOf ?? []);
  requireValues(schema, isIntOrString, isFirstIntOrString, path, report);
  requireType(schema, level, path, report);
  requireResource(schema, level, path, report);
}

function requireAdditional(schema: SchemaProps, level: Level, path: string, report: DefinitionReport): void {
  if (schema.additional === undefined) return;
  const at = `${path}.additionalProperties`;
  if (level === "root") refuse(report, at, "is not allowed at the root");
  if (schema.embedded) refuse(report, at, "is not allowed in an embedded resource");
  if (schema.additional.schema) requireInvariants(schema.additional.schema, "field", at, report);
}

function requireExtensions(schema: SchemaProps, path: string, report: DefinitionReport): void {
  if (!schema.intOrString) return;
  for (const [keyword, isSet] of [
    ["x-kubernetes-preserve-unknown-fields", schema.preserve],
    ["x-kubernetes-embedded-resource", schema.embedded],
  ] as const) {
    if (isSet) refuse(report, `${path}.${keyword}`, "must not be true together with x-kubernetes-int-or-string");
  }
}

function requireType(schema: SchemaProps, level: Level, path: string, report: DefinitionReport): void {
  const at = `${path}.type`;
  if (schema.embedded && schema.type !== "object") refuse(report, at, "must be object in an embedded resource");
  else if (schema.type === "" && !schema.intOrString && !schema.preserve) refuse(report, at, "is required");
  if (level === "root" && schema.type !== "" && schema.type !== "object")
    refuse(report, at, "must be object at the root");
}

/** Requirements for the root and for embedded resources. */
function requireResource(schema: SchemaProps, level: Level, path: string, report: DefinitionReport): void {
  const isResource = level === "root" || schema.embedded;
  for (const name of ["kind", "apiVersion"]) {
    const property = schema.properties.get(name);
    if (isResource && property && property.type !== "string") {
      refuse(report, `${path}.properties[${name}].type`, "must be string");
    }
  }
  const metadata = schema.properties.get("metadata");
  const at = `${path}.properties[metadata]`;
  if (isResource && metadata && metadata.type !== "object") refuse(report, `${at}.type`, "must be object");
  if (level === "root" && metadata && !isNamesOnly(metadata)) {
    refuse(report, at, "may only restrict name and generateName");
  }
  if (schema.embedded && !schema.preserve && schema.properties.size === 0) {
    refuse(
      report,
      `${path}.properties`,
      "must not be empty in an embedded resource that does not preserve unknown fields",
    );
  }
}

function isNamesOnly(metadata: SchemaProps): boolean {
  const names = [...metadata.properties.keys()];
  if (!names.every((name) => name === "name" || name === "generateName")) return false;
  return Object.entries(metadata.raw).every(
    ([keyword, value]) => ["type", "default", "properties"].includes(keyword) || isNothing(keyword, value),
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
function requireValues(
  schema: SchemaProps,
  skipsAny: boolean,
  skipsFirst: boolean,
  path: string,
  report: DefinitionReport,
): void {
  for (const [i, child] of (skipsAny ? [] : schema.anyOf).entries())
    requireNested(child, false, `${path}.anyOf[${i}]`, report);
  for (const [i, child] of schema.allOf.entries())
    requireNested(child, skipsFirst && i === 0, `${path}.allOf[${i}]`, report);
  for (const [i, child] of schema.oneOf.entries()) requireNested(child, false, `${path}.oneOf[${i}]`, report);
  if (schema.not) requireNested(schema.not, false, `${path}.not`, report);
  const fault = schema.pattern === "" ? undefined : patternFault(schema.pattern);
  if (fault !== undefined) refuse(report, `${path}.pattern`, `is not a valid regular expression: ${fault}`);
}

/** A schema below a junctor may only restrict values whose structure the schema above defines. */
function requireNested(schema: SchemaProps, skipsAny: boolean, path: string, report: DefinitionReport): void {
  requireValues(schema, skipsAny, false, path, report);
  if (schema.items) requireNested(schema.items, false, `${path}.items`, report);
  for (const [name, property] of schema.properties)
    requireNested(property, false, `${path}.properties[${name}]`, report);
  for (const keyword of structureIn(schema)) {
    refuse(report, `${path}.${keyword}`, "is not allowed below allOf, anyOf, oneOf or not");
  }
  if (schema.properties.has("metadata")) {
    refuse(report, `${path}.properties[metadata]`, "is not allowed below allOf, anyOf, oneOf or not");
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
  };
  return Object.keys(says).filter((keyword) => says[keyword]);
}

/** Fields that a junctor restricts must be in the structure. As in the API server, only the root's junctors are judged. */
function requireCounterparts(nested: SchemaProps, spine: Spine, path: string, report: DefinitionReport): void {
  for (const [step, child] of junctorsOf(nested)) requireCounterpart(child, spine, `${path}.${step}`, report);
}

/** The structure at the place of a schema below a junctor, if there is one. */
type Spine = { readonly schema: SchemaProps | undefined; readonly path: string };

function requireCounterpart(nested: SchemaProps, spine: Spine, path: string, report: DefinitionReport): void {
  const { schema, path: at } = spine;
  if (schema === undefined) return refuse(report, at, `is required, because ${path} limits it`);
  requireCounterparts(nested, spine, path, report);
  if (nested.items) {
    requireCounterpart(nested.items, { schema: schema.items, path: `${at}.items` }, `${path}.items`, report);
  }
  for (const [name, property] of nested.properties) {
    const step = `properties[${name}]`;
    const below = { schema: schema.properties.get(name), path: `${at}.${step}` };
    requireCounterpart(property, below, `${path}.${step}`, report);
  }
}
