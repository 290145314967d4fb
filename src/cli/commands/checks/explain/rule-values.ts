import type { CompiledCheck } from "../../../../data-checks/compile/compile.ts";
import { type Names, declare } from "../../../../data-checks/compile/names.ts";
import type { CompiledRule } from "../../../../data-checks/compile/rules.ts";
import { type DocumentPlace, formatPlace } from "../../../../data-checks/fault.ts";
import { formatValue } from "../../../../data-checks/format-value.ts";
import { createBudget, createOriginPool } from "../../../../data-checks/run/budget.ts";
import { judge } from "../../../../data-checks/run/judge.ts";
import { findRef } from "../../../../data-checks/run/object-refs.ts";
import {
  type CheckRun,
  type KeptResults,
  type RuleItem,
  createState,
  evaluate,
  listValues,
} from "../../../../data-checks/run/state.ts";
import { dropNulls } from "../../../../data-checks/fields.ts";
import type { JsonObject } from "../../../../model/json.ts";
import {
  DYN,
  type CompiledExpression,
  compileObjectExpression,
  getListValues,
  jsonToValue,
  type CelValue,
  isList,
} from "../../../../schema/cel/index.ts";
import type { Context } from "../../../../model/check.ts";
import { formatRef, refOf } from "../../../../model/resource.ts";
import { type ExpressionPart, listParts } from "./parts.ts";

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
export type CheckInput = { readonly context: Context; readonly results: KeptResults };

/** The values of a check's variables and rules. `findText`: of an expression, by its place. */
export type ExplainedRules = {
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
  judge(check, createState("", listValues(check, context, results), budget), results);
  const state = createState("", listValues(check, context, results), createBudget(undefined));
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

function formatShort(value: CelValue): string {
  return shorten(formatNamed(value));
}

/** Objects by their names: what is kept of them says little, and is long. */
function formatNamed(value: CelValue): string {
  if (isList(value)) return `[${getListValues(value).map(formatNamed).join(", ")}]`;
  const ref = findRef(value);
  return ref === undefined ? formatValue(value) : formatRef(ref);
}

function shorten(text: string): string {
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}...` : text;
}
