import { findMapValue, getMapKeys } from "../../../src/schema/cel/runtime/values/equality.ts";
import { getListValues } from "../../../src/schema/cel/runtime/values/unstructured.ts";
import { type CelValue, isKind, isList, isMap } from "../../../src/schema/cel/runtime/values/value.ts";

/** A value as CEL writes it. */
export function formatValue(value: CelValue): string {
  if (isList(value)) return `[${getListValues(value).map(formatValue).join(", ")}]`;
  if (isMap(value)) {
    const entries = getMapKeys(value).map(
      (key) => `${formatValue(key)}: ${formatValue(findMapValue(value, key) ?? null)}`,
    );
    return `{${entries.join(", ")}}`;
  }
  if (isKind(value, "optional")) return value.value === undefined ? "none" : `optional(${formatValue(value.value)})`;
  if (isKind(value, "semver")) return `semver(${[value.parts.join("."), ...value.prerelease].join("-")})`;
  if (typeof value === "number") return Number.isInteger(value) ? value.toFixed(1) : String(value);
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}
