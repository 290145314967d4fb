import { type CallExpr, type Expr, type SelectExpr, qualifiedName, CompileError } from "../syntax/ast.ts";
import { toNative } from "../values/unstructured.ts";
import type { Activation, Compile, Environment, Interpretable } from "./environment.ts";
import { beginsWithVariable, charge } from "./environment.ts";
import { FREE_WORK, countWork } from "../values/meter.ts";
import {
  type CelValue,
  type OptionalValue,
  NO_OVERLOAD,
  OPTIONAL_NONE,
  buildOptional,
  isError,
  isKind,
} from "../values/value.ts";
import { hasField, isPlainKey, lookUp, missingKey } from "../values/look-up.ts";
import { shareSearch, shareSelection } from "./shared-parts.ts";

/** A step from a value to a part of it. */
type Qualifier = { readonly key: Interpretable; readonly isOptional: boolean; readonly isTest: boolean };

/** What cel-go calls an attribute: a variable, what a conditional chooses, and all that is selected from one value in a row. */
type Attribute = { readonly root: Expr; readonly qualifiers: readonly Qualifier[] };

const INDEXES: ReadonlyMap<string, boolean> = new Map([
  ["_[_]", false],
  ["_[?_]", true],
  ["_?._", true],
]);

export function isAttribute(expr: Expr, environment: Environment): boolean {
  if (expr.op === "ident") return beginsWithVariable(expr.name, environment);
  if (expr.op === "select") return !isQualifiedName(expr, environment);
  return expr.op === "call" && expr.target === undefined && (INDEXES.has(expr.name) || expr.name === "_?_:_");
}

/** Is it a name with dots, and no selection from a variable? */
function isQualifiedName(expr: SelectExpr, environment: Environment): boolean {
  const name = qualifiedName(expr);
  return name !== undefined && !beginsWithVariable(name, environment);
}

/** It costs a unit, apart from its steps. A conditional costs one less, and so does a test whether a field is set. */
export function compileAttribute(expr: Expr, environment: Environment, compile: Compile): Interpretable {
  const attribute = readAttribute(expr, environment, compile);
  const code = compileSteps(attribute, environment, compile);
  const isTest = attribute.qualifiers.at(-1)?.isTest ?? false;
  if (isConditional(attribute.root)) return isTest ? withRefund(code) : code;
  if (isTest) return code;
  const { find } = code;
  const steps = nameShared(attribute, environment);
  if (steps === undefined) return find === undefined ? withCharge(code) : toOptional(withCharge(find));
  const root = compileRoot(attribute.root, environment, compile);
  if (find === undefined) return shareSelection(steps, root, withCharge(code));
  return toOptional(shareSearch(steps, root, withCharge(find)));
}

/** What names the steps from a variable, if the variable alone decides where they lead; undefined if they are not to be shared. */
function nameShared({ root, qualifiers }: Attribute, { isShared }: Environment): string | undefined {
  if (isShared !== true || root.op !== "ident" || qualifiers.length < 2) return undefined;
  const steps = qualifiers.map(({ key: { constant }, isOptional }) =>
    typeof constant === "string" ? [constant, isOptional] : undefined,
  );
  return steps.includes(undefined) ? undefined : JSON.stringify(steps);
}

function withCharge<Value>(code: (frame: Activation) => Value): (frame: Activation) => Value {
  return (frame) => {
    charge(frame, 1);
    return code(frame);
  };
}

function withRefund(code: Interpretable): Interpretable {
  return (frame) => {
    const value = code(frame);
    charge(frame, -1);
    return value;
  };
}

function isConditional(expr: Expr): expr is CallExpr {
  return expr.op === "call" && expr.name === "_?_:_";
}

function readAttribute(expr: Expr, environment: Environment, compile: Compile): Attribute {
  const qualifiers: Qualifier[] = [];
  let root = expr;
  for (;;) {
    const step = readStep(root, environment, compile);
    if (step === undefined) return { root, qualifiers: qualifiers.toReversed() };
    qualifiers.push(step.qualifier);
    root = step.operand;
  }
}

type Step = { readonly operand: Expr; readonly qualifier: Qualifier };

function readStep(expr: Expr, environment: Environment, compile: Compile): Step | undefined {
  if (expr.op === "select" && !isQualifiedName(expr, environment)) {
    const { operand, field, isTest } = expr;
    return { operand, qualifier: { key: buildKey(field), isOptional: false, isTest } };
  }
  const isOptional = expr.op === "call" && expr.target === undefined ? INDEXES.get(expr.name) : undefined;
  if (expr.op !== "call" || isOptional === undefined) return undefined;
  const [operand = expr, index = expr] = expr.args;
  return { operand, qualifier: { key: compileKey(index, environment, compile), isOptional, isTest: false } };
}

function buildKey(field: string): Interpretable {
  return Object.assign(() => field, { constant: field });
}

/** An attribute costs less as a key than by itself. */
function compileKey(expr: Expr, environment: Environment, compile: Compile): Interpretable {
  const key = compileUncharged(expr, environment, compile);
  if (key.constant !== undefined && !isPlainKey(key.constant))
    throw new CompileError("a value of its type can't be a constant index", expr);
  return key;
}

function compileUncharged(expr: Expr, environment: Environment, compile: Compile): Interpretable {
  return isAttribute(expr, environment)
    ? compileSteps(readAttribute(expr, environment, compile), environment, compile)
    : compile(expr, environment);
}

/** A conditional takes the steps from whatever it chooses. */
function compileSteps({ root, qualifiers }: Attribute, environment: Environment, compile: Compile): Interpretable {
  if (!isConditional(root)) return resolve(compileRoot(root, environment, compile), qualifiers);
  const [condition = root, ...branches] = root.args;
  const test = compile(condition, environment);
  const [yes, no] = branches.map((branch) => {
    const own = isAttribute(branch, environment)
      ? readAttribute(branch, environment, compile)
      : { root: branch, qualifiers: [] };
    return compileSteps({ ...own, qualifiers: [...own.qualifiers, ...qualifiers] }, environment, compile);
  });
  return (frame) => {
    countWork(frame, FREE_WORK);
    const decision = test(frame);
    if (decision === true) return yes?.(frame) ?? null;
    if (decision === false) return no?.(frame) ?? null;
    return isError(decision) ? decision : NO_OVERLOAD;
  };
}

function compileRoot(expr: Expr, environment: Environment, compile: Compile): Interpretable {
  const slot = expr.op === "ident" ? environment.slots.get(expr.name.replace(/^\./, "")) : undefined;
  return slot === undefined ? compile(expr, environment) : ({ variables }) => variables[slot] ?? null;
}

function resolve(root: Interpretable, qualifiers: readonly Qualifier[]): Interpretable {
  const isTest = qualifiers.at(-1)?.isTest === true;
  if (!isTest && qualifiers.some(({ isOptional }) => isOptional)) return toOptional(findBy(root, qualifiers));
  const keys = qualifiers.map(({ key }) => key);
  return (frame) => {
    const value = root(frame);
    if (isError(value)) return value;
    if (!isTest && !isKind(value, "optional")) return selectParts(value, keys, frame);
    if (keys.length === 0 && isKind(value, "optional")) return toNativeOptional(value);
    const part = findPart(value, qualifiers, frame);
    return isTest ? (part ?? false) : wrapPart(part);
  };
}

/** What can't be had is an error within the optional, which fails only what uses it. */
function toNativeOptional(optional: OptionalValue): CelValue {
  const part = toPresent(optional);
  return part === undefined ? optional : buildOptional(part);
}

function wrapPart(part: CelValue | undefined): CelValue {
  if (part === undefined) return OPTIONAL_NONE;
  return isError(part) ? part : buildOptional(part);
}

/** What an attribute with an optional step leads to. */
function findBy(root: Interpretable, qualifiers: readonly Qualifier[]): NonNullable<Interpretable["find"]> {
  return (frame) => {
    const value = root(frame);
    return isError(value) ? value : findPart(value, qualifiers, frame);
  };
}

function toOptional(find: NonNullable<Interpretable["find"]>): Interpretable {
  return Object.assign((frame: Activation) => wrapPart(find(frame)), { find });
}

/** What most expressions do: nothing is optional. */
function selectParts(value: CelValue, keys: readonly Interpretable[], frame: Activation): CelValue {
  let here = value;
  for (const key of keys) {
    const index = key.constant ?? key(frame);
    if (isError(index)) return index;
    const part = isKind(here, "optional") ? undefined : lookUp(here, index);
    charge(frame, 1);
    if (part === undefined) return missingKey(here, index);
    if (isError(part)) return part;
    here = part;
  }
  return here;
}

/** From the first optional step on, or from an optional value, what is absent is none: undefined. */
function findPart(value: CelValue, qualifiers: readonly Qualifier[], frame: Activation): CelValue | undefined {
  let isAbsentFine = isKind(value, "optional");
  let here = isKind(value, "optional") ? toPresent(value) : value;
  for (const qualifier of qualifiers) {
    if (here === undefined || isError(here)) return here;
    isAbsentFine ||= qualifier.isOptional;
    here = takeStep(here, qualifier, isAbsentFine, frame);
  }
  return here;
}

function toPresent({ value }: OptionalValue): CelValue | undefined {
  return value === undefined ? undefined : toNative(value);
}

/** Undefined if the part is absent and may be so. A step that finds nothing then costs nothing. */
function takeStep(
  value: CelValue,
  { key, isTest }: Qualifier,
  isAbsentFine: boolean,
  frame: Activation,
): CelValue | undefined {
  const index = key.constant ?? key(frame);
  if (isError(index)) return index;
  const part = isTest ? hasField(value, index) : isKind(value, "optional") ? undefined : lookUp(value, index);
  if (part !== undefined || !isAbsentFine) charge(frame, 1);
  return part !== undefined || isAbsentFine ? part : missingKey(value, index);
}
