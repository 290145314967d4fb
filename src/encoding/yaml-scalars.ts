import { FAILSAFE_SCHEMA, NOT_RESOLVED, type Schema, defineScalarTag, mergeTag } from "js-yaml";
import { type JsonNumber, toJsonNumber } from "../model/json.ts";

const TRUE = new Set(["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"]);
const FALSE = new Set(["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"]);
const NULL = new Set(["", "~", "null", "Null", "NULL"]);
const INFINITE_OR_NAN = /^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INTEGER = /^([-+]?)(0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)$/;
const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 64n - 1n;
const INT64 = 2 ** 63;
/** More digits than any of the integers has in any base; parsing very many takes long. */
const MAX_DIGITS = 100;
const DIGITS = [..."0123456789"];

/** What YAML 1.1 takes for true or false: also "y" and "off". */
export function parseBoolean(text: string): boolean | undefined {
  return TRUE.has(text) ? true : FALSE.has(text) ? false : undefined;
}

const nullTag = defineScalarTag("tag:yaml.org,2002:null", {
  implicit: true,
  implicitFirstChars: ["", "~", "n", "N"],
  resolve: (text) => (NULL.has(text) ? null : NOT_RESOLVED),
  identify: returnFalse,
});

const boolTag = defineScalarTag<boolean>("tag:yaml.org,2002:bool", {
  implicit: true,
  implicitFirstChars: [..."yYnNtTfFoO"],
  resolve: (text) => parseBoolean(text) ?? NOT_RESOLVED,
  identify: returnFalse,
});

const intTag = defineScalarTag<JsonNumber>("tag:yaml.org,2002:int", {
  implicit: true,
  implicitFirstChars: ["-", "+", ...DIGITS],
  resolve: (text) => parseInteger(text) ?? NOT_RESOLVED,
  identify: returnFalse,
});

const floatTag = defineScalarTag<JsonNumber>("tag:yaml.org,2002:float", {
  implicit: true,
  implicitFirstChars: ["-", "+", ".", ...DIGITS],
  resolve: (text) => parseFloatText(text) ?? NOT_RESOLVED,
  identify: returnFalse,
});

const binaryTag = defineScalarTag<string>("tag:yaml.org,2002:binary", {
  resolve: (text) => Buffer.from(text, "base64").toString("utf8"),
  identify: returnFalse,
});

const timestampTag = defineScalarTag<string>("tag:yaml.org,2002:timestamp", {
  resolve: (text) => text,
  identify: returnFalse,
});

/**
 * YAML as the Kubernetes tools read it (sigs.k8s.io/yaml on go-yaml v2): YAML 1.1 booleans, `014` and `0o14` are twelve, `1_000` a thousand,
 * merge keys, dates stay text. One difference remains: a merge key that follows the keys it overrides does not override them here.
 */
export const KUBERNETES_SCHEMA: Schema = FAILSAFE_SCHEMA.withTags(
  nullTag,
  boolTag,
  intTag,
  floatTag,
  mergeTag,
  binaryTag,
  timestampTag,
);

function returnFalse(): boolean {
  return false;
}

/** Integers from -2^63 to 2^64-1 in any of Go's bases; larger decimal ones are floats in Go, other ones text. */
function parseInteger(text: string): JsonNumber | undefined {
  const [, sign, digits] = INTEGER.exec(text.replaceAll("_", "")) ?? [];
  if (digits === undefined || digits.length > MAX_DIGITS) return undefined;
  const size = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits.toLowerCase());
  const value = sign === "-" ? -size : size;
  return value < MIN_INTEGER || value > MAX_INTEGER ? undefined : toJsonNumber(value);
}

/** The tools write a whole number without its fraction or exponent, so that the API server decodes an integer. */
function parseFloatText(text: string): JsonNumber | undefined {
  // JSON has neither infinities nor NaN, so the value is rejected later, as the tools reject it.
  if (INFINITE_OR_NAN.test(text)) return Number.NaN;
  const normalized = text.startsWith(".") ? text : text.replaceAll("_", "");
  if (!FLOAT.test(normalized)) return undefined;
  const value = Number(normalized);
  if (!Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && Math.abs(value) < INT64 ? toJsonNumber(BigInt(String(value))) : value;
}
