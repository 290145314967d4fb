import { mutateRegex } from "../mutants/regex-changes.ts";
import { widenPattern } from "./wider-patterns.ts";

/** One rule of a schema weakened or moved, in place. */
export type SchemaChange = { readonly label: string; readonly apply: () => void; readonly undo: () => void };

const NUMBERS = new Set(["minLength", "maxLength", "minItems", "maxItems", "minimum"]);
/** What holds a schema for each key, and what holds one schema. */
const TABLES = new Set(["properties", "definitions"]);
const SCHEMAS = new Set(["items", "additionalProperties", "then"]);

/**
 * Every change of a schema: a part of it that accepts anything, a key that is not required, a value that is not listed, a limit that is
 * one more or less, a pattern with one thing in it changed. `path`: what messages call it.
 */
export function findSchemaChanges(schema: object, path = "schema"): readonly SchemaChange[] {
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    const at = `${path}/${key}`;
    const put = (text: string, changed: unknown): SchemaChange => ({
      label: `${at}  ${text}`,
      apply: () => void Reflect.set(schema, key, changed),
      undo: () => void Reflect.set(schema, key, value),
    });
    if (NUMBERS.has(key))
      return [Number(value) + 1, Number(value) - 1].map((one) => put(`${String(value)} -> ${one}`, one));
    if (key === "pattern") return changePattern(String(value)).map((one) => put(`${String(value)} -> ${one}`, one));
    if (key === "required" || key === "enum")
      return dropEach(value).map(([text, rest]) => put(`${text} -> none`, rest));
    if (typeof value !== "object" || value === null) return [];
    if (TABLES.has(key)) return Object.keys(value).flatMap((name) => changePart(value, name, at));
    return SCHEMAS.has(key) ? changePart(schema, key, path) : [];
  });
}

/** What a part of a schema may accept beside what it does. */
const ALSO: Readonly<Record<string, object | true>> = {
  anything: true,
  null: { type: "null" },
  booleans: { type: "boolean" },
  numbers: { type: "number" },
  strings: { type: "string" },
  "the empty string": { const: "" },
  lists: { type: "array" },
  objects: { type: "object" },
};

/** A part of a schema as a whole, and what is in it. */
function changePart(holder: object, key: string, path: string): readonly SchemaChange[] {
  const part: unknown = Reflect.get(holder, key);
  const wider = Object.entries(ALSO).map(([what, other]) => ({
    label: `${path}/${key}  also accepts ${what}`,
    apply: () => void Reflect.set(holder, key, other === true ? true : { anyOf: [part, other] }),
    undo: () => void Reflect.set(holder, key, part),
  }));
  return [...wider, ...(typeof part === "object" && part !== null ? findSchemaChanges(part, `${path}/${key}`) : [])];
}

function changePattern(pattern: string): readonly string[] {
  const changed = mutateRegex(pattern, "u").map((literal) => literal.slice(1, -"/u".length));
  return [...changed, ...widenPattern(pattern)];
}

function dropEach(list: unknown): readonly (readonly [text: string, rest: readonly unknown[]])[] {
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  return items.map((item, i) => [String(item), items.toSpliced(i, 1)]);
}
