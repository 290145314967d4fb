import { META } from "../structural/structural-schema.ts";
import { type Options } from "./options.ts";
import { listFaults, mapKeyFaults, mapTypeFaults, setFaults } from "./list-rules.ts";
import { type DefinitionReport, refuse } from "./report.ts";
import { type RuleContext, elementContext, propertyContext } from "./rule-context.ts";
import { requireRuleTexts, requireRules } from "./rules.ts";
import { SCHEMA_TYPES, type SchemaProps } from "./schema-props.ts";
import { junctorsOf } from "./structure.ts";

/** The position of a schema and what applies there; `context` is undefined if rules are not judged. */
type Place = {
  readonly path: string;
  readonly isRoot: boolean;
  readonly isInMeta: boolean;
  readonly noDefaults: string | undefined;
  readonly uncorrelated: string | undefined;
  readonly context: RuleContext | undefined;
};

/** `limitsRules`: is the cost of a single rule limited? */
export type WalkOptions = { readonly tolerates: Options["tolerates"]; readonly limitsRules: boolean };

/** Refuses faults of a schema's keywords, and then those of its rules if the schema and all below are otherwise valid. */
export function requireSchema(
  schema: SchemaProps,
  path: string,
  context: RuleContext | undefined,
  options: WalkOptions,
  report: DefinitionReport,
): void {
  const place = { path, isRoot: true, isInMeta: false, noDefaults: undefined, uncorrelated: undefined, context };
  walk(schema, place, options, report);
}

/** Is the schema valid apart from its rules? */
function walk(schema: SchemaProps, place: Place, options: WalkOptions, report: DefinitionReport): boolean {
  const before = report.refusals.length;
  requireKeywords(schema, place, options, report);
  let isInOrder = report.refusals.length === before;
  for (const [child, at] of placesBelow(schema, place)) isInOrder = walk(child, at, options, report) && isInOrder;
  const own = report.refusals.length;
  for (const [step, reason] of findListFaults(schema, options)) refuse(report, `${place.path}.${step}`, reason);
  requireRuleTexts(schema, place.path, report);
  isInOrder &&= report.refusals.length === own;
  const { context, path, uncorrelated } = place;
  if (isInOrder && context && schema.rules.length > 0) {
    requireRules(schema, { context, path, uncorrelated, limitsRules: options.limitsRules }, report);
  }
  return isInOrder;
}

function requireKeywords(
  schema: SchemaProps,
  place: Place,
  { tolerates }: WalkOptions,
  report: DefinitionReport,
): void {
  const { path } = place;
  if (!tolerates.unknownTypes && !SCHEMA_TYPES.has(schema.type)) {
    refuse(report, `${path}.type`, `${JSON.stringify(schema.type)} is not a type`);
  } else if (schema.type === "null") refuse(report, `${path}.type`, "can't be null; nullable says that a value may be");
  if (schema.default !== undefined && place.noDefaults !== undefined)
    refuse(report, `${path}.default`, place.noDefaults);
  for (const keyword of forbiddenIn(schema)) refuse(report, `${path}.${keyword}`, "is not supported");
  if (schema.itemSchemas.length > 0) refuse(report, `${path}.items`, "must be one schema, not a list of them");
  if (place.isInMeta && schema.embedded) {
    refuse(report, `${path}.x-kubernetes-embedded-resource`, "is not allowed within a resource's metadata");
  }
  if (schema.limits.uniqueItems)
    refuse(report, `${path}.uniqueItems`, "can't be true; x-kubernetes-list-type: set says the same");
  const { additional } = schema;
  if (additional && schema.properties.size > 0 && (!additional.allows || additional.schema)) {
    refuse(report, `${path}.additionalProperties`, "is not allowed beside properties");
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

function findListFaults(schema: SchemaProps, { tolerates }: WalkOptions): readonly (readonly [string, string])[] {
  return [
    ...mapTypeFaults(schema),
    ...listFaults(schema),
    ...(tolerates.sets ? [] : setFaults(schema)),
    ...(tolerates.mapKeys ? [] : mapKeyFaults(schema)),
  ];
}

function* placesBelow(schema: SchemaProps, place: Place): Generator<readonly [SchemaProps, Place]> {
  const inner: Place = { ...place, isRoot: false };
  const { path, context } = place;
  if (schema.additional?.schema) {
    const noDefaults = place.isInMeta ? "can't be given within additionalProperties of metadata" : place.noDefaults;
    const below = elementContext(context, schema.additional.schema);
    yield [schema.additional.schema, { ...inner, path: `${path}.additionalProperties`, noDefaults, context: below }];
  }
  for (const [name, property] of schema.properties) yield [property, propertyPlace(schema, property, name, place)];
  for (const [step, child] of junctorsOf(schema))
    yield [child, { ...inner, path: `${path}.${step}`, context: undefined }];
  if (schema.items) {
    const uncorrelated = schema.listType === "map" ? place.uncorrelated : (place.uncorrelated ?? path);
    const below = elementContext(context, schema.items);
    yield [schema.items, { ...inner, path: `${path}.items`, uncorrelated, context: below }];
  }
}

function propertyPlace(schema: SchemaProps, property: SchemaProps, name: string, place: Place): Place {
  const isMeta = (place.isRoot || schema.embedded) && META.has(name);
  return {
    path: `${place.path}.properties[${name}]`,
    isRoot: false,
    isInMeta: place.isInMeta || isMeta,
    noDefaults: isMeta && place.isRoot ? `can't be given in ${name} of the object itself` : place.noDefaults,
    uncorrelated: place.uncorrelated,
    context: propertyContext(place.context, property, name),
  };
}
