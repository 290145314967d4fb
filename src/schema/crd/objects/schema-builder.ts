import type { RE2JS } from "re2js";
import { formatError } from "../../../model/errors.ts";
import { type Json, compareText, isList, isObject } from "../../../model/json.ts";
import { applyDefaults, dropNulls } from "./stored-object.ts";
import { parseFieldPath } from "../rules/rule-language.ts";
import type {
  RuleProps,
  SchemaProps,
  AllowedValues,
  ApplyType,
  Default,
  LogicalJunctors,
  ListType,
  StructuralSchema,
  SchemaRule,
  SchemaType,
} from "../../openapi/index.ts";
import { JSON_TYPES, hasJunctors, compilePattern, hasFeature, findFormat } from "../../openapi/index.ts";
import { type Type, valueType } from "../../cel/index.ts";
import { type Program, compileRule, needsTypes, usesOldSelf } from "../rules/rule-program.ts";

/** State shared by all nodes of a schema while it is built. */
export type SchemaBuilder = {
  readonly kubernetesMinor: number;
  readonly allowsUnknownTypes: boolean;
  /** Compiles each pattern of a schema once. */
  readonly patterns: Map<string, RE2JS>;
  readonly programs: Map<SchemaRule, Program>;
  /** Keyed by the texts of a rule: equal rules are compiled once. */
  readonly programCache: Map<string, Program>;
  schemaCount: number;
};

/** `path` is the API server's, `location` is that of rules. */
type SchemaPosition = {
  readonly path: string;
  readonly location: string;
  readonly depth: number;
  /** Below allOf, anyOf, oneOf or not. */
  readonly isNested: boolean;
};

/** OpenShift's schemas stay below a tenth of these. */
const MAX_SCHEMAS = 100_000;
const MAX_DEPTH = 200;

export const ROOT: SchemaPosition = { path: "", location: "", depth: 0, isNested: false };

/** Builds a schema that is known to be structural. */
export function buildStructuralSchema(
  props: SchemaProps,
  position: SchemaPosition,
  builder: SchemaBuilder,
): StructuralSchema {
  const { path, depth } = position;
  if (depth > MAX_DEPTH) rejectSchema(path.slice(0, 200), `is nested deeper than ${MAX_DEPTH} schemas`);
  if (++builder.schemaCount > MAX_SCHEMAS) rejectSchema("", `holds more than ${MAX_SCHEMAS} schemas`);
  const types = parseTypes(props, path, builder);
  const format = findFormat(props.format, types, builder.kubernetesMinor);
  const children = buildChildren(props, position, builder);
  const listType = parseListType(props, builder);
  const rules = buildRules(props, position, builder);
  const below = [...children.properties.values(), children.items, children.additionalProperties].filter(
    (child) => typeof child === "object",
  );
  const schema: StructuralSchema = {
    types,
    nullable: props.nullable,
    format: format.name,
    formatValidator: format.validator,
    enum: buildAllowedValues(props),
    limits: props.limits,
    pattern: props.pattern === "" ? undefined : getPattern(props.pattern, path, builder.patterns),
    required: props.required.length === 0 ? props.required : props.required.toSorted(compareText),
    junctors: buildJunctors(props, position, builder),
    ...children,
    defaults: collectDefaults(children.properties),
    default: undefined,
    preserveUnknownFields: props.preserve ?? false,
    isEmbeddedResource: props.embedded,
    listType,
    rules,
    hasExtensions: props.embedded || listType !== undefined || below.some((child) => child.hasExtensions),
    applyType: parseApplyType(props),
    hasRules: rules.length > 0 || below.some((child) => child.hasRules),
    equatesHidden: hasFeature("hiddenFields", builder.kubernetesMinor),
    isVisibleToRules: canRulesSee(types, children),
  };
  return props.default === undefined ? schema : { ...schema, default: buildDefault(props.default, schema, path) };
}

const TYPES: ReadonlyMap<string, readonly SchemaType[]> = new Map<string, readonly SchemaType[]>([
  ["", []],
  ...JSON_TYPES.map((type) => [type, [type]] as const),
]);
const INT_OR_STRING: readonly SchemaType[] = ["integer", "string"];
const UNKNOWN: readonly SchemaType[] = ["unknown"];

export function parseType(type: string): readonly SchemaType[] {
  return TYPES.get(type) ?? UNKNOWN;
}

function parseTypes(props: SchemaProps, path: string, { allowsUnknownTypes }: SchemaBuilder): readonly SchemaType[] {
  if (props.intOrString) return INT_OR_STRING;
  const types = parseType(props.type);
  return types !== UNKNOWN || allowsUnknownTypes
    ? types
    : rejectSchema(`${path}.type`, "is not a type of a structural schema");
}

/** As kube-openapi (pkg/schemaconv) converts it: x-kubernetes-int-or-string counts only without a type, and any format but one makes a string a scalar. */
function parseApplyType({ type, format }: SchemaProps): ApplyType {
  const [known = "unknown"] = parseType(type);
  if (known === "unknown") return "any";
  if (known === "integer") return "number";
  return known === "string" && format !== "" && format !== "byte" ? "scalar" : known;
}

function buildAllowedValues({ enum: values }: SchemaProps): AllowedValues | undefined {
  if (values.length === 0) return undefined;
  return { values, strings: new Set(values.filter((value) => typeof value === "string")) };
}

function getPattern(pattern: string, path: string, patterns: SchemaBuilder["patterns"]): RE2JS {
  try {
    const compiled = patterns.get(pattern) ?? compilePattern(pattern);
    patterns.set(pattern, compiled);
    return compiled;
  } catch (error) {
    return rejectSchema(`${path}.pattern`, `is not a valid regular expression: ${formatError(error)}`);
  }
}

type Children = Pick<StructuralSchema, "properties" | "additionalProperties" | "items">;
const NO_PROPERTIES: StructuralSchema["properties"] = new Map();

function buildChildren(props: SchemaProps, position: SchemaPosition, builder: SchemaBuilder): Children {
  const { additional, items } = props;
  const properties = [...props.properties].map(
    ([name, child]) => [name, buildStructuralSchema(child, enterProperty(position, name), builder)] as const,
  );
  const build = (child: SchemaProps, keyword: string): StructuralSchema =>
    buildStructuralSchema(child, enter(position, keyword, `${position.location}[*]`), builder);
  // Below alternatives and negations, `false` has no effect.
  const isAllowed = position.isNested ? undefined : additional?.allows;
  return {
    properties: properties.length === 0 ? NO_PROPERTIES : new Map(properties),
    additionalProperties: additional?.schema ? build(additional.schema, "additionalProperties") : isAllowed,
    items: items && build(items, "items"),
  };
}

function enterProperty(position: SchemaPosition, name: string): SchemaPosition {
  return enter(position, `properties[${name}]`, position.location === "" ? name : `${position.location}.${name}`);
}

function enter({ path, depth, isNested }: SchemaPosition, step: string, location: string): SchemaPosition {
  return { path: `${path}.${step}`, location, depth: depth + 1, isNested };
}

function buildJunctors(
  props: SchemaProps,
  position: SchemaPosition,
  builder: SchemaBuilder,
): LogicalJunctors | undefined {
  if (!hasJunctors(props)) return undefined;
  const { allOf, anyOf, oneOf, not } = props;
  const build = (child: SchemaProps, step: string): StructuralSchema =>
    buildStructuralSchema(child, { ...enter(position, step, position.location), isNested: true }, builder);
  return {
    allOf: allOf.map((child, i) => build(child, `allOf[${i}]`)),
    anyOf: anyOf.map((child, i) => build(child, `anyOf[${i}]`)),
    oneOf: oneOf.map((child, i) => build(child, `oneOf[${i}]`)),
    not: not && build(not, "not"),
  };
}

/** The most values that one default may contain after nested defaults are applied, because small schemas can multiply them without end. */
const MAX_VALUES = 10_000;

function buildDefault(value: Json, schema: StructuralSchema, path: string): Default {
  const fullValue = applyDefaults(value, schema);
  if (countValues(fullValue) > MAX_VALUES) rejectSchema(`${path}.default`, `holds more than ${MAX_VALUES} values`);
  return { value: fullValue, readValue: dropNulls(fullValue, schema) };
}

/** Counts values until the limit is exceeded. */
function countValues(value: Json): number {
  const pending: Json[] = [value];
  let size = 0;
  for (let next = pending.pop(); next !== undefined && size <= MAX_VALUES; next = pending.pop()) {
    size++;
    if (isList(next)) pending.push(...next.slice(0, MAX_VALUES));
    else if (isObject(next)) pending.push(...Object.values(next).slice(0, MAX_VALUES));
  }
  return size;
}

function collectDefaults(properties: StructuralSchema["properties"]): ReadonlyMap<string, Default> {
  const defaults: (readonly [string, Default])[] = [];
  for (const [name, child] of properties) if (child.default) defaults.push([name, child.default]);
  return new Map(defaults);
}

const NO_RULES: readonly SchemaRule[] = [];

/** Transition rules included. Empty rules are left out. */
function buildRules(props: SchemaProps, { location }: SchemaPosition, builder: SchemaBuilder): readonly SchemaRule[] {
  const written = props.rules.filter(({ rule }) => rule.trim() !== "");
  if (written.length === 0) return NO_RULES;
  const rules = written.map((one): SchemaRule => ({
    ...one,
    fieldPath: formatFieldPath(one.fieldPath, props),
    usesOldSelf: classifyOldSelfUse(one),
    location,
  }));
  for (const rule of rules) builder.programs.set(rule, getProgram(rule, props, builder));
  return rules;
}

/** "" if the schema has no such field. */
function formatFieldPath(path: string, props: SchemaProps): string {
  const found = parseFieldPath(path, props, true);
  return found.kind === "valid" && found.schema !== undefined ? found.text : "";
}

function classifyOldSelfUse({ rule, optionalOldSelf }: RuleProps): SchemaRule["usesOldSelf"] {
  if (!usesOldSelf(rule)) return "no";
  return optionalOldSelf === true ? "perhaps" : "always";
}

/** Equal rules are compiled once, unless what they do depends on their place. */
function getProgram(text: SchemaRule, props: SchemaProps, { programCache, kubernetesMinor }: SchemaBuilder): Program {
  if (needsTypes(text)) return compileRule(text, findType(text, props, kubernetesMinor));
  const key = `${text.rule}\u0000${text.messageExpression}`;
  const program = programCache.get(key) ?? compileRule(text);
  programCache.set(key, program);
  return program;
}

function findType({ location }: SchemaRule, props: SchemaProps, minor: number): Type | undefined {
  return valueType(props, location === "" || props.embedded, minor)?.type;
}

function canRulesSee(types: readonly SchemaType[], { additionalProperties, items }: Children): boolean {
  if (types.length === 0 || types[0] === "unknown") return false;
  if (types[0] === "array") return items?.isVisibleToRules ?? false;
  return types[0] !== "object" || typeof additionalProperties !== "object" || additionalProperties.isVisibleToRules;
}

function parseListType(
  { listType, listMapKeys }: SchemaProps,
  { kubernetesMinor }: SchemaBuilder,
): ListType | undefined {
  if (listType === "set") return { kind: "set" };
  if (listType !== "map") return undefined;
  return { kind: "map", keys: listMapKeys, needsAllKeys: !hasFeature("someListKeys", kubernetesMinor) };
}

/** A schema that can't be compiled. `compileSchema` turns it into an InvalidSchema. */
export class InvalidSchemaError extends Error {
  override readonly name = "RefusedSchema";
}

/** Rejects the schema because of what is at `path`: ".properties[spec].items", "" for the schema itself. */
export function rejectSchema(path: string, why: string): never {
  throw new InvalidSchemaError(`${path === "" ? "the schema" : path.replace(/^\./, "")} ${why}`);
}
