import { type Compiled, compileExpression } from "../rules/compile-rule.ts";
import { LARGEST } from "../cel/cost/estimate.ts";
import { REQUEST_BYTES, type ValueType } from "../cel/check/value-type.ts";
import { parseFieldPath } from "./field-path.ts";
import { type DefinitionReport, leaveUndecided, refuse } from "./report.ts";
import { type RuleContext, buildSelf, times } from "./rule-context.ts";
import type { RuleProps, SchemaProps } from "./schema-props.ts";

const REASONS = ["FieldValueRequired", "FieldValueForbidden", "FieldValueInvalid", "FieldValueDuplicate"];
const LINE_BREAK = /[\n\r]/;

/** Refuses faults of a rule that are found before it is parsed. */
export function requireRuleTexts(schema: SchemaProps, path: string, report: DefinitionReport): void {
  for (const [i, rule] of schema.rules.entries()) {
    const at = `${path}.x-kubernetes-validations[${i}]`;
    requireMessage(rule, at, report);
    if (rule.messageExpression !== "" && rule.messageExpression.trim() === "") {
      refuse(report, `${at}.messageExpression`, "must not be blank");
    }
    if (rule.reason !== undefined && !REASONS.includes(rule.reason)) {
      refuse(report, `${at}.reason`, `must be one of ${REASONS.join(", ")}`);
    }
    if (rule.fieldPath !== "") requireFieldPath(schema, rule.fieldPath, `${at}.fieldPath`, report);
  }
}

/** The API server reports only the first of these. */
function requireMessage({ rule, message }: RuleProps, path: string, report: DefinitionReport): void {
  const [code, text] = [rule.trim(), message.trim()];
  if (code === "") refuse(report, `${path}.rule`, "is required");
  else if (message !== "" && text === "") refuse(report, `${path}.message`, "must not be blank");
  else if (LINE_BREAK.test(text)) refuse(report, `${path}.message`, "must be one line");
  else if (LINE_BREAK.test(code) && text === "")
    refuse(report, `${path}.message`, "is required for a rule of several lines");
}

function requireFieldPath(schema: SchemaProps, fieldPath: string, path: string, report: DefinitionReport): void {
  if (fieldPath.trim() === "") refuse(report, path, "must not be blank");
  if (LINE_BREAK.test(fieldPath)) refuse(report, path, "must be one line");
  const found = parseFieldPath(fieldPath, schema, true);
  if (found.kind === "invalid") refuse(report, path, found.reason);
}

/** The cost limit of one rule, summed over all values of an object that it can apply to. */
const RULE_LIMIT = 10_000_000;
/** The cost limit of all rules of a schema together. */
const SCHEMA_LIMIT = 100_000_000;

/** `uncorrelated`: the path of the schema above within which the API server can't match values with old ones. */
export type RulePlace = {
  readonly context: RuleContext;
  readonly path: string;
  readonly uncorrelated: string | undefined;
  readonly limitsRules: boolean;
};

/** Compiles the rules of a schema and adds up their estimated costs. */
export function requireRules({ rules }: SchemaProps, place: RulePlace, report: DefinitionReport): void {
  const self = buildSelf(place.context);
  if (self === undefined) {
    return refuse(report, `${place.path}.x-kubernetes-validations`, "is not allowed for a value without a type");
  }
  for (const [i, rule] of rules.entries()) {
    requireRule(rule, self, { ...place, path: `${place.path}.x-kubernetes-validations[${i}]` }, report);
  }
}

function requireRule(rule: RuleProps, self: ValueType, place: RulePlace, report: DefinitionReport): void {
  const isOptional = rule.optionalOldSelf ?? false;
  const compiled = compileExpression(rule.rule, "bool", self, isOptional);
  if (!isCompiled(compiled, `${place.path}.rule`, report)) return;
  const count = place.context.count ?? Math.floor(REQUEST_BYTES / (self.leastBytes + 1));
  requireCost(times(compiled.cost, count) ?? LARGEST, `${place.path}.rule`, place, report);
  if (rule.messageExpression !== "") {
    const at = `${place.path}.messageExpression`;
    const message = compileExpression(rule.messageExpression, "string", self, isOptional);
    if (isCompiled(message, at, report)) requireCost(message.cost, at, place, report);
  }
  if (compiled.looksBack && place.uncorrelated !== undefined) {
    refuse(
      report,
      `${place.path}.rule`,
      `must not use oldSelf, because values below ${place.uncorrelated} can't be matched with old ones`,
    );
  }
  if (!compiled.looksBack && rule.optionalOldSelf !== undefined) {
    refuse(report, `${place.path}.optionalOldSelf`, "is only allowed for a rule that uses oldSelf");
  }
}

function isCompiled(
  compiled: Compiled,
  path: string,
  report: DefinitionReport,
): compiled is Extract<Compiled, { kind: "compiled" }> {
  if (compiled.kind === "invalid") refuse(report, path, compiled.why);
  if (compiled.kind === "undecided") leaveUndecided(report, path, compiled.why);
  return compiled.kind === "compiled";
}

function requireCost(cost: number, path: string, { context, limitsRules }: RulePlace, report: DefinitionReport): void {
  context.total.cost = Math.min(context.total.cost + cost, LARGEST);
  if (limitsRules && cost > RULE_LIMIT) refuse(report, path, tooCostly("the rule", cost, RULE_LIMIT));
}

function tooCostly(what: string, cost: number, limit: number): string {
  const times = cost / limit;
  const factor = times > 100 ? "more than 100" : times.toFixed(times < 10 ? 2 : 0);
  return `the estimated cost of ${what} is ${factor} times the limit; set maxLength, maxItems or maxProperties on the values it reads`;
}

export function requireTotalCost(context: RuleContext, path: string, report: DefinitionReport): void {
  const { cost } = context.total;
  if (cost > SCHEMA_LIMIT) refuse(report, path, tooCostly("all rules together", cost, SCHEMA_LIMIT));
}
