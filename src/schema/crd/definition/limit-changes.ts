import { type JsonObject, flagAt, numberAt, textAt } from "../../../model/json.ts";
import { type Tightening, describeKeyword, isNewFlag, isSame, isTighter } from "./keywords.ts";
import { compareTextLimits } from "./text-changes.ts";

/** The limits of a schema that exclude more than those of another. */
export function compareLimits(before: JsonObject, after: JsonObject): readonly Tightening[] {
  const sure = [
    ...listTighterRange(before, after, LOWER),
    ...listTighterRange(before, after, UPPER),
    ...LOWER_SIZES.filter((key) => isTighter(before, after, key, 1)),
    ...UPPER_SIZES.filter((key) => isTighter(before, after, key, -1)),
    ...["multipleOf", "x-kubernetes-list-type", "x-kubernetes-map-type"].filter((key) =>
      isNarrower(before, after, key),
    ),
    ...["uniqueItems", "x-kubernetes-embedded-resource"].filter((key) => isNewFlag(before, after, key)),
  ].map((key) => ({ message: describeKeyword(key, before, after), isSure: true }));
  return [...sure, ...compareTextLimits(before, after)];
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
