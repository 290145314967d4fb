import {
  compareText,
  formatCanonicalJson,
  flagAt,
  type JsonObject,
  listAt,
  numberAt,
  textAt,
  textsAt,
} from "../../src/model/json.ts";
import { findFormat } from "../../src/schema/supported-formats.ts";
import type { JsonType } from "../../src/schema/structural/structural-schema.ts";
import { canBe, getConjuncts, hasMore, getTypes } from "./schema-parts.ts";

/**
 * The keywords that may refuse a value in `after` which `before` allows; fields and items are not compared. May report too much, if
 * another keyword of `before` excludes every such value, but never too little.
 */
export function findTightenedLimits(before: JsonObject, after: JsonObject): readonly string[] {
  const [was, is] = [getConjuncts(before), getConjuncts(after)];
  const types = getTypes(after);
  return [
    ...(losesType(before, after) ? ["type"] : []),
    ...(isEnumNarrowed(intersectEnums(was), intersectEnums(is)) ? ["enum"] : []),
    ...LOWER.filter((keyword) => isNarrowed(getLowerBound(was, keyword), getLowerBound(is, keyword))),
    ...UPPER.filter((keyword) => isNarrowed(getUpperBound(was, keyword), getUpperBound(is, keyword))),
    ...(hasNewDivisor(was, is) ? ["multipleOf"] : []),
    ...(hasMore(getPatterns(was), getPatterns(is)) ? ["pattern"] : []),
    ...(hasMore(addWiderFormats(getFormats(was, types)), getFormats(is, types)) ? ["format"] : []),
    ...(hasNewFlag(was, is, "uniqueItems") ? ["uniqueItems"] : []),
    ...(hasNewFlag([before], [after], EMBEDDED) ? [EMBEDDED] : []),
    ...(hasNewListType(before, after) ? ["x-kubernetes-list-type"] : []),
  ];
}

/** The fields that a schema, or one of its allOf, requires. */
export function getRequired(schema: JsonObject): ReadonlySet<string> {
  return new Set(getConjuncts(schema).flatMap((one) => textsAt(one, "required")));
}

const EMBEDDED = "x-kubernetes-embedded-resource";
const LOWER = ["minimum", "minLength", "minItems", "minProperties"];
const UPPER = ["maximum", "maxLength", "maxItems", "maxProperties"];

const TYPES: readonly JsonType[] = ["array", "boolean", "integer", "number", "object", "string"];

function losesType(before: JsonObject, after: JsonObject): boolean {
  return TYPES.some((type) => canBe(before, type) && !canBe(after, type));
}

/** The values that every enum of these allows. Undefined if any value is allowed. */
function intersectEnums(schemas: readonly JsonObject[]): ReadonlySet<string> | undefined {
  const enums = schemas.map((schema) => listAt(schema, "enum")).filter((values) => values.length > 0);
  const [first, ...others] = enums.map((values): ReadonlySet<string> => new Set(values.map(formatCanonicalJson)));
  return first && new Set([...first].filter((value) => others.every((values) => values.has(value))));
}

function isEnumNarrowed(was: ReadonlySet<string> | undefined, is: ReadonlySet<string> | undefined): boolean {
  if (is === undefined) return false;
  return was === undefined || hasMore(is, was);
}

/** The strictness of a bound: higher is narrower. An exclusive bound is slightly narrower than an inclusive one. */
type Bound = { readonly height: number; readonly isExclusive: boolean };

function getLowerBound(schemas: readonly JsonObject[], keyword: string): Bound {
  // No length is below 0, so a bound of 0 has no effect.
  const none = { height: keyword === "minimum" ? -Infinity : 0, isExclusive: false };
  return getTightestBound(schemas, keyword, "exclusiveMinimum", 1, none);
}

function getUpperBound(schemas: readonly JsonObject[], keyword: string): Bound {
  return getTightestBound(schemas, keyword, "exclusiveMaximum", -1, { height: -Infinity, isExclusive: false });
}

function getTightestBound(
  schemas: readonly JsonObject[],
  keyword: string,
  flag: string,
  sign: 1 | -1,
  none: Bound,
): Bound {
  return schemas.reduce((known: Bound, schema) => {
    const value = numberAt(schema, keyword);
    if (value === undefined) return known;
    const isExclusive = keyword.endsWith("imum") && flagAt(schema, flag) === true;
    const bound = { height: sign * value, isExclusive };
    return isNarrowed(known, bound) ? bound : known;
  }, none);
}

function isNarrowed(was: Bound, is: Bound): boolean {
  return is.height > was.height || (is.height === was.height && is.isExclusive && !was.isExclusive);
}

/** A multiple of 6 is also a multiple of 3, so replacing 6 by 3 narrows nothing. */
function hasNewDivisor(was: readonly JsonObject[], is: readonly JsonObject[]): boolean {
  const divisors = (schemas: readonly JsonObject[]): readonly number[] =>
    schemas.flatMap((schema) => numberAt(schema, "multipleOf") ?? []);
  return divisors(is).some((divisor) => !divisors(was).some((known) => known % divisor === 0));
}

function getPatterns(schemas: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(schemas.flatMap((schema) => textAt(schema, "pattern") || []));
}

/** Newer than every Kubernetes minor, so that all formats count. */
const NEWEST_MINOR = 99;

/** The formats that an API server checks for these types; the others it ignores. */
function getFormats(schemas: readonly JsonObject[], types: readonly JsonType[]): ReadonlySet<string> {
  const names = schemas.flatMap((schema) => textAt(schema, "format") ?? []);
  return new Set(names.flatMap((name) => findFormat(name, types, NEWEST_MINOR).name || []));
}

/** The formats that values of these formats also have: an int32 is an int64 too. */
function addWiderFormats(formats: ReadonlySet<string>): ReadonlySet<string> {
  const wider = [...(formats.has("int32") ? ["int64"] : []), ...(formats.has("float") ? ["double"] : [])];
  return new Set([...formats, ...wider]);
}

function hasNewFlag(was: readonly JsonObject[], is: readonly JsonObject[], flag: string): boolean {
  const has = (schema: JsonObject): boolean => flagAt(schema, flag) === true;
  return is.some(has) && !was.some(has);
}

function hasNewListType(before: JsonObject, after: JsonObject): boolean {
  const now = getListType(after);
  return now !== "" && now !== getListType(before);
}

/** "" if items may repeat. */
function getListType(schema: JsonObject): string {
  const type = textAt(schema, "x-kubernetes-list-type");
  if (type === "set") return "set";
  return type === "map"
    ? `map of ${formatCanonicalJson(textsAt(schema, "x-kubernetes-list-map-keys").toSorted(compareText))}`
    : "";
}
