import { type Message, findMessage, findMessageField } from "../types/messages.ts";
import type { Expr, ListExpr, MapExpr, StructExpr } from "../syntax/ast.ts";
import { CompileError } from "../syntax/compile-error.ts";
import { type Interpretable, charge, evaluateAll, isArguments } from "./activation.ts";
import { buildConstant, evaluateConstant } from "./constants.ts";
import type { Compile, Environment } from "./environment.ts";
import { buildMapKey } from "../values/map-key.ts";
import { type CelValue, type MapKey, buildError, buildList, isError, isKind } from "../values/value.ts";

/** A list that is written. */
export function compileList(expr: ListExpr, environment: Environment, compile: Compile): Interpretable {
  const { items, optional } = expr;
  const codes = items.map((item) => compile(item, environment));
  const build = (values: readonly CelValue[]): CelValue => {
    if (optional.size === 0) return buildList(values);
    const elements = values.map((value, i) => getElement(value, optional.has(i)));
    return elements.includes(NOT_OPTIONAL)
      ? NOT_OPTIONAL
      : buildList(elements.filter((element) => element !== undefined));
  };
  return compileCollection(expr, codes, build, 10);
}

/** A map that is written. */
export function compileMap(expr: MapExpr, environment: Environment, compile: Compile): Interpretable {
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
  return compileCollection(expr, codes, build, 30);
}

/** A message that is constructed. It is no constant, even if its fields are. */
export function compileStruct(expr: StructExpr, environment: Environment, compile: Compile): Interpretable {
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
  cost: number,
): Interpretable {
  const code: Interpretable = (frame) => {
    const values = evaluateAll(codes, frame);
    if (!isArguments(values)) return values;
    charge(frame, cost);
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
