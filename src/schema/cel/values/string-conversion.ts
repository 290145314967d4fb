import { formatDuration } from "./duration.ts";
import { formatCidr, formatIp } from "./ip.ts";
import { formatTimestamp } from "./timestamp.ts";
import { type CelValue, NO_OVERLOAD, type ObjectValue, buildError } from "./value.ts";

/** A double as Go's %g prints it. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [mantissa = "", power = "0"] = value.toExponential().split("e");
  if (Number(power) >= -4 && Number(power) < 6) return formatPlainDouble(value);
  return `${mantissa}e${power.startsWith("-") ? "-" : "+"}${power.replace(/^[+-]/, "").padStart(2, "0")}`;
}

function formatPlainDouble(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text;
  return value.toFixed(20).replace(/0+$/, "");
}

/** `string(...)`. */
export function toText(value: CelValue): CelValue {
  if (typeof value === "string") return value;
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (typeof value === "number") return formatDouble(value);
  return value === null ? NO_OVERLOAD : formatObjectValue(value);
}

function formatObjectValue(value: ObjectValue): CelValue {
  if (value.kind === "uint") return String(value.value);
  if (value.kind === "bytes")
    return decodeUtf8(value.bytes) ?? buildError("invalid UTF-8 in bytes, cannot convert to string");
  if (value.kind === "timestamp") return formatTimestamp(value);
  if (value.kind === "duration") return formatDuration(value);
  if (value.kind === "ip") return formatIp(value);
  return value.kind === "cidr" ? formatCidr(value) : NO_OVERLOAD;
}

/** Undefined if the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
