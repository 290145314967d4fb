import type { Json, JsonObject } from "../../../model/json.ts";
import { at, flagAt, isList, isObject, listAt, objectAt, textAt, textsAt } from "../../../model/json.ts";
import { CompileError, tokenize } from "../../cel/index.ts";
import { usesOldSelf } from "../rules/rule-program.ts";
import { type Tightening, compareLimits, isSame, shorten } from "./limit-changes.ts";

/**
 * `path`: the field ("spec.list[*].mode"), "" for the whole object. `keys`: where it is in the schema. New rules make a schema stricter too;
 * those that compare with the value before a write do not judge stored objects. `mayBeStricter`: whether the schema allows less could not be
 * decided.
 */
export type SchemaChange = {
  readonly kind: "lost" | "stricter" | "mayBeStricter" | "rule" | "transitionRule";
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
    ...[...compareTypes(before, after), ...compareValues(before, after)].map((message) =>
      toChange({ message, isSure: true }),
    ),
    ...[...compareLimits(before, after), ...compareJunctors(before, after)].map(toChange),
    ...compareRules(before, after),
  ].map((change): SchemaChange => ({ ...change, ...place }));
  return [...own, ...compareUnknownFields(before, after, place), ...compareChildren(before, after, place)];
}

function toChange({ message, isSure }: Tightening): Pick<SchemaChange, "kind" | "message"> {
  return { kind: isSure ? "stricter" : "mayBeStricter", message };
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

/** Branches are compared as schemas of their own: none of allOf may be new, and each of anyOf has to be there still. */
function compareJunctors(before: JsonObject, after: JsonObject): readonly Tightening[] {
  const isWider = (old: Json, now: Json): boolean =>
    isObject(old) && isObject(now) && findSchemaChanges(old, now).length === 0;
  const plain = { ...before, allOf: [], anyOf: [], oneOf: [] };
  const all = [plain, ...listAt(before, "allOf")];
  const keeps: Readonly<Record<string, boolean>> = {
    allOf: listAt(after, "allOf").every((now) => isOnlyEnum(now) || all.some((old) => isWider(old, now))),
    anyOf:
      before["anyOf"] !== undefined &&
      listAt(before, "anyOf").every((old) => listAt(after, "anyOf").some((now) => isWider(old, now))),
  };
  return ["allOf", "anyOf", "oneOf", "not"]
    .filter((key) => after[key] !== undefined && !isSame(before[key], after[key]) && keeps[key] !== true)
    .map((key) => ({
      message: `Its ${key} is ${before[key] === undefined ? "new" : "another one"}, and may allow less.`,
      isSure: false,
    }));
}

/** Such a branch is compared with the values that were allowed. */
function isOnlyEnum(schema: Json): boolean {
  return isObject(schema) && Object.keys(schema).join() === "enum";
}

function keepsUnknown(schema: JsonObject): boolean {
  return flagAt(schema, "x-kubernetes-preserve-unknown-fields") === true;
}

function compareUnknownFields(before: JsonObject, after: JsonObject, place: Place): readonly SchemaChange[] {
  const lost = (message: string): readonly SchemaChange[] => [{ kind: "lost", ...place, message }];
  const mayHaveFields = ["object", "any value"].includes(describeType(after));
  if (keepsUnknown(before) && !keepsUnknown(after) && mayHaveFields)
    return lost("Fields that the schema does not name are dropped.");
  const hasAny = ({ additionalProperties: schema }: JsonObject): boolean => schema !== undefined && schema !== false;
  return hasAny(before) && !hasAny(after) && !keepsUnknown(after) ? lost("The keys of the map are dropped.") : [];
}

/** A field that no schema names, where such fields are kept. */
const ANYTHING: JsonObject = { "x-kubernetes-preserve-unknown-fields": true };

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
  const known = objectAt(before, "properties");
  // What was kept whatever it was has a type now.
  const named = keepsUnknown(before)
    ? Object.entries(objectAt(after, "properties")).filter(([name]) => !Object.hasOwn(known, name))
    : [];
  const typed = named.flatMap(([name, schema]) =>
    compare(ANYTHING, objectAt(schema), {
      path: path === "" ? name : `${path}.${name}`,
      keys: [...keys, "properties", name],
    }),
  );
  const below = (["items", "additionalProperties"] as const).flatMap((keyword) => {
    const old = before[keyword] ?? (keepsUnknown(before) ? ANYTHING : undefined);
    const now = after[keyword];
    if (!isObject(now) || !isObject(old)) return [];
    return compare(old, now, { path: `${path}[*]`, keys: [...keys, keyword] });
  });
  return [...properties, ...typed, ...below];
}

type RuleChange = { readonly kind: "mayBeStricter" | "rule" | "transitionRule"; readonly message: string };

/**
 * The rules that a schema did not have, whatever their order, message and white space. One that stands where another is gone may only have
 * been widened.
 */
function compareRules(before: JsonObject, after: JsonObject): readonly RuleChange[] {
  const old = listRules(before);
  const now = listRules(after);
  const known = new Set(old.map(({ key }) => key));
  const kept = new Set(now.map(({ key }) => key));
  const hasLost = old.some(({ key }) => !kept.has(key));
  return now.filter(({ key }) => !known.has(key)).map(({ rule }) => describe(rule, hasLost));
}

function describe(rule: JsonObject, hasLost: boolean): RuleChange {
  const text = textAt(rule, "rule");
  const message = textAt(rule, "message");
  const shown = `${shorten(text)}${message === undefined ? "" : ` (${message})`}`;
  if (hasLost)
    return { kind: "mayBeStricter", message: `It has the rule ${shown} instead of another one, which may allow less.` };
  const isTransition = flagAt(rule, "optionalOldSelf") !== true && usesOldSelf(text ?? "");
  return { kind: isTransition ? "transitionRule" : "rule", message: `It has the new rule ${shown}.` };
}

type Rule = { readonly rule: JsonObject; readonly key: string };

function listRules(schema: JsonObject): readonly Rule[] {
  return listAt(schema, "x-kubernetes-validations").flatMap((rule) =>
    isObject(rule) ? [{ rule, key: buildKey(rule) }] : [],
  );
}

function buildKey(rule: JsonObject): string {
  const flags = flagAt(rule, "optionalOldSelf") === true ? "optional " : "";
  return `${flags}${splitWords(textAt(rule, "rule") ?? "")}`;
}

/** Without white space and comments. */
function splitWords(rule: string): string {
  try {
    return JSON.stringify(tokenize(rule).map(({ kind, text }) => [kind, text]));
  } catch (error) {
    if (error instanceof CompileError) return rule;
    throw error;
  }
}
