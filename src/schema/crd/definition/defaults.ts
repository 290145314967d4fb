import { type Json, type JsonObject, isList, isObject } from "../../../model/json.ts";
import { RUNTIME_CEL_COST_BUDGET, startEvaluation, validateRules } from "../rules/rule-validation.ts";
import {
  correlate,
  META,
  type LogicalJunctors,
  type StructuralSchema,
  getAdditionalSchema,
  getFieldSchema,
  NEWEST_MINOR,
  coerceObjectMeta,
  findFormat,
  validateValue,
  type ErrorList,
  type FieldError,
  createErrorList,
  type Place,
  leaveUndecided,
  refuse,
  NO_PROPS,
  type SchemaProps,
  hasDefaults,
} from "../../openapi/index.ts";
import { parseType } from "../objects/schema-builder.ts";
import type { CompiledSchema } from "../objects/schema-compiler.ts";
import { isPruned } from "../objects/stored-object.ts";
import { validateExtensions } from "../writes/object-validation.ts";

/** Shared by all defaults of a schema, whose rules have one budget together. */
type Run = Pick<CompiledSchema, "programs" | "hasNumberRanges"> & {
  readonly toleratesUnpruned: boolean;
  remainingBudget: number;
};

/**
 * The position of a schema with defaults. Within apiVersion, kind and metadata of a resource one is validated as part of the resource:
 * `around` builds that resource, `resource` is its schema.
 */
type DefaultPlace = Place & {
  readonly isInMeta: boolean;
  readonly resource: StructuralSchema;
  readonly around: (value: Json) => Json;
};

/** Refuses defaults that the schema itself rejects. As in the API server, schemas below additionalProperties are skipped. */
export function requireDefaults(
  schema: SchemaProps,
  { root, programs, hasNumberRanges }: CompiledSchema,
  toleratesUnpruned: boolean,
  place: Place,
): void {
  const run: Run = { programs, hasNumberRanges, toleratesUnpruned, remainingBudget: RUNTIME_CEL_COST_BUDGET };
  const resource: StructuralSchema = { ...root, isEmbeddedResource: true, hasExtensions: true };
  walk(schema, resource, { ...place, isInMeta: false, resource, around: asResource }, run);
}

function asResource(value: Json): Json {
  return isObject(value) ? { kind: "Validation", apiVersion: "validation/v1", ...value } : value;
}

function walk(schema: SchemaProps, node: StructuralSchema, place: DefaultPlace, run: Run): void {
  const here = node.isEmbeddedResource ? { ...place, isInMeta: false, resource: node, around: asResource } : place;
  if (schema.default !== undefined && run.remainingBudget >= 0) requireDefault(schema, schema.default, node, here, run);
  if (schema.items && node.items) {
    const around = (value: Json): Json => here.around([value]);
    walk(schema.items, node.items, { ...here, path: `${place.path}.items`, around }, run);
  }
  for (const [name, property] of schema.properties) {
    const child = node.properties.get(name);
    if (child === undefined) continue;
    const around = (value: Json): Json => here.around({ [name]: value });
    const isInMeta = here.isInMeta || (node.isEmbeddedResource && META.has(name));
    walk(property, child, { ...here, path: `${place.path}.properties[${name}]`, isInMeta, around }, run);
  }
}

function requireDefault(schema: SchemaProps, value: Json, node: StructuralSchema, place: DefaultPlace, run: Run): void {
  if (!place.isInMeta && !run.toleratesUnpruned && isPruned(value, node)) {
    refuse(place, ".default", "has fields that are not in the schema");
  }
  const judged = place.isInMeta ? place.around(value) : value;
  const shapes = shapeErrors(judged, place.isInMeta ? { ...place.resource, isEmbeddedResource: true } : node);
  const errors = shapes.length > 0 ? shapes : valueErrors(value, asDeclared(schema, node), run.hasNumberRanges);
  refuseErrors(errors, place);
  if (errors.length === 0) requireRules(value, node, place, run);
}

function refuseErrors(errors: readonly FieldError[], place: Place): void {
  for (const error of errors) refuse(place, ".default", describeReason(error));
}

function describeReason({ path, message }: FieldError): string {
  const inner = path.replace(/^default\.?/, "");
  return inner === "" ? message : `${inner}: ${message}`;
}

/** The faults of the metadata of resources within a value. */
function shapeErrors(value: Json, node: StructuralSchema): readonly FieldError[] {
  const unreadable = unreadableMetadata(value, node);
  if (unreadable !== undefined) return [{ type: "FieldValueInvalid", path: "", message: unreadable }];
  const errors = createErrorList();
  validateExtensions(node, value, { path: ["default"], errors, withListTypes: false });
  return errors.items;
}

function unreadableMetadata(value: Json, node: StructuralSchema): string | undefined {
  if (isList(value)) return findFirst(value, (item) => node.items && unreadableMetadata(item, node.items));
  if (!isObject(value)) return undefined;
  const own = node.isEmbeddedResource ? resourceFault(value) : undefined;
  if (own !== undefined) return own;
  return findFirst(Object.entries(value), ([key, child]) => {
    const below = getFieldSchema(node, key);
    return below && unreadableMetadata(child, below);
  });
}

function findFirst<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function resourceFault(value: JsonObject): string | undefined {
  for (const key of ["apiVersion", "kind"]) {
    if (Object.hasOwn(value, key) && typeof value[key] !== "string") return `${key} must be a string`;
  }
  const normal = coerceObjectMeta(value["metadata"] ?? {});
  return normal.kind === "wrong" ? normal.message : undefined;
}

/**
 * As the API server validates defaults: int-or-string is ignored, so that only `type` counts, here and in alternatives, and formats that
 * it doesn't know, or of another type, still count.
 */
function asDeclared(schema: SchemaProps, node: StructuralSchema): StructuralSchema {
  const types = schema.intOrString ? parseType(schema.type) : node.types;
  const additional = getAdditionalSchema(node);
  return {
    ...node,
    types,
    format: schema.format,
    formatValidator: findFormat(schema.format, [], NEWEST_MINOR).validator,
    junctors: node.junctors && declareJunctors(schema, node.junctors),
    items: node.items && schema.items && asDeclared(schema.items, node.items),
    properties: new Map(
      [...node.properties].map(([name, child]) => [name, asDeclared(schema.properties.get(name) ?? NO_PROPS, child)]),
    ),
    additionalProperties:
      additional && schema.additional?.schema
        ? asDeclared(schema.additional.schema, additional)
        : node.additionalProperties,
  };
}

function declareJunctors(schema: SchemaProps, { allOf, anyOf, oneOf, not }: LogicalJunctors): LogicalJunctors {
  const declare = (props: readonly SchemaProps[], nodes: readonly StructuralSchema[]): readonly StructuralSchema[] =>
    nodes.map((node, i) => asDeclared(props[i] ?? NO_PROPS, node));
  return {
    allOf: declare(schema.allOf, allOf),
    anyOf: declare(schema.anyOf, anyOf),
    oneOf: declare(schema.oneOf, oneOf),
    not: not && asDeclared(schema.not ?? NO_PROPS, not),
  };
}

function valueErrors(value: Json, node: StructuralSchema, hasNumberRanges: boolean): readonly FieldError[] {
  const errors: ErrorList = createErrorList();
  validateValue(node, value, { path: ["default"], errors, hasNumberRanges });
  return errors.items;
}

/** Rules must hold both if the default replaces an equal value and if it replaces nothing. */
function requireRules(value: Json, node: StructuralSchema, place: DefaultPlace, run: Run): void {
  if (!node.hasRules) return;
  let least = run.remainingBudget;
  for (const replaced of [correlate(node, value, value), undefined]) {
    const errors = createErrorList();
    const evaluation = startEvaluation(run.programs, errors, place.resource === node ? [] : ["default"], replaced);
    evaluation.remainingBudget = run.remainingBudget;
    validateRules(node, value, evaluation);
    refuseErrors(errors.items, place);
    for (const { rule } of evaluation.unevaluated?.values() ?? [])
      leaveUndecided(place, ".default", `the rule could not be evaluated: ${rule}`);
    least = Math.min(least, evaluation.remainingBudget);
    if (errors.items.length > 0) break;
  }
  run.remainingBudget = least;
}

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
