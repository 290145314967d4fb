import { type StructuralSchema, getAdditionalSchema } from "../structural/structural-schema.ts";

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["'", "'"],
  ["\\", "\\"],
]);
const STEP = /\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/y;

/** A rule's fieldPath as the API server appends it to a path; undefined if the schema has no such field. */
export function formatRuleFieldPath(
  path: string,
  root: Pick<StructuralSchema, "properties" | "additionalProperties">,
): string | undefined {
  let schema: Pick<StructuralSchema, "properties" | "additionalProperties"> | undefined = root;
  let text = "";
  STEP.lastIndex = 0;
  while (STEP.lastIndex < path.length) {
    const match = STEP.exec(path);
    const name = match && (match[1] ?? unquote(match[2] ?? ""));
    if (name === null || name === undefined || schema === undefined) return undefined;
    const isProperty: boolean = schema.properties.size > 0;
    text = isProperty ? (text === "" ? name : `${text}.${name}`) : `${text}[${name}]`;
    schema = isProperty ? schema.properties.get(name) : getAdditionalSchema(schema);
    if (schema === undefined) return undefined;
  }
  return text;
}

/** A name between quotes with its escapes resolved; undefined if an escape is unknown. */
export function unquote(text: string): string | undefined {
  let isGood = true;
  const plain = text.replaceAll(/\\(.)/gs, (_, sign: string) => {
    const meant = ESCAPES.get(sign);
    if (meant === undefined) isGood = false;
    return meant ?? "";
  });
  return isGood ? plain : undefined;
}
