import { type JsonObject, flagAt, numberAt, textAt } from "../../../model/json.ts";
import { fitsFormat } from "../../openapi/index.ts";
import { type Tightening, describeKeyword, isNewFlag, isSame, isTighter, shorten } from "./keywords.ts";
import { compareTextLimits } from "./text-changes.ts";

/** The limits of a schema that exclude more than those of another. */
export function compareLimits(before: JsonObject, after: JsonObject): readonly Tightening[] {
  const keys = [
    ...listTighterRange(before, after, LOWER),
    ...listTighterRange(before, after, UPPER),
    ...LOWER_SIZES.filter((key) => isTighter(before, after, key, 1)),
    ...UPPER_SIZES.filter((key) => isTighter(before, after, key, -1)),
    ...["multipleOf", "x-kubernetes-list-type", "x-kubernetes-map-type"].filter((key) =>
      isNarrower(before, after, key),
    ),
    ...["uniqueItems", "x-kubernetes-embedded-resource"].filter((key) => isNewFlag(before, after, key)),
  ];
  const sure = keys.map((key) => ({ message: describeKeyword(key, before, after), isSure: true }));
  return [...sure, ...listUnfitLimits(before, after, keys), ...compareTextLimits(before, after)];
}

/** Limits that refuse numbers for what they are themselves, and did not before. `known`: told otherwise. */
function listUnfitLimits(before: JsonObject, after: JsonObject, known: readonly string[]): readonly Tightening[] {
  return [LOWER.key, UPPER.key].flatMap((key) => {
    const then = describeUnfit(after, key);
    if (then === undefined || known.includes(key) || describeUnfit(before, key) !== undefined) return [];
    const isSure = then === NO_INTEGER;
    return [{ message: `Its ${key} is ${shorten(after[key])}, ${then}.`, isSure }];
  });
}

const NO_INTEGER = "which is beyond 64 bits, so that no integer is valid";
const NO_NUMBER = "which does not fit its type and format, so that Kubernetes 1.36 and later accept no number";

/** An API server reads a maximum from 2^63 on as the least integer. From 1.36 on, it holds each limit against type and format. */
function describeUnfit(schema: JsonObject, key: string): string | undefined {
  const limit = numberAt(schema, key);
  if (limit === undefined) return undefined;
  if (key === UPPER.key && limit >= 2 ** 63) return NO_INTEGER;
  return fitsFormat(limit, textAt(schema, "type") ?? "", textAt(schema, "format") ?? "") ? undefined : NO_NUMBER;
}

type Range = { readonly key: string; readonly flag: string; readonly sign: 1 | -1 };

const LOWER: Range = { key: "minimum", flag: "exclusiveMinimum", sign: 1 };
const UPPER: Range = { key: "maximum", flag: "exclusiveMaximum", sign: -1 };
const LOWER_SIZES = ["minItems", "minProperties"];
const UPPER_SIZES = ["maxItems", "maxProperties"];

/** An exclusive limit of an integer is the next integer. */
function listTighterRange(before: JsonObject, after: JsonObject, { key, flag, sign }: Range): readonly string[] {
  const keys = [
    ...(isTighter(before, after, key, sign) ? [key] : []),
    ...(isNewFlag(before, after, flag) ? [flag] : []),
  ];
  const old = numberAt(before, key);
  const now = numberAt(after, key);
  if (old === undefined || now === undefined) return now === undefined ? [] : keys;
  const isWhole = textAt(before, "type") === "integer" && Number.isSafeInteger(old) && Number.isInteger(now);
  const step = isWhole ? 1 : 0;
  const oldLimit = old * sign + (flagAt(before, flag) === true ? step : 0);
  const limit = now * sign + (flagAt(after, flag) === true ? step : 0);
  return limit < oldLimit || (isWhole && limit === oldLimit) ? [] : keys;
}

function isNarrower(before: JsonObject, after: JsonObject, key: string): boolean {
  if (after[key] === undefined || isSame(before[key], after[key])) return false;
  if (key === "multipleOf") return !isMultiple(numberAt(before, key), numberAt(after, key));
  return !["atomic", "granular"].includes(textAt(after, key) ?? "");
}

function isMultiple(old: number | undefined, now: number | undefined): boolean {
  return Number.isSafeInteger(old) && Number.isSafeInteger(now) && now !== 0 && Number(old) % Number(now) === 0;
}
