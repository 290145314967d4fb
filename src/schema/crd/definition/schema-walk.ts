import { type Place, type SchemaProps, META, refuse, SCHEMA_TYPES, junctorsOf, enter } from "../../openapi/index.ts";
import type { Options } from "./spec.ts";
import { type RuleContext, elementContext, propertyContext, requireRuleTexts, requireRules } from "./rules.ts";

/** The position of a schema and what applies there; `context` is undefined if rules are not judged. */
type SchemaPlace = Place & {
  readonly isRoot: boolean;
  readonly isInMeta: boolean;
  readonly noDefaults: string | undefined;
  readonly uncorrelated: string | undefined;
  readonly context: RuleContext | undefined;
};

/** `limitsRules`: is the cost of a single rule limited? */
type WalkOptions = Pick<Options, "tolerates" | "installedRules" | "installedMessages"> & {
  readonly limitsRules: boolean;
};

/** Refuses faults of a schema's keywords, and then those of its rules if the schema and all below are otherwise valid. */
export function requireSchema(
  schema: SchemaProps,
  context: RuleContext | undefined,
  options: WalkOptions,
  place: Place,
): void {
  const root = { isRoot: true, isInMeta: false, noDefaults: undefined, uncorrelated: undefined, context };
  walk(schema, { ...place, ...root }, options);
}

/** Is the schema valid apart from its rules? */
function walk(schema: SchemaProps, place: SchemaPlace, options: WalkOptions): boolean {
  const { report, context } = place;
  const before = report.refusals.length;
  requireKeywords(schema, place, options);
  let isInOrder = report.refusals.length === before;
  for (const [child, at] of placesBelow(schema, place)) isInOrder = walk(child, at, options) && isInOrder;
  const own = report.refusals.length;
  requireLists(schema, place, options);
  requireRuleTexts(schema, place);
  isInOrder &&= report.refusals.length === own;
  if (isInOrder && context && schema.rules.length > 0) {
    requireRules(schema, { ...place, ...options, context });
  }
  return isInOrder;
}

function requireKeywords(schema: SchemaProps, place: SchemaPlace, { tolerates }: WalkOptions): void {
  const { type, additional } = schema;
  if (!tolerates.unknownTypes && !SCHEMA_TYPES.has(type))
    refuse(place, ".type", `${JSON.stringify(type)} is not a type`);
  else if (type === "null") refuse(place, ".type", "can't be null; nullable says that a value may be");
  if (schema.default !== undefined && place.noDefaults !== undefined) refuse(place, ".default", place.noDefaults);
  for (const keyword of forbiddenIn(schema)) refuse(place, `.${keyword}`, "is not supported");
  if (schema.itemSchemas.length > 0) refuse(place, ".items", "must be one schema, not a list of them");
  if (place.isInMeta && schema.embedded) {
    refuse(place, ".x-kubernetes-embedded-resource", "is not allowed within a resource's metadata");
  }
  if (schema.limits.uniqueItems)
    refuse(place, ".uniqueItems", "can't be true; x-kubernetes-list-type: set says the same");
  if (additional && schema.properties.size > 0 && (!additional.allows || additional.schema)) {
    refuse(place, ".additionalProperties", "is not allowed beside properties");
  }
}

/** Maps and lists count if they are not empty, everything else if it is present. */
function forbiddenIn({ raw }: SchemaProps): readonly string[] {
  const isFilled = (keyword: string): boolean => Object.keys(raw[keyword] ?? {}).length > 0;
  const isThere = (keyword: string): boolean => (raw[keyword] ?? undefined) !== undefined;
  return [
    ...["id"].filter((keyword) => (raw[keyword] ?? "") !== ""),
    ...["patternProperties", "definitions"].filter(isFilled),
    ...["additionalItems", "dependencies", "$ref"].filter(isThere),
  ];
}

function requireLists(schema: SchemaProps, place: Place, { tolerates }: WalkOptions): void {
  const { type, listType, items } = schema;
  requireMapType(schema, place);
  requireListType(schema, place);
  if (!tolerates.sets && type === "array" && listType === "set" && items) requireAtomicItems(items, place);
  if (!tolerates.mapKeys) requireKeyValues(schema, place);
}

function* placesBelow(schema: SchemaProps, place: SchemaPlace): Generator<readonly [SchemaProps, SchemaPlace]> {
  const { additional, items } = schema;
  const inner: SchemaPlace = { ...place, isRoot: false };
  const { path } = place;
  if (additional?.schema) {
    const noDefaults = place.isInMeta ? "can't be given within additionalProperties of metadata" : place.noDefaults;
    const context = elementContext(place.context, additional.schema);
    yield [additional.schema, { ...inner, path: `${path}.additionalProperties`, noDefaults, context }];
  }
  for (const [name, property] of schema.properties) yield [property, propertyPlace(schema, property, name, place)];
  for (const [step, child] of junctorsOf(schema)) yield [child, { ...inner, path: path + step, context: undefined }];
  if (items) {
    const uncorrelated = schema.listType === "map" ? place.uncorrelated : (place.uncorrelated ?? path);
    const context = elementContext(place.context, items);
    yield [items, { ...inner, path: `${path}.items`, uncorrelated, context }];
  }
}

function propertyPlace(schema: SchemaProps, property: SchemaProps, name: string, place: SchemaPlace): SchemaPlace {
  const isMeta = (place.isRoot || schema.embedded) && META.has(name);
  return {
    ...place,
    path: `${place.path}.properties[${name}]`,
    isRoot: false,
    isInMeta: place.isInMeta || isMeta,
    noDefaults: isMeta && place.isRoot ? `can't be given in ${name} of the object itself` : place.noDefaults,
    context: propertyContext(place.context, property, name),
  };
}

const MAP_TYPE = "x-kubernetes-map-type";
const LIST_TYPE = "x-kubernetes-list-type";
const KEYS = "x-kubernetes-list-map-keys";

function requireMapType({ preserve, mapType, type }: SchemaProps, place: Place): void {
  if (preserve === false) refuse(place, ".x-kubernetes-preserve-unknown-fields", "must be true or left out");
  if (mapType === undefined) return;
  if (type !== "object") refuse(place, ".type", `must be object if ${MAP_TYPE} is given`);
  if (!["atomic", "granular"].includes(mapType)) refuse(place, `.${MAP_TYPE}`, "must be atomic or granular");
}

function requireListType(schema: SchemaProps, place: Place): void {
  const { type, listType, listMapKeys } = schema;
  if (listType !== undefined && type !== "array") refuse(place, ".type", `must be array if ${LIST_TYPE} is given`);
  if (listType !== undefined && !["atomic", "set", "map"].includes(listType)) {
    refuse(place, `.${LIST_TYPE}`, "must be atomic, set or map");
  }
  if (listMapKeys.length > 0 && listType !== "map") refuse(place, `.${LIST_TYPE}`, `must be map if ${KEYS} are given`);
  if (listType === "map") requireKeys(schema, place);
}

function requireKeys({ listMapKeys, hasItems, items }: SchemaProps, place: Place): void {
  if (listMapKeys.length === 0) refuse(place, `.${KEYS}`, `must not be empty if ${LIST_TYPE} is map`);
  if (!hasItems || items === undefined) return refuse(place, ".items", `must be a schema if ${LIST_TYPE} is map`);
  if (items.type !== "object") return refuse(place, ".items.type", `must be object if ${LIST_TYPE} is map`);
  for (const [i, key] of listMapKeys.entries()) {
    const type = items.properties.get(key)?.type;
    if (type === undefined) refuse(place, `.${KEYS}`, `${JSON.stringify(key)} is no property of the items`);
    if (type === "array" || type === "object") {
      refuse(place, `.items.properties[${key}].type`, "must be plain, because it is a key of the list");
    }
    if (listMapKeys.indexOf(key) < i) refuse(place, `.${KEYS}`, `${JSON.stringify(key)} is given twice`);
  }
}

/** The items of a set must be atomic. */
export function requireAtomicItems({ type, listType, mapType }: SchemaProps, place: Place): void {
  const isPartialList = type === "array" && listType !== undefined && listType !== "atomic";
  if (!isPartialList && (type !== "object" || mapType === "atomic")) return;
  refuse(place, `.items.${isPartialList ? LIST_TYPE : MAP_TYPE}`, "must be atomic in the items of a set");
}

/** Keys must have a value, and items must not be nullable. */
export function requireKeyValues({ listType, items, listMapKeys }: SchemaProps, listPlace: Place): void {
  if (items === undefined || (listType !== "set" && listType !== "map")) return;
  const place = enter(listPlace, ".items");
  if (items.nullable) refuse(place, ".nullable", `can't be true if ${LIST_TYPE} is ${listType}`);
  for (const key of listType === "map" ? listMapKeys : []) {
    const property = items.properties.get(key);
    if (property === undefined) continue;
    if (!items.required.includes(key) && property.default === undefined) {
      const reason = "is required unless the property is required, because it is a key of the list";
      refuse(place, `.properties[${key}].default`, reason);
    }
    if (!property.nullable) continue;
    refuse(place, `.properties[${key}].nullable`, "can't be true, because it is a key of the list");
  }
}
