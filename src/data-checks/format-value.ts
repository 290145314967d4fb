import {
  findMapValue,
  getMapKeys,
  getListValues,
  formatDuration,
  formatTimestamp,
  type CelValue,
  type ObjectValue,
  isError,
  isKind,
  isList,
  isMap,
} from "../schema/cel/index.ts";

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
  if (isKind(value, "semver")) {
    const { parts, prerelease } = value;
    return `semver(${parts.join(".")}${prerelease.length === 0 ? "" : `-${prerelease.join(".")}`})`;
  }
  if (typeof value === "number") return Number.isInteger(value) ? value.toFixed(1) : String(value);
  if (typeof value === "bigint") return String(value);
  return typeof value === "object" && value !== null ? formatOther(value) : JSON.stringify(value);
}

function formatOther(value: ObjectValue): string {
  if (isKind(value, "timestamp")) return `timestamp(${JSON.stringify(formatTimestamp(value))})`;
  if (isKind(value, "duration")) return `duration(${JSON.stringify(formatDuration(value))})`;
  if (isKind(value, "uint")) return `${value.value}u`;
  if (isKind(value, "url")) return `url(${JSON.stringify(value.text)})`;
  if (isKind(value, "type")) return value.name;
  if (isError(value)) return `no value: ${value.text || "a read failed"}`;
  return `<${value.kind}>`;
}
