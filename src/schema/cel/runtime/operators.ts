import { type Interpretable, charge } from "./activation.ts";
import { actualSize, getTraversalCost } from "../values/size.ts";
import { type ArithmeticOperator, calculate } from "../values/arithmetic.ts";
import { equal } from "../values/equality.ts";
import { compareValues } from "../values/ordering.ts";
import { NO_OVERLOAD, type CelValue, isError, isKind, joinErrors } from "../values/value.ts";

/** The parser gives each operator as many operands as it has. */
type Operator = (...operands: readonly Interpretable[]) => Interpretable;

const nothing: Interpretable = () => NO_OVERLOAD;

/** Either side may decide alone, even if the other fails. */
export function buildLogical(decisive: boolean): Operator {
  return (left = nothing, right = nothing) =>
    (frame) => {
      const first = left(frame);
      if (first === decisive) return decisive;
      const second = right(frame);
      if (second === decisive) return decisive;
      if (first === !decisive && second === !decisive) return !decisive;
      if (isError(first) && isError(second)) return joinErrors(first, second);
      const failure = typeof first === "boolean" ? second : first;
      return isError(failure) ? failure : NO_OVERLOAD;
    };
}

/** Only false ends a macro: after a failure, an element that follows may still decide. */
export function buildNotStrictlyFalse(operand = nothing): Interpretable {
  return (frame) => {
    const value = operand(frame);
    charge(frame, 1);
    return value !== false;
  };
}

export function buildUnary(act: (value: CelValue) => CelValue): Operator {
  return (operand = nothing) =>
    (frame) => {
      const value = operand(frame);
      if (isError(value)) return value;
      charge(frame, 1);
      return act(value);
    };
}

type BinaryOperation = (a: CelValue, b: CelValue) => CelValue;

export function buildBinary(act: BinaryOperation, getCost: (a: CelValue, b: CelValue) => number): Operator {
  return (left = nothing, right = nothing) =>
    (frame) => {
      const a = left(frame);
      if (isError(a)) return a;
      const b = right(frame);
      if (isError(b)) return b;
      charge(frame, getCost(a, b));
      return act(a, b);
    };
}

export function getContainerCost(_: CelValue, container: CelValue): number {
  return Math.max(1, actualSize(container));
}

export function getEqualityCost(a: CelValue, b: CelValue): number {
  return getTraversalCost(Math.min(actualSize(a), actualSize(b)));
}

function getOrderingCost(a: CelValue, b: CelValue): number {
  return typeof a === "string" && typeof b === "string" ? getTraversalCost(Math.min(a.length, b.length)) : 1;
}

function getAdditionCost(a: CelValue, b: CelValue): number {
  return typeof a === "string" && typeof b === "string" ? getTraversalCost(a.length + b.length) : 1;
}

/** What can't be compared differs. */
export function differ(a: CelValue, b: CelValue): CelValue {
  return equal(a, b) !== true;
}

export function not(value: CelValue): CelValue {
  return typeof value === "boolean" ? !value : NO_OVERLOAD;
}

export function buildComparison(test: (order: number) => boolean): Operator {
  return buildBinary((a, b) => {
    const result = compareValues(a, b);
    return typeof result === "number" ? test(result) : result;
  }, getOrderingCost);
}

export function buildArithmetic(op: ArithmeticOperator): Operator {
  return buildBinary((a, b) => calculate(op, a, b), op === "+" ? getAdditionCost : getOrderingCost);
}

/** The other side is only evaluated if there is no value. Neither the call nor a value that is no optional is wrong, or costs anything. */
export function buildOrElse(keepsOptional: boolean): Operator {
  return (over = nothing, other = nothing) =>
    (frame) => {
      const value = over(frame);
      if (isError(value)) return value;
      if (!isKind(value, "optional")) return value;
      if (value.value === undefined) return other(frame);
      return keepsOptional ? value : value.value;
    };
}
