import { NULL_VALUE, isTypeName } from "../types/types.ts";
import type { Expr, ListExpr, MapExpr, StructExpr, FoldExpr } from "../syntax/ast.ts";
import { qualifiedName, CompileError } from "../syntax/ast.ts";
import { type Environment, type Interpretable, addVariable, charge, evaluateAll, isArguments } from "./environment.ts";
import { compileAttribute, isAttribute } from "./attributes.ts";
import { buildConstant, compileCall, evaluateConstant } from "./function-calls.ts";
import { type Message, findMessage, findMessageField } from "../types/messages.ts";
import { BYTES, countMemory } from "../values/meter.ts";
import type { CelValue, MapKey } from "../values/value.ts";
import { buildMapKey, buildError, buildList, isError, isKind, isList, isMap } from "../values/value.ts";
import { findMapValue, getMapKeys } from "../values/equality.ts";
import { getListValues } from "../values/unstructured.ts";

/** Compiles an expression to a function of its variables. Throws CompileError. */
export function compile(expr: Expr, environment: Environment): Interpretable {
  if (isAttribute(expr, environment)) return compileAttribute(expr, environment, compile);
  switch (expr.op) {
    case "literal":
      return buildConstant(expr.value);
    case "ident":
      return compileName(expr, expr.name);
    case "select":
      return compileName(expr, qualifiedName(expr) ?? expr.field);
    case "call":
      return compileCall(expr, environment, compile);
    case "list":
      return compileList(expr, environment);
    case "map":
      return compileMap(expr, environment);
    case "fold":
      return compileFold(expr, environment);
    case "struct":
      return compileStruct(expr, environment);
  }
}

function compileName(expr: Expr, written: string): Interpretable {
  const name = written.replace(/^\./, "");
  if (name === NULL_VALUE) return buildConstant(0n);
  if (isTypeName(name)) return buildConstant({ kind: "type", name });
  throw new CompileError(`the name ${written} is not declared`, expr);
}

/** A list that is written. */
function compileList(expr: ListExpr, environment: Environment): Interpretable {
  const { items, optional } = expr;
  const codes = items.map((item) => compile(item, environment));
  const build = (values: readonly CelValue[]): CelValue => {
    if (optional.size === 0) return buildList(values);
    const elements = values.map((value, i) => getElement(value, optional.has(i)));
    return elements.includes(NOT_OPTIONAL)
      ? NOT_OPTIONAL
      : buildList(elements.filter((element) => element !== undefined));
  };
  return compileCollection(expr, codes, build, { cost: 10, bytes: BYTES.scalar + BYTES.item * items.length });
}

/** A map that is written. */
function compileMap(expr: MapExpr, environment: Environment): Interpretable {
  const { entries } = expr;
  const codes = entries.flatMap(({ key, value }) => [compile(key, environment), compile(value, environment)]);
  const build = (values: readonly CelValue[]): CelValue => {
    const result = new Map<MapKey, readonly [CelValue, CelValue]>();
    for (const [i, { isOptional }] of entries.entries()) {
      const [key = null, value = null] = values.slice(2 * i, 2 * i + 2);
      const element = getElement(value, isOptional);
      if (element === undefined) result.delete(buildMapKey(key));
      else if (element === NOT_OPTIONAL) return element;
      else result.set(buildMapKey(key), [key, element]);
    }
    return { kind: "map", entries: result };
  };
  return compileCollection(expr, codes, build, { cost: 30, bytes: BYTES.scalar + BYTES.entry * entries.length });
}

/** A message that is constructed. It is no constant, even if its fields are. */
function compileStruct(expr: StructExpr, environment: Environment): Interpretable {
  const message = findMessage(expr.name);
  if (message === undefined) throw new CompileError(`${expr.name} is not a message`, expr);
  const codes = expr.fields.map(({ value }) => compile(value, environment));
  return (frame) => {
    const values = evaluateAll(codes, frame);
    if (!isArguments(values)) return values;
    charge(frame, 40);
    return buildMessage(message, expr.fields, values);
  };
}

function buildMessage(message: Message, fields: StructExpr["fields"], values: readonly CelValue[]): CelValue {
  const set = new Map<string, CelValue>();
  for (const [i, { name, isOptional }] of fields.entries()) {
    const value = getElement(values[i] ?? null, isOptional);
    set.delete(name);
    const field = findMessageField(message, name);
    if (value === undefined || field === undefined) continue;
    const converted = isError(value) ? value : field.convert(value);
    if (isError(converted)) return converted;
    set.set(name, converted);
  }
  return message.build(set);
}

/** Of constants it is one itself, as in cel-go. */
function compileCollection(
  expr: Expr,
  codes: readonly Interpretable[],
  build: (values: readonly CelValue[]) => CelValue,
  { cost, bytes }: { readonly cost: number; readonly bytes: number },
): Interpretable {
  const code: Interpretable = (frame) => {
    const values = evaluateAll(codes, frame);
    if (!isArguments(values)) return values;
    charge(frame, cost);
    countMemory(frame, bytes);
    return build(values);
  };
  return codes.every(({ constant }) => constant !== undefined) ? buildConstant(evaluateConstant(expr, code)) : code;
}

const NOT_OPTIONAL = buildError("cannot initialize optional element from a plain value");

/** An optional element without a value is left out. One whose value is an error fails only what uses it. */
function getElement(value: CelValue, isOptional: boolean): CelValue | undefined {
  if (!isOptional) return value;
  return isKind(value, "optional") ? value.value : NOT_OPTIONAL;
}

/** An expanded macro, evaluated as in cel-go: for each element the condition, which may end it, and the step; then the result. */
function compileFold(expr: FoldExpr, environment: Environment): Interpretable {
  const range = compile(expr.range, environment);
  const init = compileGrowing(expr.init) ?? compile(expr.init, environment);
  const [around, accumulator] = addVariable(environment, expr.accumulator);
  const [outer, first] = addVariable(around, expr.variable);
  const [inner, second] = expr.second === undefined ? [outer, undefined] : addVariable(outer, expr.second);
  const condition = compile(expr.condition, inner);
  const step = compile(expr.step, inner);
  const result = compile(expr.result, around);
  return (frame) => {
    const over = range(frame);
    if (isError(over)) return over;
    if (!isList(over) && !isMap(over)) return buildError(`got ${typeof over}, expected iterable type`);
    const { variables } = frame;
    variables[accumulator] = init(frame);
    let index = 0n;
    for (const element of isList(over) ? getListValues(over) : getMapKeys(over)) {
      variables[first] = second !== undefined && isList(over) ? index++ : element;
      if (second !== undefined) variables[second] = isList(over) ? element : (findMapValue(over, element) ?? null);
      if (condition(frame) === false) break;
      variables[accumulator] = step(frame);
    }
    return endGrowth(result(frame));
  };
}

/** A list or map that a macro makes grows in place, as in cel-go. */
function compileGrowing(init: Expr): Interpretable | undefined {
  if (init.op === "list" && init.items.length === 0)
    return () => {
      const growing: CelValue[] = [];
      return { ...buildList(growing), growing };
    };
  if (init.op === "map" && init.entries.length === 0)
    return () => {
      const growing = new Map<MapKey, readonly [CelValue, CelValue]>();
      return { kind: "map", entries: growing, growing };
    };
  return undefined;
}

function endGrowth(value: CelValue): CelValue {
  if (isList(value) && value.growing) return buildList(value.growing);
  return isMap(value) && value.kind === "map" && value.growing ? { kind: "map", entries: value.growing } : value;
}
