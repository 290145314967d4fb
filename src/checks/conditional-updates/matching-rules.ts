import { type Json, textAt } from "../../model/json.ts";
import type { QueryAnswer } from "../../model/reader.ts";
import { joinNames } from "../../model/names.ts";
import { quote } from "../../model/quote.ts";

/** What the rules of a risk say. `why`: a clause with its own subject. */
export type RuleVerdict =
  | { readonly kind: "applies"; readonly to: "everyone" | "thisCluster" }
  | { readonly kind: "doesNotApply" }
  | { readonly kind: "unknown"; readonly why: string };

/** The answers of the cluster's monitoring by expression; undefined for one that was left out because there are too many. */
export type QueryAnswers = (expression: string) => QueryAnswer | undefined;

/**
 * Walks the rules in their order, as the cluster-version operator does: the first that can be evaluated decides. One that the operator could
 * evaluate and that was not asked decides nothing, nor do those behind it.
 */
export function evaluateRules(rules: readonly Json[], answers: QueryAnswers): RuleVerdict {
  const failures: string[] = [];
  for (const rule of rules) {
    const type = textAt(rule, "type") ?? "";
    if (type === "Always") return { kind: "applies", to: "everyone" };
    const verdict = type === "PromQL" ? evaluateQuery(rule, answers) : describeUnknownType(type);
    if (typeof verdict !== "string") return verdict;
    failures.push(verdict);
  }
  return { kind: "unknown", why: failures.length === 0 ? "it has no rule" : joinNames(failures) };
}

/** The expressions that the rules need, up to the first rule that always decides. */
export function listExpressions(rules: readonly Json[]): readonly string[] {
  const end = rules.findIndex((rule) => textAt(rule, "type") === "Always");
  return rules.slice(0, end === -1 ? rules.length : end).flatMap((rule) => findExpression(rule) ?? []);
}

function findExpression(rule: Json): string | undefined {
  return textAt(rule, "type") === "PromQL" ? textAt(rule, "promql", "promql") || undefined : undefined;
}

const MAX_TYPE_LENGTH = 40;

function describeUnknownType(type: string): string {
  return `its rule is of the type "${quote(type, MAX_TYPE_LENGTH)}", which preflight does not know`;
}

/** A text says why the rule could not be evaluated. */
function evaluateQuery(rule: Json, answers: QueryAnswers): RuleVerdict | string {
  const expression = findExpression(rule);
  if (expression === undefined) return "its rule has no expression";
  const answer = answers(expression);
  switch (answer?.kind) {
    case undefined:
      return { kind: "unknown", why: "too many other rules were to be evaluated" };
    case "notAllowed":
      return { kind: "unknown", why: `${MONITORING} was not asked (--promql)` };
    case "failed":
      return { kind: "unknown", why: `${MONITORING} could not be asked (${answer.message})` };
    case "noVector":
      return `${MONITORING} can't evaluate its rule (${answer.message})`;
    case "vector":
      return evaluateVector(answer.values);
  }
}

const MONITORING = "the cluster's monitoring";

/** 1 is a match, 0 is none, and nothing else is an answer. */
function evaluateVector(values: readonly number[]): RuleVerdict | string {
  const [value, ...others] = values;
  if (value === undefined) return `${MONITORING} has no data for its rule`;
  if (others.length > 0) return `${MONITORING} has ${values.length} series for its rule instead of one`;
  if (value === 1) return { kind: "applies", to: "thisCluster" };
  return value === 0 ? { kind: "doesNotApply" } : `${MONITORING} gives its rule the value ${value}, neither 0 nor 1`;
}
