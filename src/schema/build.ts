import { completed } from "./defaults.ts";
import { formatOf } from "./formats.ts";
import {
  type Source,
  flagIn,
  has,
  namedIn,
  raw,
  refuse,
  schemaIn,
  schemasIn,
  step,
  textIn,
  textsIn,
} from "./keywords.ts";
import { type Patterns, enumOf, listLimits, mapLimits, numberLimits, textLimits } from "./limits.ts";
import type { Default, JsonType, Junctors, ListType, Node, Rule, RuleText } from "./node.ts";
import { type Program, prepareRule } from "./cel/rule.ts";
import { fieldPathText } from "./cel/field-path.ts";
import { ruleTexts } from "./rule-texts.ts";
import { type Level, anyOfNamesTypes, requireStructural } from "./structural.ts";

/** What is shared by all nodes of one schema while it is built. */
export type Builder = {
  readonly minor: number;
  readonly patterns: Patterns;
  readonly rules: Rule[];
  readonly programs: Map<string, Program>;
  nodes: number;
};

/** Where a node is: `location` as rules name it, `typesAllowed` where a nested schema may name a type. */
type Place = {
  readonly level: Level;
  readonly depth: number;
  readonly location: string;
  readonly typesAllowed: boolean;
};

/** No schema of OpenShift has a tenth of these. */
const MOST_NODES = 100_000;
const DEEPEST = 200;

export function buildNode(source: Source, place: Place, builder: Builder): Node {
  if (place.depth > DEEPEST) refuse(source.where.slice(0, 200), `is nested deeper than ${DEEPEST} schemas`);
  if (++builder.nodes > MOST_NODES) refuse("", `holds more than ${MOST_NODES} schemas`);
  requireStructural(source, place.level, place.typesAllowed);
  const types = typesOf(source);
  const format = formatOf(textIn(source, "format"), types, builder.minor);
  const children = childrenOf(source, place, builder);
  const own = ownShapes(source, place, children, builder);
  const below = [...children.properties.values(), children.items, children.additional].filter(
    (child) => typeof child === "object",
  );
  const node: Node = {
    types,
    nullable: flagIn(source, "nullable"),
    format: format.name,
    formatCheck: format.check,
    enum: enumOf(source),
    number: numberLimits(source),
    text: textLimits(source, builder.patterns),
    list: listLimits(source),
    map: mapLimits(source),
    junctors: junctorsOf(source, place, builder),
    ...children,
    defaults: defaultsOf(children.properties),
    default: undefined,
    ...own,
    hasShapes: own.embedded || own.listType !== undefined || below.some((child) => child.hasShapes),
    hasRules: own.rules.length > 0 || below.some((child) => child.hasRules),
    visible: isVisible(types, children),
  };
  const value = raw(source, "default");
  return value === undefined ? node : { ...node, default: completed(value, node, source) };
}

const TYPES: ReadonlyMap<string, readonly JsonType[]> = new Map<string, readonly JsonType[]>([
  ["", []],
  ["array", ["array"]],
  ["boolean", ["boolean"]],
  ["integer", ["integer"]],
  ["number", ["number"]],
  ["object", ["object"]],
  ["string", ["string"]],
]);
const INT_OR_STRING: readonly JsonType[] = ["integer", "string"];

function typesOf(source: Source): readonly JsonType[] {
  if (flagIn(source, "x-kubernetes-int-or-string")) return INT_OR_STRING;
  const type = textIn(source, "type");
  return TYPES.get(type) ?? refuse(step(source, "type"), "is no type of a structural schema");
}

type Children = Pick<Node, "properties" | "additional" | "items">;
const NO_PROPERTIES: Node["properties"] = new Map();

function childrenOf(source: Source, place: Place, builder: Builder): Children {
  const named = namedIn(source, "properties");
  const properties = named.map(([name, child]) => [name, buildNode(child, below(place, name), builder)] as const);
  return {
    properties: properties.length === 0 ? NO_PROPERTIES : new Map(properties),
    additional: additionalOf(source, place, builder),
    items: itemsOf(source, place, builder),
  };
}

function below(place: Place, name: string): Place {
  const location = place.location === "" ? name : `${place.location}.${name}`;
  return {
    level: place.level === "nested" ? "nested" : "field",
    depth: place.depth + 1,
    location,
    typesAllowed: false,
  };
}

function each(place: Place, level: Level): Place {
  const location = `${place.location}[*]`;
  return { level: place.level === "nested" ? "nested" : level, depth: place.depth + 1, location, typesAllowed: false };
}

function additionalOf(source: Source, place: Place, builder: Builder): Node | boolean | undefined {
  const additional = raw(source, "additionalProperties");
  if (additional === undefined || typeof additional === "boolean") return additional;
  const child = schemaIn(source, "additionalProperties");
  return child && buildNode(child, each(place, "field"), builder);
}

function itemsOf(source: Source, place: Place, builder: Builder): Node | undefined {
  const child = schemaIn(source, "items");
  return child && buildNode(child, each(place, "items"), builder);
}

function junctorsOf(source: Source, place: Place, builder: Builder): Junctors | undefined {
  if (!["allOf", "anyOf", "oneOf", "not"].some((keyword) => has(source, keyword))) return undefined;
  const nested: Place = { ...place, level: "nested", depth: place.depth + 1, typesAllowed: false };
  const typed: Place = {
    ...nested,
    typesAllowed: anyOfNamesTypes(source) && (place.level !== "nested" || place.typesAllowed),
  };
  // In the first of allOf the anyOf of int-or-string may stand, which names types.
  const first: Place = { ...nested, typesAllowed: place.level !== "nested" };
  const not = schemaIn(source, "not");
  return {
    allOf: schemasIn(source, "allOf").map((child, i) => buildNested(child, i === 0 ? first : nested, builder)),
    anyOf: schemasIn(source, "anyOf").map((child) => buildNode(child, typed, builder)),
    oneOf: schemasIn(source, "oneOf").map((child) => buildNode(child, nested, builder)),
    not: not && buildNode(not, nested, builder),
  };
}

/** A schema of allOf: what it may pass on to its anyOf it may not use itself. */
function buildNested(source: Source, place: Place, builder: Builder): Node {
  if (place.typesAllowed && has(source, "type")) {
    refuse(step(source, "type"), "stands below an alternative or a negation, which is not structural");
  }
  return buildNode(source, place, builder);
}

function defaultsOf(properties: Node["properties"]): ReadonlyMap<string, Default> {
  const found: (readonly [string, Default])[] = [];
  for (const [name, child] of properties) if (child.default) found.push([name, child.default]);
  return new Map(found);
}

type Shapes = Pick<Node, "preserve" | "embedded" | "listType" | "rules">;
const NO_RULES: readonly Rule[] = [];

function ownShapes(source: Source, place: Place, children: Children, builder: Builder): Shapes {
  const rules = ruleTexts(source).map((text): Rule => ({
    ...text,
    fieldPath: fieldPathText(text.fieldPath, children) ?? "",
    location: place.location,
    program: programOf(text, builder),
  }));
  builder.rules.push(...rules.filter(({ looksBack }) => looksBack !== "always"));
  return {
    preserve: flagIn(source, "x-kubernetes-preserve-unknown-fields"),
    embedded: flagIn(source, "x-kubernetes-embedded-resource"),
    listType: listTypeOf(source),
    rules: rules.length === 0 ? NO_RULES : rules,
  };
}

/** Each rule is compiled once, however often it stands in the schema. */
function programOf(text: RuleText, builder: Builder): Program {
  const key = `${text.rule}\u0000${text.messageExpression}`;
  const known = builder.programs.get(key);
  if (known) return known;
  const program = prepareRule(text);
  builder.programs.set(key, program);
  return program;
}

function isVisible(types: readonly JsonType[], { additional, items }: Children): boolean {
  if (types.length === 0) return false;
  if (types[0] === "array") return items?.visible ?? false;
  return types[0] !== "object" || typeof additional !== "object" || additional.visible;
}

function listTypeOf(source: Source): ListType | undefined {
  const type = textIn(source, "x-kubernetes-list-type");
  if (type === "set") return { kind: "set" };
  return type === "map" ? { kind: "map", keys: textsIn(source, "x-kubernetes-list-map-keys") } : undefined;
}
