import type { JsonObject } from "../../../src/model/json.ts";
import { DYN, type Type, isSameType, typeText, type ValueType } from "../../../src/schema/cel/types/types.ts";
import { valueType } from "../../../src/schema/cel/types/value-type.ts";
import { startReport } from "../../../src/schema/openapi/report.ts";
import { decodeSchema } from "../../../src/schema/openapi/schema-props.ts";
import { ORACLE_MINOR } from "../../differential/oracle.ts";
import type { Vocabulary } from "./expression-generator.ts";

/** An expression that selects a value, and what has to be true for it not to fail. */
export type GuardedPath = { readonly text: string; readonly type: Type; readonly guards: readonly string[] };

/** What a rule of a schema can be about. */
export type RuleSubject = {
  readonly self: ValueType;
  readonly paths: readonly GuardedPath[];
  readonly vocabulary: Vocabulary;
};

const MAX_DEPTH = 3;
const MAX_PATHS = 60;
const EMPTY: Readonly<Record<string, string>> = { string: "'a'", int: "0", double: "0.0", bool: "false" };

/** Undefined if rules can't see a value of the schema. */
export function findSubject(schema: JsonObject, isResource: boolean): RuleSubject | undefined {
  const self = valueType(decodeSchema(schema, startReport()), isResource, ORACLE_MINOR);
  if (self === undefined) return undefined;
  const paths = [...walk(self, { text: "self", type: self.type, guards: [] }, 0)].slice(0, MAX_PATHS);
  const texts = Map.groupBy(paths, ({ type }) => typeText(type));
  const operands = Object.fromEntries([...texts].map(([type, all]) => [type, all.map(({ text }) => text)]));
  const types = paths
    .map(({ type }) => type)
    .filter((type, i, all) => all.findIndex((one) => isSameType(one, type, true)) === i);
  const fields = [...new Set(listFields(self, 0))];
  return { self, paths, vocabulary: { types, operands, fields, mistakes: 0 } };
}

function listFields(value: ValueType, depth: number): readonly string[] {
  if (depth > MAX_DEPTH) return [];
  const below = [...(value.fields ?? [])].flatMap(([name, field]) => [name, ...listFields(field, depth + 1)]);
  return value.element ? [...below, ...listFields(value.element, depth + 1)] : below;
}

function* walk(value: ValueType, path: GuardedPath, depth: number): Generator<GuardedPath> {
  yield path;
  if (depth >= MAX_DEPTH) return;
  for (const [name, field] of value.fields ?? []) yield* walkField(name, field, path, depth);
  const { element } = value;
  if (element === undefined) return;
  const [step, guard] = value.key ? ["['a']", `'a' in ${path.text}`] : ["[0]", `size(${path.text}) > 0`];
  const guards = [...path.guards, guard];
  yield* walk(element, { text: path.text + step, type: element.type, guards }, depth + 1);
}

/** A field that is there, and one with a value in its place. */
function* walkField(name: string, field: ValueType, path: GuardedPath, depth: number): Generator<GuardedPath> {
  const text = `${path.text}.${name}`;
  yield* walk(field, { text, type: field.type, guards: [...path.guards, `has(${text})`] }, depth + 1);
  const empty = EMPTY[typeText(field.type)];
  if (empty === undefined) return;
  yield { text: `${path.text}.?${name}.orValue(${empty})`, type: field.type, guards: path.guards };
}

/** The expression, or true where one of its paths leads nowhere. */
export function addGuards(rule: string, paths: readonly GuardedPath[]): string {
  const guards = new Set(paths.filter(({ text }) => rule.includes(text)).flatMap((path) => path.guards));
  return guards.size === 0 ? rule : `!(${[...guards].join(" && ")}) || (${rule})`;
}

/** What the forms are named after: "list" and "map" whatever is in them. */
export function getFormName({ type }: GuardedPath): string {
  return type.kind === "struct" || type === DYN ? type.kind : type.kind.replace("google.protobuf.", "");
}
