const INT64 = 2 ** 63;

/**
 * Does the API server decode this number as an integer? It does so for a JSON number without a fraction that fits 64 bits. 2^63 counts too,
 * because JSON.parse rounds the greatest of these integers to it.
 */
export function isInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -INT64 && value <= INT64;
}

/**
 * May JSON.parse have rounded this integer? Then no verdict may depend on its last digits. Beyond 64 bits the API server rounds like
 * JSON.parse.
 */
export function isRounded(value: number): boolean {
  return isInt64(value) && !Number.isSafeInteger(value);
}

const NEAR = 1e-9;

/** Does the API server accept a number with a fraction as an integer? It does if the fraction is below a billionth of the number. */
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
