import type { CallExpr, Expr, FoldExpr, ListExpr, MapExpr, SelectExpr } from "../syntax/ast.ts";
import { callEstimate } from "./call-cost.ts";
import type { Checked } from "../check/checker.ts";
import {
  type Coster,
  costNode,
  entriesIn,
  findLocal,
  nameIn,
  newCoster,
  pathIn,
  popLocal,
  pushLocal,
  sizeIn,
  sizeOrUnknown,
  typeIn,
} from "./coster.ts";
import { append, findDataPath } from "./data-path.ts";
import { LARGEST, ONE, type Range, UNKNOWN_SIZE, ZERO, add, fixed, multiply, union } from "./estimate.ts";
import type { ValueType } from "../check/value-type.ts";

/** The maximum cost of an expression, in the API server's units, over all objects that the schema allows. */
export function estimateCost(checked: Checked, root: ValueType): number {
  return cost(checked.expr, newCoster(checked, root)).max;
}

function cost(expr: Expr, coster: Coster): Range {
  const name = nameIn(coster, expr);
  if (name !== undefined) return nameCost(expr, name, coster);
  switch (expr.op) {
    case "select":
      return selectCost(expr, coster);
    case "call":
      return callCost(expr, coster);
    case "list":
      return listCost(expr, coster);
    case "map":
      return mapCost(expr, coster);
    case "fold":
      return isBinding(expr) ? bindingCost(expr, coster) : foldCost(expr, coster);
    case "literal":
    case "ident":
    case "struct":
      return ZERO;
  }
}

function nameCost(expr: Expr, name: string, coster: Coster): Range {
  coster.paths.set(expr, findLocal(coster, name)?.path ?? findDataPath(name));
  return ONE;
}

function selectCost(expr: SelectExpr, coster: Coster): Range {
  const operand = cost(expr.operand, coster);
  if (expr.isTest) return operand;
  coster.paths.set(expr, append(pathIn(coster, expr.operand), expr.field));
  const { kind } = typeIn(coster, expr.operand);
  return ["map", "struct", "parameter"].includes(kind) ? add(operand, ONE) : operand;
}

function callCost(expr: CallExpr, coster: Coster): Range {
  const [first] = expr.args;
  if (expr.name === "dyn" && first !== undefined) {
    const argument = cost(first, coster);
    copySizes(expr, first, coster);
    return add(argument, ONE);
  }
  const nodes: { readonly cost: Range; readonly node: ReturnType<typeof costNode> }[] = [];
  for (const arg of expr.args) nodes.push({ cost: cost(arg, coster), node: costNode(coster, arg) });
  const overloads = coster.checked.overloads.get(expr) ?? [];
  const { target } = expr;
  const isMethod = target !== undefined && !coster.checked.functions.has(expr);
  const called = isMethod ? cost(target, coster) : ZERO;
  const call = {
    expr,
    name: coster.checked.functions.get(expr) ?? expr.name.replace(/^\./, ""),
    target: isMethod ? costNode(coster, target) : undefined,
    args: nodes.map(({ node }) => node),
    costs: nodes.map((arg) => arg.cost),
  };
  let [total, size]: [Range, Range | undefined] = [{ min: LARGEST, max: 0 }, undefined];
  for (const overload of overloads) {
    const estimate = callEstimate(call, overload, coster);
    total = union(total, estimate.cost);
    if (estimate.size) size = size ? union(size, estimate.size) : estimate.size;
    size = indexSize(expr, overload, size, coster) ?? sizeIn(coster, expr);
  }
  if (size) coster.sizes.set(expr, size);
  return add(called, total);
}

/** The size of an indexed value is that of the elements of the list or map. */
function indexSize(expr: CallExpr, overload: string, size: Range | undefined, coster: Coster): Range | undefined {
  const step = INDEXES.get(overload);
  const [operand] = expr.args;
  if (step === undefined || operand === undefined) return size;
  coster.paths.set(expr, append(pathIn(coster, operand), step));
  return entriesIn(coster, operand)?.value;
}

const INDEXES: ReadonlyMap<string, string> = new Map([
  ["_[_] (list(A), int)", "@items"],
  ["_[_] (map(A, B), A)", "@values"],
]);

function copySizes(to: Expr, from: Expr, coster: Coster): void {
  const [size, entries] = [sizeIn(coster, from), entriesIn(coster, from)];
  if (size) coster.sizes.set(to, size);
  if (entries) coster.entries.set(to, entries);
}

const LIST_COST = fixed(10);
const MAP_COST = fixed(30);

function listCost(expr: ListExpr, coster: Coster): Range {
  let [total, value] = [ZERO, noSize(expr.items.length)];
  for (const item of expr.items) {
    total = add(total, cost(item, coster));
    value = union(value, sizeOrUnknown(coster, item));
  }
  coster.entries.set(expr, { isList: true, key: ONE, value });
  return add(total, LIST_COST);
}

function noSize(count: number): Range {
  return { min: count === 0 ? 0 : LARGEST, max: 0 };
}

function mapCost(expr: MapExpr, coster: Coster): Range {
  let total = ZERO;
  let [key, value] = [noSize(expr.entries.length), noSize(expr.entries.length)];
  for (const entry of expr.entries) {
    total = add(total, cost(entry.key, coster), cost(entry.value, coster));
    key = union(key, sizeOrUnknown(coster, entry.key));
    value = union(value, sizeOrUnknown(coster, entry.value));
  }
  coster.entries.set(expr, { isList: false, key, value });
  return add(total, MAP_COST);
}

/** A fold over an empty list, which only binds a name to a value. */
function isBinding({ range, condition, accumulator }: FoldExpr): boolean {
  const isNever = condition.op === "literal" && condition.literal.kind === "bool" && !condition.literal.value;
  return range.op === "list" && range.items.length === 0 && isNever && accumulator !== "__result__";
}

function bindingCost(expr: FoldExpr, coster: Coster): Range {
  const start = add(cost(expr.range, coster), cost(expr.init, coster));
  pushAccumulator(expr, coster);
  const total = add(start, cost(expr.result, coster));
  popLocal(coster, expr.accumulator);
  copySizes(expr, expr.result, coster);
  return total;
}

function pushAccumulator({ accumulator, init }: FoldExpr, coster: Coster): void {
  const [path, entries] = [pathIn(coster, init), entriesIn(coster, init)];
  pushLocal(coster, accumulator, { path, size: sizeIn(coster, init), entries });
}

function foldCost(expr: FoldExpr, coster: Coster): Range {
  const start = add(cost(expr.range, coster), cost(expr.init, coster));
  pushAccumulator(expr, coster);
  pushVariables(expr, coster);
  const each = add(cost(expr.condition, coster), cost(expr.step, coster));
  popLocal(coster, expr.variable);
  if (expr.second !== undefined) popLocal(coster, expr.second);
  const total = add(start, cost(expr.result, coster));
  popLocal(coster, expr.accumulator);
  const count = sizeIn(coster, expr.range) ?? UNKNOWN_SIZE;
  rememberFoldSize(expr, count, coster);
  return add(total, multiply(count, each));
}

function rememberFoldSize(expr: FoldExpr, count: Range, coster: Coster): void {
  if (expr.init.op === "literal") {
    const size = sizeIn(coster, expr.init);
    if (size) coster.sizes.set(expr, size);
  }
  if (expr.init.op !== "list" && expr.init.op !== "map") return;
  coster.sizes.set(expr, count);
  const made = entriesIn(coster, expr.step);
  if (made) coster.entries.set(expr, made);
}

function pushVariables(expr: FoldExpr, coster: Coster): void {
  const entries = entriesIn(coster, expr.range);
  const isList = entries ? entries.isList : typeIn(coster, expr.range).kind === "list";
  const push = (name: string, step: string, size: Range | undefined): void => {
    pushLocal(coster, name, { path: append(pathIn(coster, expr.range), step), size, entries: undefined });
  };
  if (expr.second === undefined) {
    push(expr.variable, isList ? "@items" : "@keys", isList ? entries?.value : entries?.key);
    return;
  }
  push(expr.variable, isList ? "@indices" : "@keys", entries?.key);
  push(expr.second, isList ? "@items" : "@values", entries?.value);
}
