import {
  at,
  byText,
  canonical,
  flagAt,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
} from "../../src/model/json.ts";
import { requiredIn, tightenedLimits } from "./compare-limits.ts";
import { newRules, type RuleKind } from "./compare-rules.ts";
import { ANYTHING, canBe, conjuncts, hasMore, namesIn, textsUnder, typesOf } from "./schema-parts.ts";

/**
 * What another schema means for objects of the one before. `tightening`: an object that was valid might not be. `drop`: the API server
 * drops what stands there. `path` is "spec.list[*].name", "" at the root; `keyword` is what changed.
 */
export type Change = {
  readonly kind: "tightening" | "drop" | RuleKind;
  readonly path: string;
  readonly keyword: string;
};

/** `nested` is below an alternative or a negation, where a schema only says what a value must be, and nothing is dropped for it. */
type Place = {
  readonly path: string;
  readonly level: "root" | "field" | "items" | "nested";
  /** Must the object have this field after? */
  readonly required: boolean;
};

/**
 * Compares two schemas of one kind, place by place, by what an API server does with an object that it stored under the first. What only
 * the second one knows can't be in such an object, so nothing is said of it. Sorted by path.
 */
export function compareSchemas(before: JsonObject, after: JsonObject): readonly Change[] {
  const changes = compare(before, after, { path: "", level: "root", required: false });
  return changes.toSorted((a, b) => byText(a.path, b.path) || byText(a.kind, b.kind) || byText(a.keyword, b.keyword));
}

function compare(before: JsonObject, after: JsonObject, place: Place): readonly Change[] {
  if (before === after) return [];
  const keywords = [
    ...tightenedLimits(before, after),
    ...(losesNull(before, after, place) ? ["nullable"] : []),
    ...tightenedJunctors(before, after),
  ];
  return [
    ...keywords.map((keyword): Change => ({ kind: "tightening", path: place.path, keyword })),
    ...newRules(before, after).map((kind): Change => ({ kind, path: place.path, keyword: RULES })),
    ...(canBe(before, "object") && canBe(after, "object") ? compareFields(before, after, place) : []),
    ...(canBe(before, "array") && canBe(after, "array") ? compareItems(before, after, place) : []),
  ];
}

const RULES = "x-kubernetes-validations";

/** The API server drops a null that a field may not have, or puts the default in its place; in a list it leaves it, and refuses it. */
function losesNull(before: JsonObject, after: JsonObject, { level, required }: Place): boolean {
  if (flagAt(before, "nullable") !== true || flagAt(after, "nullable") === true) return false;
  if (at(after, "default") !== undefined) return false;
  return level === "items" || required;
}

function compareFields(before: JsonObject, after: JsonObject, place: Place): readonly Change[] {
  const [was, is] = [requiredIn(before), requiredIn(after)];
  const missing = [...is].filter((name) => !was.has(name) && at(after, "properties", name, "default") === undefined);
  const names = new Set([...namesIn(before, "properties"), ...namesIn(after, "properties")]);
  return [
    ...missing.map((name): Change => ({ kind: "tightening", path: below(place, name), keyword: "required" })),
    ...[...names].flatMap((name) =>
      compareField(fieldOf(before, name, place), fieldOf(after, name, place), {
        path: below(place, name),
        level: place.level === "nested" ? "nested" : "field",
        required: is.has(name),
      }),
    ),
    ...compareField(restOf(before, place), restOf(after, place), {
      path: `${place.path}[*]`,
      level: place.level === "nested" ? "nested" : "field",
      required: false,
    }),
  ];
}

/** Undefined: the schema knows no such field, and an object that was stored under it has none. */
function compareField(before: JsonObject | undefined, after: JsonObject | undefined, place: Place): readonly Change[] {
  if (before === undefined) return [];
  if (after === undefined) return [{ kind: "drop", path: place.path, keyword: "properties" }];
  return compare(before, after, place);
}

function compareItems(before: JsonObject, after: JsonObject, place: Place): readonly Change[] {
  const [was, is] = [itemsOf(before, place), itemsOf(after, place)];
  if (was === undefined || is === undefined) return [];
  const level = place.level === "nested" ? "nested" : "items";
  return compare(was, is, { path: `${place.path}[*]`, level, required: false });
}

/** What every object has, whether or not its schema says so. The API server knows the fields of metadata itself and drops none of them. */
const IMPLIED: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ["apiVersion", { type: "string" }],
  ["kind", { type: "string" }],
  // A schema may say no more of metadata than what these two must be.
  [
    "metadata",
    { ...ANYTHING, type: "object", properties: { name: { type: "string" }, generateName: { type: "string" } } },
  ],
]);

function fieldOf(schema: JsonObject, name: string, place: Place): JsonObject | undefined {
  const own = schemaAt(schema, "properties", name);
  const isResource = place.level === "root" || flagAt(schema, "x-kubernetes-embedded-resource") === true;
  const implied = isResource ? IMPLIED.get(name) : undefined;
  if (implied !== undefined) {
    const properties = { ...objectAt(implied, "properties"), ...objectAt(own, "properties") };
    return { ...own, ...implied, properties };
  }
  return own ?? restOf(schema, place);
}

/** What holds of the fields that a schema doesn't name. */
function restOf(schema: JsonObject, { level }: Place): JsonObject | undefined {
  const additional = schemaAt(schema, "additionalProperties");
  if (additional !== undefined) return additional;
  const kept = level === "nested" || preserves(schema) || flagAt(schema, "additionalProperties") === true;
  return kept ? ANYTHING : undefined;
}

function itemsOf(schema: JsonObject, { level }: Place): JsonObject | undefined {
  return schemaAt(schema, "items") ?? (level === "nested" || preserves(schema) ? ANYTHING : undefined);
}

function preserves(schema: JsonObject): boolean {
  return flagAt(schema, "x-kubernetes-preserve-unknown-fields") === true;
}

function schemaAt(schema: JsonObject, ...path: readonly string[]): JsonObject | undefined {
  const found = at(schema, ...path);
  return isObject(found) ? found : undefined;
}

function below({ path }: Place, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function tightenedJunctors(before: JsonObject, after: JsonObject): readonly string[] {
  const [was, is] = [conjuncts(before), conjuncts(after)];
  return [
    ...(hasMore(shapesOf(was), shapesOf(is)) ? ["allOf"] : []),
    ...(anyOfs(after).some((group) => !anyOfs(before).some((known) => isWithin(known, group))) ? ["anyOf"] : []),
    // More alternatives are no comfort here: an object that fits two is invalid.
    ...(hasMore(oneOfs(was), oneOfs(is)) ? ["oneOf"] : []),
    ...(hasMore(negations(was), negations(is)) ? ["not"] : []),
  ];
}

/** What schemas of allOf say of fields and items; the rest of them counts as if it stood beside the allOf. */
function shapesOf([, ...others]: readonly JsonObject[]): ReadonlySet<string> {
  const shapes = others.map((schema) => ({
    properties: objectAt(schema, "properties"),
    items: objectAt(schema, "items"),
  }));
  return new Set(shapes.map(canonical).filter((text) => text !== NO_SHAPE));
}

const NO_SHAPE = canonical({ properties: {}, items: {} });
const INT_OR_STRING = canonical([{ type: "integer" }, { type: "string" }]);

/** Lists of alternatives of which a value must fit one. That of int-or-string says no more than the type. */
function anyOfs(schema: JsonObject): readonly (readonly Json[])[] {
  const groups = conjuncts(schema).map((one) => listAt(one, "anyOf"));
  const isIntOrString = typesOf(schema).length === 2;
  return groups.filter((group) => group.length > 0 && !(isIntOrString && canonical(group) === INT_OR_STRING));
}

/** Does what fits one of `known` fit one of `group` too? */
function isWithin(known: readonly Json[], group: readonly Json[]): boolean {
  const nested: Place = { path: "", level: "nested", required: false };
  return known.every((was) =>
    group.some((is) => isObject(was) && isObject(is) && compare(was, is, nested).length === 0),
  );
}

function oneOfs(schemas: readonly JsonObject[]): ReadonlySet<string> {
  const groups = schemas.map((schema) => [...textsUnder([schema], "oneOf")].toSorted(byText));
  return new Set(groups.filter((group) => group.length > 0).map((group) => group.join("\n")));
}

function negations(schemas: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(schemas.flatMap((schema) => (isObject(schema["not"]) ? canonical(schema["not"]) : [])));
}
