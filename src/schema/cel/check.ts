import { type Json, isList, isObject } from "../../model/json.ts";
import { type Node, type Rule, additionalNode } from "../node.ts";
import { type Path, bracketText } from "../path.ts";
import { type Errors, type ErrorType, type NotEvaluated, addError } from "../verdict.ts";
import { evaluateRule } from "./rule.ts";
import { NOTHING, NotJudged, optional, type Value } from "./value.ts";
import { forgives, type Within, withinField, withinItem } from "./within.ts";
import { wrap } from "./wrap.ts";

/** What is left of the object's budget (negative: no further rule is run), and the rules that were not evaluated. */
export type RuleRun = {
  readonly path: Path;
  readonly errors: Errors;
  readonly met: Map<Rule, NotEvaluated>;
  left: number;
  /** In an update of a stored object, where the API server ratchets. */
  within?: Within | undefined;
};

/** The most that all rules of one object may cost together (RuntimeCELCostBudget). */
export const OBJECT_BUDGET = 10_000_000;

/** Runs the rules that stand at the value and below it, in the API server's order; none stands at a null. */
export function checkRules(node: Node, value: Json, run: RuleRun): void {
  if (!node.hasRules || !node.visible || value === null || run.left < 0) return;
  if (node.rules.length > 0) checkHere(node, value, run);
  if (run.left < 0) return;
  if (isList(value)) checkItems(node, value, run);
  else if (isObject(value)) checkFields(node, value, run);
}

function checkHere(node: Node, value: Json, run: RuleRun): void {
  if (run.left <= 0) {
    const message = "validation failed due to running out of cost budget, no further validation rules will be run";
    addError(run.errors, { type: "FieldValueInvalid", path: bracketText(run.path), message });
    run.left = -1;
    return;
  }
  const self = selfOf(node, value, run);
  for (const rule of node.rules) {
    if (self === undefined && rule.looksBack === "always" && !run.within) continue;
    if (self === undefined) leave(rule, run);
    else if (run.left >= 0) checkRule(rule, node, self, run);
  }
}

/** Undefined where the value itself can't be read exactly. */
function selfOf(node: Node, value: Json, run: RuleRun): Value | undefined {
  try {
    return wrap(value, node, run.path.length === 0);
  } catch (error) {
    if (error instanceof NotJudged) return undefined;
    throw error;
  }
}

function leave(rule: Rule, run: RuleRun): void {
  if (run.met.has(rule)) return;
  run.met.set(rule, { path: bracketText(run.path), location: rule.location, rule: rule.rule });
}

function checkRule(rule: Rule, node: Node, self: Value, run: RuleRun): void {
  const replaced = run.within?.current;
  if (rule.looksBack === "always" && !replaced) return;
  const old = replaced && rule.looksBack !== "no" ? selfOf(node, replaced.old, run) : NOTHING;
  if (old === undefined) return leave(rule, run);
  const seen = rule.looksBack === "perhaps" && replaced ? optional(old) : old;
  const outcome = evaluateRule(rule.program, rule, self, run.left, seen);
  if (outcome.kind === "notEvaluated") {
    leave(rule, run);
    return;
  }
  run.left -= outcome.cost;
  if (outcome.kind === "holds") return;
  if (!outcome.isError && rule.looksBack === "no" && run.within && forgives(run.within)) return;
  const path = outcome.isError ? bracketText(run.path) : failurePath(rule, run.path);
  addError(run.errors, {
    type: outcome.isError ? "FieldValueInvalid" : typeOf(rule.reason),
    path,
    message: outcome.message,
  });
  if (outcome.stops) run.left = -1;
}

function failurePath(rule: Rule, path: Path): string {
  return rule.fieldPath === "" ? bracketText(path) : bracketText([...path, rule.fieldPath]);
}

function typeOf(reason: string): ErrorType {
  switch (reason) {
    case "FieldValueForbidden":
    case "FieldValueRequired":
    case "FieldValueDuplicate":
      return reason;
    default:
      return "FieldValueInvalid";
  }
}

function checkItems(node: Node, list: readonly Json[], run: RuleRun): void {
  if (!node.items?.hasRules) return;
  const { within } = run;
  for (const [i, item] of list.entries()) {
    run.path.push(i);
    run.within = within && withinItem(within, i);
    checkRules(node.items, item, run);
    run.path.pop();
  }
  run.within = within;
}

function checkFields(node: Node, map: { readonly [key: string]: Json }, run: RuleRun): void {
  const additional = additionalNode(node);
  const { within } = run;
  for (const key of Object.keys(map)) {
    const property = node.properties.get(key);
    const child = property ?? additional;
    const value = map[key];
    if (!child?.hasRules || value === undefined) continue;
    run.path.push(property ? key : { key });
    run.within = within && withinField(within, key);
    checkRules(child, value, run);
    run.path.pop();
  }
  run.within = within;
}
