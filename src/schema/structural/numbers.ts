const INT64 = 2 ** 63;

/**
 * Does the API server hold this number as an integer? A JSON number without a fraction that fits 64 bits is one. 2^63 counts too,
 * since the greatest such integers come out of JSON.parse as that.
 */
export function isInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -INT64 && value <= INT64;
}

/**
 * May JSON.parse have rounded this integer? Then nothing is said that hangs on its last digits. Beyond 64 bits the API server rounds
 * just as JSON.parse does.
 */
export function isRounded(value: number): boolean {
  return isInt64(value) && !Number.isSafeInteger(value);
}

const NEAR = 1e-9;

/** Does the API server take a number with a fraction for an integer? It does where the fraction is below a billionth of the number. */
export function isNearInteger(value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.trunc(value);
  return whole > 0 && (value - whole) / (value + whole) < NEAR;
}

const INT32 = 2 ** 31;

/** Can a type and format hold the number? Only integers and floats are bounded. */
export function fitsFormat(value: number, type: string, format: string): boolean {
  if (type === "integer") return isInt64(value) && (format !== "int32" || (value >= -INT32 && value < INT32));
  return type !== "number" || format !== "float" || Number.isFinite(Math.fround(value));
}

/** Go's int64(f): the fraction is cut off. */
export function truncate(value: number): number {
  return Math.trunc(value);
}
