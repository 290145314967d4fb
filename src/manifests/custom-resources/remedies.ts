import { type Json, type JsonObject, at, isObject } from "../../model/json.ts";
import type { ManifestFinding, ManifestPath } from "../../model/manifest.ts";
import { findNearestName, joinNames, sortNames, summarizeNames } from "../../model/text.ts";
import type { FieldError, CompiledSchema } from "../../schema/crd/index.ts";
import { getFieldSchema } from "../../schema/openapi/index.ts";

type Schema = CompiledSchema["root"];
type Remedy = Pick<ManifestFinding, "remedy" | "edits">;

const MAX_TYPOS = 3;

/** What to write instead of a field that no schema has: the API server drops it, and kubectl refuses to send it. */
export function describeUnknownField(
  path: ManifestPath,
  object: JsonObject,
  root: Schema,
): Pick<ManifestFinding, "message" | "remedy"> {
  const name = String(path.at(-1));
  const parent = path.slice(0, -1);
  const known = [...(findSchema(parent, root)?.properties.keys() ?? [])];
  const around = at(object, ...parent);
  const free = known.filter((one) => !isObject(around) || !Object.hasOwn(around, one));
  const nearest = findNearestName(name, free, MAX_TYPOS);
  return {
    message: `The schema has no field ${name} here: the API server drops it, and kubectl refuses to send it.`,
    remedy: nearest === undefined ? describeKnown(known) : `Write ${nearest}, or remove the field.`,
  };
}

function describeKnown(known: readonly string[]): string {
  if (known.length === 0) return "Remove the field.";
  return `Remove the field, or move it to where it belongs: here the schema has ${summarizeNames(sortNames(known))}.`;
}

/** A value that only its quotes make a text of can be mended; how a number was written before it was read can't be known. */
export function remedyError({ type }: FieldError, path: ManifestPath, object: JsonObject, root: Schema): Remedy {
  const name = String(path.at(-1) ?? "the object");
  if (type === "FieldValueRequired") return { remedy: `Add ${name}.` };
  const value = at(object, ...path);
  const schema = findSchema(path, root);
  if (type === "FieldValueTypeInvalid" && schema !== undefined) return remedyType(name, path, value, schema);
  // Labels and annotations have no schema.
  if (path[0] === "metadata" && isPlain(value)) return { remedy: `Put the value of ${name} in quotes.` };
  const allowed = schema?.enum?.values ?? [];
  if (type === "FieldValueNotSupported" && allowed.length > 0) return remedyChoice(value, allowed);
  return { remedy: "Write what the schema allows." };
}

function remedyType(name: string, path: ManifestPath, value: Json | undefined, { types }: Schema): Remedy {
  const unquoted = typeof value === "string" ? readUnquoted(value, types) : undefined;
  if (unquoted !== undefined)
    return {
      remedy: `Write ${name}: ${String(unquoted)} without quotes.`,
      edits: [{ kind: "set", path, value: unquoted }],
    };
  if (types.includes("string") && isPlain(value)) return { remedy: `Put the value of ${name} in quotes.` };
  return { remedy: `Write a value of type ${joinNames(types)}.` };
}

function isPlain(value: Json | undefined): boolean {
  return typeof value === "number" || typeof value === "boolean";
}

function readUnquoted(text: string, types: Schema["types"]): number | boolean | undefined {
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  const isWhole = /^-?(?:0|[1-9]\d{0,14})$/.test(text);
  return isWhole && (types.includes("integer") || types.includes("number")) ? Number(text) : undefined;
}

function remedyChoice(value: Json | undefined, allowed: readonly Json[]): Remedy {
  const texts = allowed.map((one) => (typeof one === "string" && one !== "" ? one : JSON.stringify(one)));
  const nearest = typeof value === "string" ? findNearestName(value, texts, MAX_TYPOS) : undefined;
  return { remedy: nearest === undefined ? `Write ${formatChoice(texts)}.` : `Write ${nearest}.` };
}

const MAX_CHOICES = 8;

function formatChoice(texts: readonly string[]): string {
  return texts.length > MAX_CHOICES ? "one of the allowed values" : `one of ${texts.join(", ")}`;
}

function findSchema(path: ManifestPath, root: Schema): Schema | undefined {
  let here: Schema | undefined = root;
  for (const step of path) {
    if (here === undefined) return undefined;
    here = typeof step === "number" ? here.items : getFieldSchema(here, step);
  }
  return here;
}
