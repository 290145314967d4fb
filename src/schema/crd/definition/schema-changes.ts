import type { Json, JsonObject } from "../../../model/json.ts";
import {
  at,
  flagAt,
  formatCanonicalJson,
  isList,
  isObject,
  listAt,
  numberAt,
  objectAt,
  textAt,
  textsAt,
} from "../../../model/json.ts";
import { usesOldSelf } from "../rules/rule-program.ts";

/**
 * `path`: the field ("spec.list[*].mode"), "" for the whole object. `keys`: where it is in the schema. New rules make a schema stricter too;
 * those that compare with the value before a write do not judge stored objects.
 */
export type SchemaChange = {
  readonly kind: "lost" | "stricter" | "rule" | "transitionRule";
  readonly path: string;
  readonly keys: readonly string[];
  readonly message: string;
};

type Place = Pick<SchemaChange, "path" | "keys">;

/** What objects that fit one structural schema may miss in another. What only allows more is left out. */
export function findSchemaChanges(before: JsonObject, after: JsonObject): readonly SchemaChange[] {
  return compare(before, after, { path: "", keys: [] });
}

function compare(before: JsonObject, after: JsonObject, place: Place): readonly SchemaChange[] {
  const own = [
    ...compareTypes(before, after),
    ...compareLimits(before, after),
    ...compareValues(before, after),
    ...compareRules(before, after),
    ...compareJunctors(before, after),
  ].map((change): SchemaChange =>
    typeof change === "string" ? { kind: "stricter", ...place, message: change } : { ...change, ...place },
  );
  return [...own, ...compareUnknownFields(before, after, place), ...compareChildren(before, after, place)];
}

function compareTypes(before: JsonObject, after: JsonObject): readonly string[] {
  const old = describeType(before);
  const now = describeType(after);
  const isWider = now === "integer or string" ? old === "integer" || old === "string" : now === "any value";
  const isWiderNumber = old === "integer" && now === "number";
  const typed = old === now || isWider || isWiderNumber ? [] : [`It must be ${now}, and was ${old}.`];
  const hadNull = flagAt(before, "nullable") === true && flagAt(after, "nullable") !== true;
  return [...typed, ...(hadNull ? ["It can no longer be null."] : [])];
}

function describeType(schema: JsonObject): string {
  if (flagAt(schema, "x-kubernetes-int-or-string")) return "integer or string";
  return textAt(schema, "type") ?? "any value";
}

const LOWER_LIMITS = ["minimum", "minLength", "minItems", "minProperties"];
const UPPER_LIMITS = ["maximum", "maxLength", "maxItems", "maxProperties"];
const FIXED = ["multipleOf", "pattern", "format", "x-kubernetes-list-type", "x-kubernetes-map-type"];
const FLAGS = ["uniqueItems", "exclusiveMinimum", "exclusiveMaximum", "x-kubernetes-embedded-resource"];

function compareLimits(before: JsonObject, after: JsonObject): readonly string[] {
  const isTighter = (key: string, sign: 1 | -1): boolean => {
    const old = numberAt(before, key);
    const now = numberAt(after, key);
    return now !== undefined && (old === undefined || (now - old) * sign > 0);
  };
  const limits = [
    ...LOWER_LIMITS.filter((key) => isTighter(key, 1)),
    ...UPPER_LIMITS.filter((key) => isTighter(key, -1)),
  ];
  const fixed = FIXED.filter(
    (key) => after[key] !== undefined && !isSame(before[key], after[key]) && !isAtomic(key, after),
  );
  const flags = FLAGS.filter((key) => flagAt(after, key) === true && flagAt(before, key) !== true);
  return [...limits, ...fixed, ...flags].map((key) => describeKeyword(key, before[key], after[key]));
}

/** An atomic list or map accepts any items. */
function isAtomic(key: string, after: JsonObject): boolean {
  return key.endsWith("-type") && ["atomic", "granular"].includes(textAt(after, key) ?? "");
}

function describeKeyword(key: string, before: Json | undefined, after: Json | undefined): string {
  return `Its ${key} is ${shorten(after)}, and was ${before === undefined ? "not set" : shorten(before)}.`;
}

function compareValues(before: JsonObject, after: JsonObject): readonly string[] {
  const values = findEnum(after);
  const listed = values === undefined ? [] : describeEnum(findEnum(before), values);
  const required = textsAt(after, "required").filter(
    (name) => !textsAt(before, "required").includes(name) && at(after, "properties", name, "default") === undefined,
  );
  return [...listed, ...required.map((name) => `It requires ${name}, and did not.`)];
}

/** The values that the schema and all branches of its allOf allow. */
function findEnum(schema: JsonObject): readonly Json[] | undefined {
  const enums = [schema, ...listAt(schema, "allOf")].map((one) => at(one, "enum")).filter(isList);
  const [first, ...others] = enums;
  return first?.filter((value) => others.every((other) => other.some((one) => isSame(one, value))));
}

function describeEnum(old: readonly Json[] | undefined, values: readonly Json[]): readonly string[] {
  if (old === undefined) return [`It allows only ${values.map(shorten).join(", ")}, and allowed any value.`];
  const gone = old.filter((value) => !values.some((one) => isSame(one, value)));
  return gone.length === 0 ? [] : [`It no longer allows ${gone.map(shorten).join(", ")}.`];
}

/** A rule whose message alone changes is the same rule. */
function compareRules(before: JsonObject, after: JsonObject): readonly Pick<SchemaChange, "kind" | "message">[] {
  const known = new Set(listAt(before, "x-kubernetes-validations").map((rule) => textAt(rule, "rule")));
  const added = listAt(after, "x-kubernetes-validations").filter((rule) => !known.has(textAt(rule, "rule")));
  return added.map((rule) => {
    const text = textAt(rule, "rule");
    const message = textAt(rule, "message");
    const isTransition = flagAt(rule, "optionalOldSelf") !== true && usesOldSelf(text ?? "");
    return {
      kind: isTransition ? "transitionRule" : "rule",
      message: `It has the new rule ${shorten(text)}${message === undefined ? "" : ` (${message})`}.`,
    };
  });
}

/** Whether such a change allows less can't be told from the schema alone. */
function compareJunctors(before: JsonObject, after: JsonObject): readonly string[] {
  const changed = ["allOf", "anyOf", "oneOf", "not"].filter(
    (key) => after[key] !== undefined && !isSame(before[key], after[key]),
  );
  return changed.map(
    (key) => `Its ${key} is ${before[key] === undefined ? "new" : "another one"}, and may allow less.`,
  );
}

function keepsUnknown(schema: JsonObject): boolean {
  return flagAt(schema, "x-kubernetes-preserve-unknown-fields") === true;
}

function compareUnknownFields(before: JsonObject, after: JsonObject, place: Place): readonly SchemaChange[] {
  const lost = (message: string): readonly SchemaChange[] => [{ kind: "lost", ...place, message }];
  if (keepsUnknown(before) && !keepsUnknown(after)) return lost("Fields that the schema does not name are dropped.");
  const hasAny = ({ additionalProperties: schema }: JsonObject): boolean => schema !== undefined && schema !== false;
  return hasAny(before) && !hasAny(after) && !keepsUnknown(after) ? lost("The keys of the map are dropped.") : [];
}

function compareChildren(before: JsonObject, after: JsonObject, { path, keys }: Place): readonly SchemaChange[] {
  const mayKeep = keepsUnknown(after) || isObject(after["additionalProperties"]);
  const properties = Object.entries(objectAt(before, "properties")).flatMap(
    ([name, schema]): readonly SchemaChange[] => {
      const field = path === "" ? name : `${path}.${name}`;
      const now = at(after, "properties", name);
      const place = { path: field, keys: [...keys, "properties", name] };
      if (isObject(now)) return compare(objectAt(schema), now, place);
      return mayKeep ? [] : [{ kind: "lost", ...place, message: "The field is gone, so objects lose it." }];
    },
  );
  const below = (["items", "additionalProperties"] as const).flatMap((keyword) => {
    const old = before[keyword];
    const now = after[keyword];
    if (!isObject(now) || !isObject(old)) return [];
    return compare(old, now, { path: `${path}[*]`, keys: [...keys, keyword] });
  });
  return [...properties, ...below];
}

function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && formatCanonicalJson(a) === formatCanonicalJson(b));
}

const MAX_LENGTH = 80;

function shorten(value: Json | undefined): string {
  const text = typeof value === "string" ? value : formatCanonicalJson(value ?? null);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text;
}
