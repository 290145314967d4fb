import { buildDefault } from "./defaulting.ts";
import { findFormat } from "./supported-formats.ts";
import {
  type JsonSchema,
  getFlag,
  hasKeyword,
  getNamedSchemas,
  getKeyword,
  rejectSchema,
  getSchema,
  getSchemas,
  joinKeyword,
  getText,
  getTexts,
} from "./json-schema.ts";
import {
  type PatternCache,
  buildAllowedValues,
  buildListLimits,
  buildMapLimits,
  buildNumberLimits,
  buildTextLimits,
} from "./value-limits.ts";
import type {
  Default,
  LogicalJunctors,
  ListType,
  StructuralSchema,
  SchemaRule,
  SchemaType,
  ValidationRule,
} from "./structural/structural-schema.ts";
import { type Program, compileRule } from "./rules/rule-program.ts";
import { formatRuleFieldPath } from "./rules/rule-field-path.ts";
import { parseValidationRules } from "./validation-rules.ts";
import { type SchemaLevel, isIntOrStringAnyOfPattern, requireStructural } from "./structural-requirements.ts";

/** State shared by all nodes of a schema while it is built. */
export type SchemaBuilder = {
  readonly kubernetesMinor: number;
  readonly allowsUnknownTypes: boolean;
  readonly patterns: PatternCache;
  readonly rules: SchemaRule[];
  readonly programs: Map<SchemaRule, Program>;
  /** Keyed by the texts of a rule: equal rules are compiled once. */
  readonly programCache: Map<string, Program>;
  schemaCount: number;
};

/** The position of a node: `location` as rules name it; `canNameTypes` if a nested schema may have a type. */
type SchemaPosition = {
  readonly level: SchemaLevel;
  readonly depth: number;
  readonly location: string;
  readonly canNameTypes: boolean;
};

/** OpenShift's schemas stay below a tenth of these. */
const MAX_SCHEMAS = 100_000;
const MAX_DEPTH = 200;

export function buildStructuralSchema(
  json: JsonSchema,
  position: SchemaPosition,
  builder: SchemaBuilder,
): StructuralSchema {
  if (position.depth > MAX_DEPTH) rejectSchema(json.path.slice(0, 200), `is nested deeper than ${MAX_DEPTH} schemas`);
  if (++builder.schemaCount > MAX_SCHEMAS) rejectSchema("", `holds more than ${MAX_SCHEMAS} schemas`);
  requireStructural(json, position.level, position.canNameTypes);
  const types = parseTypes(json, builder);
  const format = findFormat(getText(json, "format"), types, builder.kubernetesMinor);
  const children = buildChildren(json, position, builder);
  const own = buildExtensions(json, position, children, builder);
  const below = [...children.properties.values(), children.items, children.additionalProperties].filter(
    (child) => typeof child === "object",
  );
  const schema: StructuralSchema = {
    types,
    nullable: getFlag(json, "nullable"),
    format: format.name,
    formatValidator: format.validator,
    enum: buildAllowedValues(json),
    number: buildNumberLimits(json),
    text: buildTextLimits(json, builder.patterns),
    list: buildListLimits(json),
    map: buildMapLimits(json),
    junctors: buildJunctors(json, position, builder),
    ...children,
    defaults: collectDefaults(children.properties),
    default: undefined,
    ...own,
    hasExtensions: own.isEmbeddedResource || own.listType !== undefined || below.some((child) => child.hasExtensions),
    hasRules: own.rules.length > 0 || below.some((child) => child.hasRules),
    isVisibleToRules: canRulesSee(types, children),
  };
  const value = getKeyword(json, "default");
  return value === undefined ? schema : { ...schema, default: buildDefault(value, schema, json) };
}

const TYPES: ReadonlyMap<string, readonly SchemaType[]> = new Map<string, readonly SchemaType[]>([
  ["", []],
  ["array", ["array"]],
  ["boolean", ["boolean"]],
  ["integer", ["integer"]],
  ["number", ["number"]],
  ["object", ["object"]],
  ["string", ["string"]],
]);
const INT_OR_STRING: readonly SchemaType[] = ["integer", "string"];
const UNKNOWN: readonly SchemaType[] = ["unknown"];

function parseTypes(json: JsonSchema, { allowsUnknownTypes }: SchemaBuilder): readonly SchemaType[] {
  if (getFlag(json, "x-kubernetes-int-or-string")) return INT_OR_STRING;
  const types = TYPES.get(getText(json, "type")) ?? (allowsUnknownTypes ? UNKNOWN : undefined);
  return types ?? rejectSchema(joinKeyword(json, "type"), "is not a type of a structural schema");
}

type Children = Pick<StructuralSchema, "properties" | "additionalProperties" | "items">;
const NO_PROPERTIES: StructuralSchema["properties"] = new Map();

function buildChildren(json: JsonSchema, position: SchemaPosition, builder: SchemaBuilder): Children {
  const named = getNamedSchemas(json, "properties");
  const properties = named.map(
    ([name, child]) => [name, buildStructuralSchema(child, enterProperty(position, name), builder)] as const,
  );
  return {
    properties: properties.length === 0 ? NO_PROPERTIES : new Map(properties),
    additionalProperties: buildAdditionalProperties(json, position, builder),
    items: buildItems(json, position, builder),
  };
}

function enterProperty(position: SchemaPosition, name: string): SchemaPosition {
  return enter(position, "field", position.location === "" ? name : `${position.location}.${name}`);
}

function enterElements(position: SchemaPosition, level: SchemaLevel): SchemaPosition {
  return enter(position, level, `${position.location}[*]`);
}

function enter(position: SchemaPosition, below: SchemaLevel, location: string): SchemaPosition {
  const level = position.level === "nested" ? "nested" : below;
  return { level, depth: position.depth + 1, location, canNameTypes: false };
}

function buildAdditionalProperties(
  json: JsonSchema,
  position: SchemaPosition,
  builder: SchemaBuilder,
): StructuralSchema | boolean | undefined {
  const additional = getKeyword(json, "additionalProperties");
  // Below alternatives and negations, `false` has no effect.
  if (additional === undefined || typeof additional === "boolean")
    return position.level === "nested" ? undefined : additional;
  const child = getSchema(json, "additionalProperties");
  return child && buildStructuralSchema(child, enterElements(position, "field"), builder);
}

function buildItems(json: JsonSchema, position: SchemaPosition, builder: SchemaBuilder): StructuralSchema | undefined {
  const child = getSchema(json, "items");
  return child && buildStructuralSchema(child, enterElements(position, "items"), builder);
}

function buildJunctors(
  json: JsonSchema,
  position: SchemaPosition,
  builder: SchemaBuilder,
): LogicalJunctors | undefined {
  if (!["allOf", "anyOf", "oneOf", "not"].some((keyword) => hasKeyword(json, keyword))) return undefined;
  const nested: SchemaPosition = { ...position, level: "nested", depth: position.depth + 1, canNameTypes: false };
  const typed: SchemaPosition = {
    ...nested,
    canNameTypes: isIntOrStringAnyOfPattern(json) && (position.level !== "nested" || position.canNameTypes),
  };
  // The first schema of allOf may contain the anyOf of int-or-string, which names types.
  const first: SchemaPosition = { ...nested, canNameTypes: position.level !== "nested" };
  const not = getSchema(json, "not");
  return {
    allOf: getSchemas(json, "allOf").map((child, i) => buildAllOfBranch(child, i === 0 ? first : nested, builder)),
    anyOf: getSchemas(json, "anyOf").map((child) => buildStructuralSchema(child, typed, builder)),
    oneOf: getSchemas(json, "oneOf").map((child) => buildStructuralSchema(child, nested, builder)),
    not: not && buildStructuralSchema(not, nested, builder),
  };
}

/** The schema's anyOf may name types, but not the schema itself. */
function buildAllOfBranch(json: JsonSchema, position: SchemaPosition, builder: SchemaBuilder): StructuralSchema {
  if (position.canNameTypes && hasKeyword(json, "type")) {
    rejectSchema(joinKeyword(json, "type"), "is not allowed below allOf, anyOf, oneOf or not");
  }
  return buildStructuralSchema(json, position, builder);
}

function collectDefaults(properties: StructuralSchema["properties"]): ReadonlyMap<string, Default> {
  const defaults: (readonly [string, Default])[] = [];
  for (const [name, child] of properties) if (child.default) defaults.push([name, child.default]);
  return new Map(defaults);
}

type SchemaExtensions = Pick<StructuralSchema, "preserveUnknownFields" | "isEmbeddedResource" | "listType" | "rules">;
const NO_RULES: readonly SchemaRule[] = [];

function buildExtensions(
  json: JsonSchema,
  position: SchemaPosition,
  children: Children,
  builder: SchemaBuilder,
): SchemaExtensions {
  const rules = parseValidationRules(json).map((text): SchemaRule => {
    const rule: SchemaRule = {
      ...text,
      fieldPath: formatRuleFieldPath(text.fieldPath, children) ?? "",
      location: position.location,
    };
    builder.programs.set(rule, getProgram(text, builder));
    return rule;
  });
  builder.rules.push(...rules.filter(({ usesOldSelf }) => usesOldSelf !== "always"));
  return {
    preserveUnknownFields: getFlag(json, "x-kubernetes-preserve-unknown-fields"),
    isEmbeddedResource: getFlag(json, "x-kubernetes-embedded-resource"),
    listType: parseListType(json),
    rules: rules.length === 0 ? NO_RULES : rules,
  };
}

/** Equal rules are compiled once. */
function getProgram(text: ValidationRule, builder: SchemaBuilder): Program {
  const key = `${text.rule}\u0000${text.messageExpression}`;
  const cached = builder.programCache.get(key);
  if (cached) return cached;
  const program = compileRule(text);
  builder.programCache.set(key, program);
  return program;
}

function canRulesSee(types: readonly SchemaType[], { additionalProperties, items }: Children): boolean {
  if (types.length === 0 || types[0] === "unknown") return false;
  if (types[0] === "array") return items?.isVisibleToRules ?? false;
  return types[0] !== "object" || typeof additionalProperties !== "object" || additionalProperties.isVisibleToRules;
}

function parseListType(json: JsonSchema): ListType | undefined {
  const type = getText(json, "x-kubernetes-list-type");
  if (type === "set") return { kind: "set" };
  return type === "map" ? { kind: "map", keys: getTexts(json, "x-kubernetes-list-map-keys") } : undefined;
}
