import type { CallExpr, Expr, FoldExpr, ListExpr, MapExpr, SelectExpr } from "../syntax/ast.ts";
import type { ValueType } from "../types/types.ts";
import { estimateOverload } from "./function-estimates.ts";
import type { Checked } from "../check/type-check.ts";
import type { CostNode, Coster, EstimateRules, Range } from "./coster.ts";
import {
  copySizes,
  costNode,
  entriesIn,
  findLocal,
  newCoster,
  pathIn,
  popLocal,
  pushLocal,
  sizeIn,
  sizeOrUnknown,
  typeIn,
  NO_PATH,
  append,
  findDataPath,
  LARGEST,
  ONE,
  UNKNOWN_SIZE,
  ZERO,
  add,
  fixed,
  multiply,
  union,
} from "./coster.ts";

type Estimation = Coster & Pick<Checked, "functions" | "overloads">;

/** The maximum cost of an expression, in the API server's units, over all objects that the schema allows. */
export function estimateCost(checked: Checked, root: ValueType, rules: EstimateRules): number {
  return estimate(checked.expr, { ...checked, ...newCoster(checked, root, rules) }).max;
}

function estimate(expr: Expr, coster: Estimation): Range {
  const name = coster.names.get(expr);
  if (name !== undefined) return estimateName(expr, name, coster);
  switch (expr.op) {
    case "select":
      return estimateSelection(expr, coster);
    case "call":
      return estimateCall(expr, coster);
    case "list":
      return estimateList(expr, coster);
    case "map":
      return estimateMap(expr, coster);
    case "fold":
      return coster.rules.tracksEntries && isBinding(expr) ? estimateBinding(expr, coster) : estimateFold(expr, coster);
    case "struct":
      return add(STRUCT_COST, ...expr.fields.map(({ value }) => estimate(value, coster)));
    case "literal":
    case "ident":
      return ZERO;
  }
}

function estimateName(expr: Expr, name: string, coster: Estimation): Range {
  coster.paths.set(expr, findLocal(coster, name)?.path ?? findDataPath(name));
  return ONE;
}

function estimateSelection(expr: SelectExpr, coster: Estimation): Range {
  const operand = estimate(expr.operand, coster);
  if (expr.isTest) return operand;
  coster.paths.set(expr, append(pathIn(coster, expr.operand), expr.field));
  const { kind } = typeIn(coster, expr.operand);
  return ["map", "struct", "parameter"].includes(kind) ? add(operand, ONE) : operand;
}

function estimateCall(expr: CallExpr, coster: Estimation): Range {
  const nodes: { readonly cost: Range; readonly node: CostNode }[] = [];
  for (const arg of expr.args) nodes.push({ cost: estimate(arg, coster), node: costNode(coster, arg) });
  const args = nodes.map(({ node }) => node);
  const costs = nodes.map(({ cost }) => cost);
  const target = coster.functions.has(expr) ? undefined : expr.target;
  const called = target ? estimate(target, coster) : ZERO;
  const operands = target ? [costNode(coster, target), ...args] : args;
  let total: Range = { min: LARGEST, max: 0 };
  let size: Range | undefined;
  for (const overload of coster.overloads.get(expr) ?? []) {
    const result = estimateOverload({ expr, overload, operands, costs, coster });
    total = union(total, result.cost);
    if (result.size) size = size ? union(size, result.size) : result.size;
    if (coster.rules.tracksEntries) size ??= sizeIn(coster, expr);
  }
  if (size) coster.sizes.set(expr, size);
  return add(called, total);
}

const LIST_COST = fixed(10);
const MAP_COST = fixed(30);
const STRUCT_COST = fixed(40);

function estimateList(expr: ListExpr, coster: Estimation): Range {
  let total = ZERO;
  let value = noSize(expr.items.length);
  for (const item of expr.items) {
    total = add(total, estimate(item, coster));
    value = union(value, sizeOrUnknown(coster, item));
  }
  coster.entries.set(expr, { isList: true, key: ONE, value });
  return add(total, LIST_COST);
}

function noSize(count: number): Range {
  return { min: count === 0 ? 0 : LARGEST, max: 0 };
}

function estimateMap(expr: MapExpr, coster: Estimation): Range {
  let total = ZERO;
  let key = noSize(expr.entries.length);
  let value = noSize(expr.entries.length);
  for (const entry of expr.entries) {
    total = add(total, estimate(entry.key, coster), estimate(entry.value, coster));
    key = union(key, sizeOrUnknown(coster, entry.key));
    value = union(value, sizeOrUnknown(coster, entry.value));
  }
  coster.entries.set(expr, { isList: false, key, value });
  return add(total, MAP_COST);
}

/** A fold over an empty list, which only binds a name to a value. */
function isBinding({ range, condition, accumulator }: FoldExpr): boolean {
  const isNever = condition.op === "literal" && condition.value === false;
  return range.op === "list" && range.items.length === 0 && isNever && accumulator !== "__result__";
}

function estimateBinding(expr: FoldExpr, coster: Estimation): Range {
  const start = add(estimate(expr.range, coster), estimate(expr.init, coster));
  pushAccumulator(expr, coster);
  const total = add(start, estimate(expr.result, coster));
  popLocal(coster, expr.accumulator);
  copySizes(expr, expr.result, coster);
  return total;
}

function pushAccumulator({ accumulator, init }: FoldExpr, coster: Estimation): void {
  if (!coster.rules.tracksEntries) return;
  const path = pathIn(coster, init);
  const entries = entriesIn(coster, init);
  pushLocal(coster, accumulator, { path, size: sizeIn(coster, init), entries });
}

function estimateFold(expr: FoldExpr, coster: Estimation): Range {
  const { tracksEntries } = coster.rules;
  const start = add(estimate(expr.range, coster), estimate(expr.init, coster));
  pushAccumulator(expr, coster);
  pushVariables(expr, coster);
  const each = add(estimate(expr.condition, coster), estimate(expr.step, coster));
  popLocal(coster, expr.variable);
  if (tracksEntries && expr.second !== undefined) popLocal(coster, expr.second);
  const total = add(start, estimate(expr.result, coster));
  if (tracksEntries) popLocal(coster, expr.accumulator);
  const count = sizeIn(coster, expr.range) ?? UNKNOWN_SIZE;
  rememberFoldSize(expr, count, coster);
  return add(total, multiply(count, each));
}

function rememberFoldSize(expr: FoldExpr, count: Range, coster: Estimation): void {
  if (!coster.rules.tracksEntries) {
    coster.sizes.set(expr, count);
    return;
  }
  if (expr.init.op === "literal") {
    const size = sizeIn(coster, expr.init);
    if (size) coster.sizes.set(expr, size);
  }
  if (expr.init.op !== "list" && expr.init.op !== "map") return;
  coster.sizes.set(expr, count);
  const made = entriesIn(coster, expr.step);
  if (made) coster.entries.set(expr, made);
}

function pushVariables(expr: FoldExpr, coster: Estimation): void {
  const entries = entriesIn(coster, expr.range);
  const { kind } = typeIn(coster, expr.range);
  const isList = entries ? entries.isList : kind === "list";
  const push = (name: string, step: string, size: Range | undefined): void => {
    pushLocal(coster, name, { path: append(pathIn(coster, expr.range), step), size, entries: undefined });
  };
  if (!coster.rules.tracksEntries && !isList && kind !== "map") {
    pushLocal(coster, expr.variable, { path: NO_PATH, size: undefined, entries: undefined });
    return;
  }
  if (!coster.rules.tracksEntries || expr.second === undefined) {
    push(expr.variable, isList ? "@items" : "@keys", isList ? entries?.value : entries?.key);
    return;
  }
  push(expr.variable, isList ? "@indices" : "@keys", entries?.key);
  push(expr.second, isList ? "@items" : "@values", entries?.value);
}
