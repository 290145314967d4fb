import { type Json, isList, isObject } from "../../model/json.ts";
import { sortNames } from "../../model/names.ts";
import { CHECK_FUNCTIONS, MACRO_NAMES } from "../functions/table.ts";

const CALL_NAMES = [...CHECK_FUNCTIONS.names, ...MACRO_NAMES].filter((name) => /^[a-z][\w.]*$/.test(name));

/** The functions and macros that texts call, so that it can be told which build of preflight has them. */
export function listUsedFunctions(value: Json): readonly string[] {
  // The breaks of lines may stand before a name.
  const texts = JSON.stringify(value).replaceAll(/\\[nrt]/g, " ");
  return sortNames(CALL_NAMES.filter((name) => new RegExp(`\\b${name.replaceAll(".", "\\.")}\\s*\\(`).test(texts)));
}

type Definitions = Readonly<Record<string, unknown>>;

/** The fields of a format that documents use, without the names that authors give: "spec.reads.list". */
export function listUsedFields(
  documents: readonly Json[],
  schema: unknown,
  definitions: Definitions,
): readonly string[] {
  return sortNames(documents.flatMap((document) => listFields(document, schema, definitions, "")));
}

function listFields(value: Json, schema: unknown, definitions: Definitions, path: string): readonly string[] {
  const node = resolve(schema, definitions, value);
  if (node === undefined) return [];
  if (isList(value)) return value.flatMap((item) => listFields(item, node["items"], definitions, path));
  if (!isObject(value)) return [];
  const properties = isObject(node["properties"]) ? node["properties"] : {};
  return Object.entries(value).flatMap(([key, member]) => {
    if (!Object.hasOwn(properties, key)) return listFields(member, node["additionalProperties"], definitions, path);
    const own = path === "" ? key : `${path}.${key}`;
    return [own, ...listFields(member, properties[key], definitions, own)];
  });
}

/** The part of the schema that judges the value: behind a reference, and of two branches the one for its type. */
function resolve(
  schema: unknown,
  definitions: Definitions,
  value: Json,
): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(schema)) return undefined;
  const { $ref: reference, if: condition } = schema;
  if (typeof reference === "string")
    return resolve(definitions[reference.replace("#/definitions/", "")], definitions, value);
  if (!isObject(condition)) return schema;
  const isType = condition["type"] === (isList(value) ? "array" : typeof value);
  return resolve(isType ? schema["then"] : schema["else"], definitions, value);
}
