import type { ASTNode } from "@marcbachmann/cel-js";
import { compile } from "./compile.ts";
import { mapKeys, mapValue } from "./equal.ts";
import { type Code, type Frame, NotCompiled, charge } from "./frame.ts";
import { sorted } from "./lists.ts";
import { nameOf } from "./parse.ts";
import { type Names, withName } from "./scope.ts";
import {
  NO_OVERLOAD,
  NOTHING,
  type Value,
  failure,
  isFailure,
  isList,
  isMap,
  isOther,
  keyText,
  listOf,
  optional,
} from "./value.ts";
import { listValues } from "./wrap.ts";

/** What a fold does with one element: a value ends the fold, undefined goes on. */
type Step = (frame: Frame) => Value | undefined;

/** Sees to one evaluation of a fold: what happens at each element, and what is the result at the end. */
type Fold = () => { readonly step: Step; readonly end: () => Value };

/** Undefined where the name is no macro with so many arguments. */
export function compileMacro(
  name: string,
  receiver: ASTNode,
  args: readonly ASTNode[],
  names: Names,
): Code | undefined {
  const count = args.length;
  if (name === "optMap" || name === "optFlatMap") return count === 2 ? optMap(name, receiver, args, names) : undefined;
  if (name === "or" || name === "orValue") return count === 1 ? orElse(name, receiver, args, names) : undefined;
  if (name === "sortBy") return count === 2 ? sortBy(receiver, args, names) : undefined;
  const make = FOLDS.get(`${name}/${count}`);
  if (!make) return undefined;
  const over = compile(receiver, names);
  const [inner, first] = withName(names, nameOf(args[0]));
  const [innermost, second] = make.variables === 2 ? withName(inner, nameOf(args[1])) : [inner, undefined];
  const codes = args.slice(make.variables).map((arg) => compile(arg, innermost));
  const fold = make.fold(codes, first);
  return (frame) => runFold(over(frame), fold(), first, second, make.cost, frame);
}

function runFold(
  over: Value,
  fold: ReturnType<Fold>,
  first: number,
  second: number | undefined,
  cost: number,
  frame: Frame,
): Value {
  if (isFailure(over)) return over;
  if (!isList(over) && !isMap(over)) return failure(`got ${typeof over}, expected iterable type`);
  const elements = isList(over) ? listValues(over) : mapKeys(over);
  for (const [i, element] of elements.entries()) {
    charge(frame, cost);
    frame.slots[first] = second !== undefined && isList(over) ? BigInt(i) : element;
    if (second !== undefined) frame.slots[second] = isList(over) ? element : (mapValue(over, element) ?? null);
    const done = fold.step(frame);
    if (done !== undefined) return done;
  }
  charge(frame, 1);
  return fold.end();
}

type Make = {
  readonly variables: 1 | 2;
  readonly cost: number;
  readonly fold: (codes: readonly Code[], variable: number) => Fold;
};

function need(code: Code | undefined): Code {
  if (!code) throw new NotCompiled("a macro lacks an argument");
  return code;
}

/** `all` and `exists`: one element may decide, even where others fail. */
function quantifier(decisive: boolean): Make["fold"] {
  return (codes) => {
    const test = need(codes[0]);
    return () => {
      let result: Value = !decisive;
      const step: Step = (frame) => {
        const found = test(frame);
        if (found === decisive) return decisive;
        if (found !== !decisive && typeof result === "boolean") result = isFailure(found) ? found : NO_OVERLOAD;
        return undefined;
      };
      return { step, end: () => result };
    };
  };
}

function existsOne(codes: readonly Code[]): Fold {
  const test = need(codes[0]);
  return () => {
    let count = 0;
    const step: Step = (frame) => {
      const found = test(frame);
      if (found === true) {
        charge(frame, 2);
        count++;
      }
      return typeof found === "boolean" ? undefined : isFailure(found) ? found : NO_OVERLOAD;
    };
    return { step, end: () => count === 1 };
  };
}

/** With one expression: of each element; with two: of those that the first keeps. */
function transform(codes: readonly Code[]): Fold {
  const [keep, make] = codes.length === 2 ? [codes[0], need(codes[1])] : [undefined, need(codes[0])];
  return () => {
    const values: Value[] = [];
    const step: Step = (frame) => {
      const kept = keep ? keep(frame) : true;
      if (kept === false) return undefined;
      const value = kept === true ? make(frame) : isFailure(kept) ? kept : NO_OVERLOAD;
      if (isFailure(value)) return value;
      charge(frame, 12);
      values.push(value);
      return undefined;
    };
    return { step, end: () => listOf(values) };
  };
}

function filter(codes: readonly Code[], variable: number): Fold {
  const item: Code = (frame) => {
    charge(frame, 1);
    return frame.slots[variable] ?? null;
  };
  return transform([need(codes[0]), item]);
}

function transformMap(isEntry: boolean): Make["fold"] {
  return (codes, variable) => {
    const [keep, make] = codes.length === 2 ? [codes[0], need(codes[1])] : [undefined, need(codes[0])];
    return () => {
      const entries = new Map<string, readonly [Value, Value]>();
      const step: Step = (frame) => {
        const key = frame.slots[variable] ?? null;
        const kept = keep ? keep(frame) : true;
        if (kept === false) return undefined;
        const value = kept === true ? make(frame) : isFailure(kept) ? kept : NO_OVERLOAD;
        if (isFailure(value)) return value;
        charge(frame, 2);
        return addEntries(entries, isEntry ? entriesOf(value) : [[key, value]]);
      };
      return { step, end: () => ({ kind: "map", entries }) };
    };
  };
}

function entriesOf(value: Value): readonly (readonly [Value, Value])[] {
  return isMap(value) ? mapKeys(value).map((key) => [key, mapValue(value, key) ?? null] as const) : [];
}

function addEntries(
  into: Map<string, readonly [Value, Value]>,
  more: readonly (readonly [Value, Value])[],
): Value | undefined {
  for (const entry of more) {
    const text = keyText(entry[0]);
    if (text === undefined) return NO_OVERLOAD;
    if (into.has(text)) return failure("insert failed: key already exists");
    into.set(text, entry);
  }
  return undefined;
}

const FOLDS: ReadonlyMap<string, Make> = new Map<string, Make>([
  ["all/2", { variables: 1, cost: 3, fold: quantifier(false) }],
  ["all/3", { variables: 2, cost: 3, fold: quantifier(false) }],
  ["exists/2", { variables: 1, cost: 4, fold: quantifier(true) }],
  ["exists/3", { variables: 2, cost: 4, fold: quantifier(true) }],
  ["exists_one/2", { variables: 1, cost: 0, fold: existsOne }],
  ["existsOne/2", { variables: 1, cost: 0, fold: existsOne }],
  ["exists_one/3", { variables: 2, cost: 0, fold: existsOne }],
  ["existsOne/3", { variables: 2, cost: 0, fold: existsOne }],
  ["map/2", { variables: 1, cost: 0, fold: transform }],
  ["map/3", { variables: 1, cost: 0, fold: transform }],
  ["filter/2", { variables: 1, cost: 0, fold: filter }],
  ["transformList/3", { variables: 2, cost: 0, fold: transform }],
  ["transformList/4", { variables: 2, cost: 0, fold: transform }],
  ["transformMap/3", { variables: 2, cost: 0, fold: transformMap(false) }],
  ["transformMap/4", { variables: 2, cost: 0, fold: transformMap(false) }],
  ["transformMapEntry/3", { variables: 2, cost: 0, fold: transformMap(true) }],
  ["transformMapEntry/4", { variables: 2, cost: 0, fold: transformMap(true) }],
]);

function optMap(name: string, receiver: ASTNode, args: readonly ASTNode[], names: Names): Code {
  const over = compile(receiver, names);
  const [inner, slot] = withName(names, nameOf(args[0]));
  const body = args[1] ? compile(args[1], inner) : undefined;
  return (frame) => {
    const value = over(frame);
    if (isFailure(value)) return value;
    if (!isOther(value) || value.kind !== "optional") return NO_OVERLOAD;
    charge(frame, 3);
    if (value.value === undefined) return NOTHING;
    frame.slots[slot] = value.value;
    const result = need(body)(frame);
    return isFailure(result) || name === "optFlatMap" ? result : optional(result);
  };
}

/** The other side is only evaluated where there is no value. */
function orElse(name: string, receiver: ASTNode, args: readonly ASTNode[], names: Names): Code {
  const over = compile(receiver, names);
  const other = args[0] ? compile(args[0], names) : undefined;
  return (frame) => {
    const value = over(frame);
    if (isFailure(value)) return value;
    if (!isOther(value) || value.kind !== "optional") return NO_OVERLOAD;
    charge(frame, 1);
    if (value.value === undefined) return need(other)(frame);
    return name === "or" ? value : value.value;
  };
}

function sortBy(receiver: ASTNode, args: readonly ASTNode[], names: Names): Code {
  const keys = compileMacro("map", receiver, args, names);
  const over = compile(receiver, names);
  return (frame) => {
    const list = over(frame);
    if (isFailure(list)) return list;
    const by = need(keys)(frame);
    return isFailure(by) ? by : sorted(list, by);
  };
}
