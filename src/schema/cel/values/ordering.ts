import { NO_OVERLOAD, type ObjectValue, type CelValue, buildError, isKind } from "./value.ts";

const NAN = buildError("NaN values cannot be ordered");

/** Less than, equal to or greater than zero, or a failure where two values have no order. */
export function compareValues(a: CelValue, b: CelValue): number | ObjectValue {
  if (typeof a === "string") return typeof b === "string" ? compareText(a, b) : NO_OVERLOAD;
  if (typeof a === "boolean") return typeof b === "boolean" ? Number(a) - Number(b) : NO_OVERLOAD;
  const left = toNumber(a);
  const right = toNumber(b);
  if (left !== undefined) return right === undefined ? NO_OVERLOAD : compareNumbers(left, right);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return NO_OVERLOAD;
  if (a.kind === "timestamp" && b.kind === "timestamp") return a.seconds - b.seconds || a.nanos - b.nanos;
  if (a.kind === "duration" && b.kind === "duration") return compareNumbers(a.nanos, b.nanos);
  if (a.kind === "bytes" && b.kind === "bytes") return Buffer.compare(a.bytes, b.bytes);
  return NO_OVERLOAD;
}

function toNumber(value: CelValue): bigint | number | undefined {
  if (typeof value === "bigint" || typeof value === "number") return value;
  return isKind(value, "uint") ? value.value : undefined;
}

/** An int and a double are compared as doubles, as in cel-go. */
export function compareNumbers(a: bigint | number, b: bigint | number): number | ObjectValue {
  if (Number.isNaN(a) || Number.isNaN(b)) return NAN;
  const [left, right] = typeof a === typeof b ? [a, b] : [Number(a), Number(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** By code points, as the bytes of UTF-8 are ordered. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  for (let i = 0; i < a.length && i < b.length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === right) continue;
    const areDifferent = isSurrogate(left) !== isSurrogate(right);
    if (areDifferent) return (a.codePointAt(i) ?? 0) - (b.codePointAt(i) ?? 0);
    return left - right;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}
