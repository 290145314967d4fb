import { NULL_VALUE, isTypeName } from "../types/types.ts";
import type { Expr, ListExpr, MapExpr, StructExpr } from "../syntax/ast.ts";
import { qualifiedName, CompileError } from "../syntax/ast.ts";
import { type Environment, type Interpretable, charge, evaluateAll, isArguments } from "./environment.ts";
import { compileAttribute, isAttribute } from "./attributes.ts";
import { compileFold } from "./folds.ts";
import { buildConstant, compileCall, evaluateConstant } from "./function-calls.ts";
import { type Message, findMessage, findMessageField } from "../types/messages.ts";
import { BYTES, countMemory } from "../values/meter.ts";
import type { CelValue, MapKey } from "../values/value.ts";
import { buildMapKey, buildError, buildList, isError, isKind } from "../values/value.ts";

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
      return compileFold(expr, environment, compile);
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
