import { escapeName, type ValueType, LARGEST, valueType } from "../../cel/index.ts";
import type { SchemaProps } from "../../openapi/index.ts";

/**
 * The position of rules in a schema: the type of `self`, and how many such values an object can have (undefined: unbounded).
 * `total` is the cost of all rules of the schema together.
 */
export type RuleContext = {
  readonly schema: SchemaProps;
  readonly parent: RuleContext | undefined;
  readonly below: (above: ValueType) => ValueType | undefined;
  readonly isInScope: boolean;
  readonly count: number | undefined;
  readonly total: { cost: number };
  readonly minor: number;
  self: { readonly type: ValueType | undefined } | undefined;
};

export function rootContext(schema: SchemaProps, minor: number): RuleContext {
  const isInScope = schema.rules.length > 0;
  const root = { schema, parent: undefined, below: () => undefined, isInScope, count: 1, total: { cost: 0 } };
  return { ...root, minor, self: undefined };
}

export function propertyContext(
  parent: RuleContext | undefined,
  schema: SchemaProps,
  name: string,
): RuleContext | undefined {
  const field = escapeName(name);
  if (parent === undefined) return undefined;
  const own = (): ValueType | undefined => valueType(schema, schema.embedded, parent.minor);
  return context(parent, schema, ({ fields }) => (field === undefined ? own() : (fields?.get(field) ?? own())));
}

/** Of the items of a list, or of the values of a map. */
export function elementContext(parent: RuleContext | undefined, schema: SchemaProps): RuleContext | undefined {
  return parent && context(parent, schema, (type) => type.element);
}

function context(parent: RuleContext, schema: SchemaProps, below: RuleContext["below"]): RuleContext {
  return {
    schema,
    parent,
    below,
    isInScope: parent.isInScope || schema.rules.length > 0,
    count: parent.count === undefined ? undefined : times(parent.count, mostBelow(parent.schema)),
    total: parent.total,
    minor: parent.minor,
    self: undefined,
  };
}

export function times(count: number, each: number | undefined): number | undefined {
  return each === undefined ? undefined : Math.min(count * each, LARGEST);
}

/** How many values of a child schema one value can contain. */
function mostBelow(schema: SchemaProps): number | undefined {
  if (schema.type === "array") return schema.limits.maxItems && Math.max(0, schema.limits.maxItems);
  return schema.type === "object" && schema.additional
    ? schema.limits.maxProperties && Math.max(0, schema.limits.maxProperties)
    : 1;
}

/** The type of `self`: as rules above see it, or else from the schema itself. Nothing is seen below what rules above can't see. */
export function buildSelf(here: RuleContext): ValueType | undefined {
  here.self ??= { type: findSelf(here) };
  return here.self.type;
}

function findSelf({ parent, below, schema, minor }: RuleContext): ValueType | undefined {
  if (!parent?.isInScope) return valueType(schema, parent === undefined || schema.embedded, minor);
  const above = buildSelf(parent);
  return above && below(above);
}
