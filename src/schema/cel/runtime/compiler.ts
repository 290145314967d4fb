import { isTypeName } from "../check/scope.ts";
import { type Expr, type ListExpr, type MapExpr, type SelectExpr, qualifiedName } from "../syntax/ast.ts";
import { CompileError } from "../syntax/compile-error.ts";
import { type Interpretable, charge, isArguments, evaluateAll } from "./activation.ts";
import { type Environment, beginsWithVariable } from "./environment.ts";
import { compileFold } from "./folds.ts";
import { compileCall } from "./function-calls.ts";
import { hasField, selectField } from "./selection.ts";
import {
  NO_OVERLOAD,
  type CelValue,
  buildList,
  formatMapKey,
  isError,
  isKind,
  flattenOptional,
} from "./values/value.ts";

/** Compiles an expression to a function of its variables. Throws CompileError. */
export function compile(expr: Expr, environment: Environment): Interpretable {
  switch (expr.op) {
    case "literal":
      return buildConstant(expr.value);
    case "ident":
      return compileName(expr, expr.name, environment);
    case "select":
      return compileSelection(expr, environment);
    case "call":
      return compileCall(expr, environment, compile);
    case "list":
      return compileList(expr, environment);
    case "map":
      return compileMap(expr, environment);
    case "fold":
      return compileFold(expr, environment, compile);
    case "struct":
      throw new CompileError("it constructs a message", expr, true);
  }
}

function buildConstant(value: CelValue): Interpretable {
  return () => value;
}

function compileName(expr: Expr, written: string, { slots }: Environment): Interpretable {
  const name = written.replace(/^\./, "");
  const slot = slots.get(name);
  if (slot !== undefined) {
    return (frame) => {
      charge(frame, 1);
      return flattenOptional(frame.variables[slot] ?? null);
    };
  }
  if (isTypeName(name)) return buildConstant({ kind: "type", name });
  throw new CompileError(`the name ${written} is not declared`, expr);
}

function compileSelection(expr: SelectExpr, environment: Environment): Interpretable {
  const name = qualifiedName(expr);
  if (name !== undefined && !beginsWithVariable(name, environment)) return compileName(expr, name, environment);
  const operand = compile(expr.operand, environment);
  return (frame) => {
    const value = operand(frame);
    if (isError(value)) return value;
    if (expr.isTest) return hasField(value, expr.field);
    charge(frame, 1);
    return selectField(value, expr.field);
  };
}

function compileList({ items, optional }: ListExpr, environment: Environment): Interpretable {
  const codes = items.map((item) => compile(item, environment));
  const constants = items.flatMap((item) => (item.op === "literal" ? [item.value] : []));
  if (optional.size === 0 && constants.length === items.length) return buildConstant(buildList(constants));
  return (frame) => {
    const values = evaluateAll(codes, frame);
    if (!isArguments(values)) return values;
    charge(frame, 10);
    return buildList(optional.size === 0 ? values : values.flatMap((value, i) => getElements(value, optional.has(i))));
  };
}

/** An optional element without a value is left out. */
function getElements(value: CelValue, isOptional: boolean): readonly CelValue[] {
  if (!isOptional || !isKind(value, "optional")) return [value];
  return value.value === undefined ? [] : [value.value];
}

function compileMap({ entries }: MapExpr, environment: Environment): Interpretable {
  const codes = entries.flatMap(({ key, value }) => [compile(key, environment), compile(value, environment)]);
  return (frame) => {
    const values = evaluateAll(codes, frame);
    if (!isArguments(values)) return values;
    charge(frame, 30);
    const result = new Map<string, readonly [CelValue, CelValue]>();
    for (const [i, { isOptional }] of entries.entries()) {
      const [key = null, value = null] = values.slice(2 * i, 2 * i + 2);
      const text = formatMapKey(key);
      if (text === undefined) return NO_OVERLOAD;
      for (const element of getElements(value, isOptional)) result.set(text, [key, element]);
    }
    return { kind: "map", entries: result };
  };
}
