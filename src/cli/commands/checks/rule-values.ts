import type { CompiledCheck } from "../../../data-checks/compile/compile.ts";
import { type Names, declare } from "../../../data-checks/compile/names.ts";
import type { CompiledRule } from "../../../data-checks/compile/rules.ts";
import { type DocumentPlace, formatPlace } from "../../../data-checks/format/fault.ts";
import { type ValueRoom, formatParts, formatValue, findRef } from "../../../data-checks/functions/values.ts";
import { createBudget, createOriginPool } from "../../../data-checks/run/limits.ts";
import { judge } from "../../../data-checks/run/judge.ts";
import type { CheckRun, KeptResults, RuleItem } from "../../../data-checks/run/state.ts";
import { createState, evaluate, listUnserved, listValues } from "../../../data-checks/run/state.ts";
import { dropNulls } from "../../../data-checks/compile/fields.ts";
import type { JsonObject } from "../../../model/json.ts";
import type { CompiledExpression, CelValue, CallExpr, Expr } from "../../../schema/cel/index.ts";
import { DYN, compileObjectExpression, getListValues, jsonToValue, isList } from "../../../schema/cel/index.ts";
import type { Context } from "../../../model/check.ts";
import { formatRef, refOf } from "../../../model/resource.ts";

/** A text of an expression and its value, with those of its parts. */
export type PartValue = { readonly text: string; readonly value: string; readonly parts: readonly PartValue[] };

/** What a rule makes of one object; without one, `object` is empty. */
export type ItemValue = { readonly object: string; readonly whole: PartValue };

/** The condition of a rule for each object. `place`: in the check's document. */
export type RuleValues = {
  readonly place: string;
  /** Of a finding. */
  readonly risk?: string;
  readonly items: readonly ItemValue[];
  /** Why there are no items. */
  readonly problem?: string;
};

/** What was read for a check, and in which update. */
type CheckInput = { readonly context: Context; readonly results: KeptResults };

/** The values of a check's variables and rules. `findText`: of an expression, by its place. */
type ExplainedRules = {
  readonly variables: readonly PartValue[];
  readonly rules: readonly RuleValues[];
  /** What all rules together cost, and what those of an administrator's check may cost, in the API server's units. */
  readonly cost: number;
  readonly limit: number;
};

export function evaluateCheck(
  check: CompiledCheck,
  { context, results }: CheckInput,
  findText: (place: DocumentPlace) => string,
): ExplainedRules {
  const budget = createBudget(createOriginPool());
  const limit = budget.left();
  const values = listValues(check, context, results, listUnserved(check, context.platform, results));
  judge(check, createState("", values, budget), results);
  const state = createState("", values, createBudget(undefined));
  const variables = check.variables.map(({ name, names, code }, i) => {
    const value = valuesOf(state, code, names, findText(["spec", "variables", i, "expression"]));
    return { ...value, text: name };
  });
  const valuesOfRule = (rule: CompiledRule): RuleValues => evaluateRule(state, rule, findText);
  const rules = [
    ...check.notApplicable.map(valuesOfRule),
    ...check.findings.flatMap(([risk, findings]) => findings.map((rule) => ({ ...valuesOfRule(rule), risk }))),
    ...[...check.notices, ...check.unknowns].map(valuesOfRule),
  ];
  return { variables, rules, cost: limit - budget.left(), limit };
}

/** The condition under which a list keeps an object. `text`: of that condition. */
export function evaluateWhere(where: CompiledExpression, text: string, object: JsonObject): ItemValue {
  const state = createState("", new Map(), createBudget(undefined));
  const item = { value: jsonToValue(dropNulls(object)) };
  return { object: formatRef(refOf(object)), whole: valuesOf(state, where, [["object", DYN]], text, item) };
}

function evaluateRule(state: CheckRun, rule: CompiledRule, findText: (place: DocumentPlace) => string): RuleValues {
  const place = formatPlace(rule.place);
  const items = rule.forEach === undefined ? [undefined] : listItems(evaluate(state, rule.forEach, rule.names));
  if (typeof items === "string") return { place, items: [], problem: items };
  const text = rule.when === undefined ? "" : findText([...rule.place, "when"]);
  return {
    place,
    items: items.map((item) => ({
      object: item === undefined ? "" : formatShort(item.value),
      whole:
        rule.when === undefined
          ? { text: "", value: "true", parts: [] }
          : valuesOf(state, rule.when, rule.names, text, item),
    })),
  };
}

/** Or why there are none. */
function listItems(list: CelValue): readonly RuleItem[] | string {
  if (isList(list)) return getListValues(list).map((value) => ({ value }));
  return formatValue(list);
}

function valuesOf(state: CheckRun, code: CompiledExpression, names: Names, text: string, item?: RuleItem): PartValue {
  const value = formatShort(evaluate(state, code, names, item));
  const inner = listParts(code.syntax).flatMap((part) =>
    part.start === 0 && part.end === text.length ? part.parts : [part],
  );
  return { text: toOneLine(text), value, parts: inner.flatMap((part) => partValues(state, names, text, part, item)) };
}

/** A part that can't be compiled alone has no value to show. */
function partValues(
  state: CheckRun,
  names: Names,
  text: string,
  { start, end, parts }: ExpressionPart,
  item: RuleItem | undefined,
): readonly PartValue[] {
  const own = text.slice(start, end);
  const code = compileObjectExpression(own, declare(names));
  const inner = parts.flatMap((part) => partValues(state, names, text, part, item));
  if (code.kind === "fault") return inner;
  return [{ text: toOneLine(own), value: formatShort(evaluate(state, code, names, item)), parts: inner }];
}

function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

const MAX_VALUE = 160;

/** Parts of a value; a list may hold others many times. */
const MOST_PARTS = 1_000;

function formatShort(value: CelValue): string {
  return shorten(formatNamed(value, { left: MOST_PARTS }));
}

/** Objects by their names: what is kept of them says little, and is long. */
function formatNamed(value: CelValue, room: ValueRoom): string {
  room.left--;
  if (isList(value)) return `[${formatParts(getListValues(value), (item) => formatNamed(item, room), room)}]`;
  const ref = findRef(value);
  return ref === undefined ? formatValue(value, room) : formatRef(ref);
}

function shorten(text: string): string {
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}...` : text;
}

/** A part of an expression that has a value of its own, with the parts that it is made of. */
type ExpressionPart = {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly ExpressionPart[];
};

/** The operands and calls of an expression, as far as they stand in its text and need no variable of a macro. */
function listParts(expr: Expr): readonly ExpressionPart[] {
  const { start, end } = expr;
  const parts = listInner(expr);
  const isShown = hasOwnValue(expr);
  return isShown ? [{ start, end, parts: parts.filter((part) => part.start !== start || part.end !== end) }] : parts;
}

function hasOwnValue(expr: Expr): boolean {
  return expr.op !== "literal" && expr.op !== "list" && expr.op !== "map" && expr.op !== "struct";
}

function listInner(expr: Expr): readonly ExpressionPart[] {
  switch (expr.op) {
    case "literal":
    case "ident":
      return [];
    case "select":
      return listOperand(expr.operand);
    case "call":
      return listOfCall(expr);
    case "list":
      return expr.items.flatMap(listParts);
    case "map":
      return expr.entries.flatMap(({ key, value }) => [...listParts(key), ...listParts(value)]);
    case "struct":
      return expr.fields.flatMap(({ value }) => listParts(value));
    case "fold":
      return listOperand(expr.range);
  }
}

/** Steps from a name to a member of it are one part: "object.spec.driver". */
const STEPS = new Set(["_[_]", "_[?_]", "_?._", "orValue", "or"]);

function listOfCall({ name, target, args }: CallExpr): readonly ExpressionPart[] {
  const [first, ...others] = target === undefined ? args : [target, ...args];
  if (first === undefined) return [];
  return [...(STEPS.has(name) ? listOperand(first) : listParts(first)), ...others.flatMap(listParts)];
}

/** What a member is taken of, unless that is a name with members itself. */
function listOperand(operand: Expr): readonly ExpressionPart[] {
  return isPath(operand) ? listInner(operand) : listParts(operand);
}

function isPath(expr: Expr): boolean {
  if (expr.op === "ident") return true;
  if (expr.op === "select") return isPath(expr.operand);
  if (expr.op !== "call" || !STEPS.has(expr.name)) return false;
  const [first] = expr.target === undefined ? expr.args : [expr.target];
  return first !== undefined && isPath(first);
}
