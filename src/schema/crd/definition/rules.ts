import { type Compiled, compileExpression, parseFieldPath } from "../rules/rule-language.ts";
import { type ValueType, LARGEST, REQUEST_BYTES, escapeName, valueType } from "../../cel/index.ts";
import type { Options } from "./spec.ts";
import { type Place, type RuleProps, type SchemaProps, enter, leaveUndecided, refuse } from "../../openapi/index.ts";

const REASONS = ["FieldValueRequired", "FieldValueForbidden", "FieldValueInvalid", "FieldValueDuplicate"];
const LINE_BREAK = /[\n\r]/;

/** Refuses faults of a rule that are found before it is parsed. */
export function requireRuleTexts(schema: SchemaProps, schemaPlace: Place): void {
  for (const [i, rule] of schema.rules.entries()) {
    const place = enter(schemaPlace, `.x-kubernetes-validations[${i}]`);
    requireMessage(rule, place);
    if (rule.messageExpression !== "" && rule.messageExpression.trim() === "") {
      refuse(place, ".messageExpression", "must not be blank");
    }
    if (rule.reason !== undefined && !REASONS.includes(rule.reason)) {
      refuse(place, ".reason", `must be one of ${REASONS.join(", ")}`);
    }
    if (rule.fieldPath !== "") requireFieldPath(schema, rule.fieldPath, enter(place, ".fieldPath"));
  }
}

/** The API server reports only the first of these. */
function requireMessage({ rule, message }: RuleProps, place: Place): void {
  const code = rule.trim();
  const text = message.trim();
  if (code === "") refuse(place, ".rule", "is required");
  else if (message !== "" && text === "") refuse(place, ".message", "must not be blank");
  else if (LINE_BREAK.test(text)) refuse(place, ".message", "must be one line");
  else if (LINE_BREAK.test(code) && text === "") refuse(place, ".message", "is required for a rule of several lines");
}

function requireFieldPath(schema: SchemaProps, fieldPath: string, place: Place): void {
  if (fieldPath.trim() === "") refuse(place, "", "must not be blank");
  if (LINE_BREAK.test(fieldPath)) refuse(place, "", "must be one line");
  const found = parseFieldPath(fieldPath, schema, true);
  if (found.kind === "invalid") refuse(place, "", found.reason);
}

/** The cost limit of one rule, summed over all values of an object that it can apply to. */
const RULE_LIMIT = 10_000_000;
/** The cost limit of all rules of a schema together. */
const SCHEMA_LIMIT = 100_000_000;

/** The position of a schema's rules. `uncorrelated`: the path of the schema above within which the API server can't match values with old ones. */
type RulePlace = Place &
  Pick<Options, "installedRules" | "installedMessages"> & {
    readonly context: RuleContext;
    readonly uncorrelated: string | undefined;
    readonly limitsRules: boolean;
  };

/** Compiles the rules of a schema and adds up their estimated costs. */
export function requireRules({ rules }: SchemaProps, place: RulePlace): void {
  const self = buildSelf(place.context);
  if (self === undefined) {
    return refuse(place, ".x-kubernetes-validations", "is not allowed for a value without a type");
  }
  for (const [i, rule] of rules.entries()) {
    requireRule(rule, self, { ...place, path: `${place.path}.x-kubernetes-validations[${i}]` });
  }
}

function requireRule(rule: RuleProps, self: ValueType, place: RulePlace): void {
  const expression = { text: rule.rule, result: "bool", self, optionalOld: rule.optionalOldSelf ?? false } as const;
  const compiled = compileExpression(expression, place.minor, !place.installedRules.has(rule.rule));
  if (!isCompiled(compiled, ".rule", place)) return;
  const count = place.context.count ?? Math.floor(REQUEST_BYTES / (self.leastBytes + 1));
  requireCost(times(compiled.cost, count) ?? LARGEST, ".rule", place);
  if (rule.messageExpression !== "") {
    const isNew = !place.installedMessages.has(rule.messageExpression);
    const text = { ...expression, text: rule.messageExpression, result: "string" } as const;
    const message = compileExpression(text, place.minor, isNew);
    if (isCompiled(message, ".messageExpression", place)) requireCost(message.cost, ".messageExpression", place);
  }
  if (compiled.looksBack && place.uncorrelated !== undefined) {
    const reason = `must not use oldSelf, because values below ${place.uncorrelated} can't be matched with old ones`;
    refuse(place, ".rule", reason);
  }
  if (!compiled.looksBack && rule.optionalOldSelf !== undefined) {
    refuse(place, ".optionalOldSelf", "is only allowed for a rule that uses oldSelf");
  }
}

type CompiledRule = Extract<Compiled, { kind: "compiled" }>;

function isCompiled(compiled: Compiled, step: string, place: Place): compiled is CompiledRule {
  if (compiled.kind === "invalid") refuse(place, step, compiled.why);
  if (compiled.kind === "undecided") leaveUndecided(place, step, compiled.why);
  return compiled.kind === "compiled";
}

function requireCost(cost: number, step: string, place: RulePlace): void {
  const { total } = place.context;
  total.cost = Math.min(total.cost + cost, LARGEST);
  if (place.limitsRules && cost > RULE_LIMIT) refuse(place, step, tooCostly("the rule", cost, RULE_LIMIT));
}

function tooCostly(what: string, cost: number, limit: number): string {
  const times = cost / limit;
  const factor = times > 100 ? "more than 100" : times.toFixed(times < 10 ? 2 : 0);
  return `the estimated cost of ${what} is ${factor} times the limit; set maxLength, maxItems or maxProperties on the values it reads`;
}

export function requireTotalCost({ total }: RuleContext, place: Place): void {
  if (total.cost > SCHEMA_LIMIT) refuse(place, "", tooCostly("all rules together", total.cost, SCHEMA_LIMIT));
}

/**
 * The position of rules in a schema: the type of `self`, and how many such values an object can have (undefined: unbounded).
 * `total` is the cost of all rules of the schema together.
 */
export type RuleContext = {
  readonly schema: SchemaProps;
  readonly parent: RuleContext | undefined;
  readonly below: (above: ValueType) => ValueType | undefined;
  readonly isInScope: boolean;
  readonly count: number | undefined;
  readonly total: { cost: number };
  readonly minor: number;
  self: { readonly type: ValueType | undefined } | undefined;
};

export function rootContext(schema: SchemaProps, minor: number): RuleContext {
  const isInScope = schema.rules.length > 0;
  const root = { schema, parent: undefined, below: () => undefined, isInScope, count: 1, total: { cost: 0 } };
  return { ...root, minor, self: undefined };
}

export function propertyContext(
  parent: RuleContext | undefined,
  schema: SchemaProps,
  name: string,
): RuleContext | undefined {
  const field = escapeName(name);
  if (parent === undefined) return undefined;
  const own = (): ValueType | undefined => valueType(schema, schema.embedded, parent.minor);
  return context(parent, schema, ({ fields }) => (field === undefined ? own() : (fields?.get(field) ?? own())));
}

/** Of the items of a list, or of the values of a map. */
export function elementContext(parent: RuleContext | undefined, schema: SchemaProps): RuleContext | undefined {
  return parent && context(parent, schema, (type) => type.element);
}

function context(parent: RuleContext, schema: SchemaProps, below: RuleContext["below"]): RuleContext {
  return {
    schema,
    parent,
    below,
    isInScope: parent.isInScope || schema.rules.length > 0,
    count: parent.count === undefined ? undefined : times(parent.count, mostBelow(parent.schema)),
    total: parent.total,
    minor: parent.minor,
    self: undefined,
  };
}

function times(count: number, each: number | undefined): number | undefined {
  return each === undefined ? undefined : Math.min(count * each, LARGEST);
}

/** How many values of a child schema one value can contain. */
function mostBelow(schema: SchemaProps): number | undefined {
  if (schema.type === "array") return schema.limits.maxItems && Math.max(0, schema.limits.maxItems);
  return schema.type === "object" && schema.additional
    ? schema.limits.maxProperties && Math.max(0, schema.limits.maxProperties)
    : 1;
}

/** The type of `self`: as rules above see it, or else from the schema itself. Nothing is seen below what rules above can't see. */
function buildSelf(here: RuleContext): ValueType | undefined {
  here.self ??= { type: findSelf(here) };
  return here.self.type;
}

function findSelf({ parent, below, schema, minor }: RuleContext): ValueType | undefined {
  if (!parent?.isInScope) return valueType(schema, parent === undefined || schema.embedded, minor);
  const above = buildSelf(parent);
  return above && below(above);
}
