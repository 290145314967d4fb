import type { ASTNode } from "@marcbachmann/cel-js";
import { compile } from "./compiler.ts";
import { getMapKeys, findMapValue } from "./values/equality.ts";
import { type Interpretable, type Activation, CompileError, charge } from "./activation.ts";
import { sortByKeys } from "../library/list-building.ts";
import { getVariableName } from "./parser.ts";
import { type VariableSlots, addVariable } from "./variable-slots.ts";
import {
  NO_OVERLOAD,
  OPTIONAL_NONE,
  type CelValue,
  buildError,
  isError,
  isList,
  isMap,
  isObjectValue,
  formatMapKey,
  buildList,
  buildOptional,
} from "./values/value.ts";
import { getListValues } from "./values/unstructured.ts";

/** Handles one element of a fold: a value ends the fold, undefined continues it. */
type FoldStep = (frame: Activation) => CelValue | undefined;

/** Creates the state of one evaluation of a fold: the step for each element and the final result. */
type Fold = () => { readonly step: FoldStep; readonly end: () => CelValue };

/** Undefined if there is no macro with this name and number of arguments. */
export function compileMacro(
  name: string,
  receiver: ASTNode,
  args: readonly ASTNode[],
  names: VariableSlots,
): Interpretable | undefined {
  const count = args.length;
  if (name === "optMap" || name === "optFlatMap")
    return count === 2 ? compileOptMap(name, receiver, args, names) : undefined;
  if (name === "or" || name === "orValue") return count === 1 ? compileOrElse(name, receiver, args, names) : undefined;
  if (name === "sortBy") return count === 2 ? compileSortBy(receiver, args, names) : undefined;
  const make = FOLDS.get(`${name}/${count}`);
  if (!make) return undefined;
  const over = compile(receiver, names);
  const [inner, first] = addVariable(names, getVariableName(args[0]));
  const [innermost, second] = make.variables === 2 ? addVariable(inner, getVariableName(args[1])) : [inner, undefined];
  const operands = args.slice(make.variables).map((arg) => compile(arg, innermost));
  const fold = make.fold(operands, first);
  return (frame) => runFold(over(frame), fold(), first, second, make.cost, frame);
}

function runFold(
  over: CelValue,
  fold: ReturnType<Fold>,
  first: number,
  second: number | undefined,
  cost: number,
  frame: Activation,
): CelValue {
  if (isError(over)) return over;
  if (!isList(over) && !isMap(over)) return buildError(`got ${typeof over}, expected iterable type`);
  const elements = isList(over) ? getListValues(over) : getMapKeys(over);
  for (const [i, element] of elements.entries()) {
    charge(frame, cost);
    frame.variables[first] = second !== undefined && isList(over) ? BigInt(i) : element;
    if (second !== undefined) frame.variables[second] = isList(over) ? element : (findMapValue(over, element) ?? null);
    const done = fold.step(frame);
    if (done !== undefined) return done;
  }
  charge(frame, 1);
  return fold.end();
}

type FoldMacro = {
  readonly variables: 1 | 2;
  readonly cost: number;
  readonly fold: (operands: readonly Interpretable[], variable: number) => Fold;
};

function requireOperand(code: Interpretable | undefined): Interpretable {
  if (!code) throw new CompileError("a macro lacks an argument");
  return code;
}

/** `all` and `exists`: one element may decide, even if others fail. */
function buildQuantifier(decisive: boolean): FoldMacro["fold"] {
  return (operands) => {
    const test = requireOperand(operands[0]);
    return () => {
      let result: CelValue = !decisive;
      const step: FoldStep = (frame) => {
        const testResult = test(frame);
        if (testResult === decisive) return decisive;
        if (testResult !== !decisive && typeof result === "boolean")
          result = isError(testResult) ? testResult : NO_OVERLOAD;
        return undefined;
      };
      return { step, end: () => result };
    };
  };
}

function buildExistsOne(operands: readonly Interpretable[]): Fold {
  const test = requireOperand(operands[0]);
  return () => {
    let count = 0;
    const step: FoldStep = (frame) => {
      const testResult = test(frame);
      if (testResult === true) {
        charge(frame, 2);
        count++;
      }
      return typeof testResult === "boolean" ? undefined : isError(testResult) ? testResult : NO_OVERLOAD;
    };
    return { step, end: () => count === 1 };
  };
}

/** With one expression: of each element; with two: of those that the first keeps. */
function buildTransform(operands: readonly Interpretable[]): Fold {
  const [keep, make] =
    operands.length === 2 ? [operands[0], requireOperand(operands[1])] : [undefined, requireOperand(operands[0])];
  return () => {
    const values: CelValue[] = [];
    const step: FoldStep = (frame) => {
      const isKept = keep ? keep(frame) : true;
      if (isKept === false) return undefined;
      const value = isKept === true ? make(frame) : isError(isKept) ? isKept : NO_OVERLOAD;
      if (isError(value)) return value;
      charge(frame, 12);
      values.push(value);
      return undefined;
    };
    return { step, end: () => buildList(values) };
  };
}

function buildFilter(operands: readonly Interpretable[], variable: number): Fold {
  const item: Interpretable = (frame) => {
    charge(frame, 1);
    return frame.variables[variable] ?? null;
  };
  return buildTransform([requireOperand(operands[0]), item]);
}

function buildTransformMap(isEntry: boolean): FoldMacro["fold"] {
  return (operands, variable) => {
    const [keep, make] =
      operands.length === 2 ? [operands[0], requireOperand(operands[1])] : [undefined, requireOperand(operands[0])];
    return () => {
      const entries = new Map<string, readonly [CelValue, CelValue]>();
      const step: FoldStep = (frame) => {
        const key = frame.variables[variable] ?? null;
        const isKept = keep ? keep(frame) : true;
        if (isKept === false) return undefined;
        const value = isKept === true ? make(frame) : isError(isKept) ? isKept : NO_OVERLOAD;
        if (isError(value)) return value;
        charge(frame, 2);
        return addEntries(entries, isEntry ? getEntries(value) : [[key, value]]);
      };
      return { step, end: () => ({ kind: "map", entries }) };
    };
  };
}

function getEntries(value: CelValue): readonly (readonly [CelValue, CelValue])[] {
  return isMap(value) ? getMapKeys(value).map((key) => [key, findMapValue(value, key) ?? null] as const) : [];
}

function addEntries(
  into: Map<string, readonly [CelValue, CelValue]>,
  more: readonly (readonly [CelValue, CelValue])[],
): CelValue | undefined {
  for (const entry of more) {
    const text = formatMapKey(entry[0]);
    if (text === undefined) return NO_OVERLOAD;
    if (into.has(text)) return buildError("insert failed: key already exists");
    into.set(text, entry);
  }
  return undefined;
}

const FOLDS: ReadonlyMap<string, FoldMacro> = new Map<string, FoldMacro>([
  ["all/2", { variables: 1, cost: 3, fold: buildQuantifier(false) }],
  ["all/3", { variables: 2, cost: 3, fold: buildQuantifier(false) }],
  ["exists/2", { variables: 1, cost: 4, fold: buildQuantifier(true) }],
  ["exists/3", { variables: 2, cost: 4, fold: buildQuantifier(true) }],
  ["exists_one/2", { variables: 1, cost: 0, fold: buildExistsOne }],
  ["existsOne/2", { variables: 1, cost: 0, fold: buildExistsOne }],
  ["exists_one/3", { variables: 2, cost: 0, fold: buildExistsOne }],
  ["existsOne/3", { variables: 2, cost: 0, fold: buildExistsOne }],
  ["map/2", { variables: 1, cost: 0, fold: buildTransform }],
  ["map/3", { variables: 1, cost: 0, fold: buildTransform }],
  ["filter/2", { variables: 1, cost: 0, fold: buildFilter }],
  ["transformList/3", { variables: 2, cost: 0, fold: buildTransform }],
  ["transformList/4", { variables: 2, cost: 0, fold: buildTransform }],
  ["transformMap/3", { variables: 2, cost: 0, fold: buildTransformMap(false) }],
  ["transformMap/4", { variables: 2, cost: 0, fold: buildTransformMap(false) }],
  ["transformMapEntry/3", { variables: 2, cost: 0, fold: buildTransformMap(true) }],
  ["transformMapEntry/4", { variables: 2, cost: 0, fold: buildTransformMap(true) }],
]);

function compileOptMap(name: string, receiver: ASTNode, args: readonly ASTNode[], names: VariableSlots): Interpretable {
  const over = compile(receiver, names);
  const [inner, slot] = addVariable(names, getVariableName(args[0]));
  const body = args[1] ? compile(args[1], inner) : undefined;
  return (frame) => {
    const value = over(frame);
    if (isError(value)) return value;
    if (!isObjectValue(value) || value.kind !== "optional") return NO_OVERLOAD;
    charge(frame, 3);
    if (value.value === undefined) return OPTIONAL_NONE;
    frame.variables[slot] = value.value;
    const result = requireOperand(body)(frame);
    return isError(result) || name === "optFlatMap" ? result : buildOptional(result);
  };
}

/** The other side is only evaluated if there is no value. */
function compileOrElse(name: string, receiver: ASTNode, args: readonly ASTNode[], names: VariableSlots): Interpretable {
  const over = compile(receiver, names);
  const other = args[0] ? compile(args[0], names) : undefined;
  return (frame) => {
    const value = over(frame);
    if (isError(value)) return value;
    if (!isObjectValue(value) || value.kind !== "optional") return NO_OVERLOAD;
    charge(frame, 1);
    if (value.value === undefined) return requireOperand(other)(frame);
    return name === "or" ? value : value.value;
  };
}

function compileSortBy(receiver: ASTNode, args: readonly ASTNode[], names: VariableSlots): Interpretable {
  const keys = compileMacro("map", receiver, args, names);
  const over = compile(receiver, names);
  return (frame) => {
    const list = over(frame);
    if (isError(list)) return list;
    const by = requireOperand(keys)(frame);
    return isError(by) ? by : sortByKeys(list, by);
  };
}
