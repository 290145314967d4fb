import { type YamlNode, parseNodes } from "../../encoding/yaml-nodes.ts";
import { parseDocuments } from "../../encoding/yaml.ts";
import { type Json, isObject, textAt, isList } from "../../model/json.ts";
import type { CheckDefinition } from "./definition.ts";
import type { CheckFault, CheckText, PlacedFault } from "./fault.ts";
import { locateFault, buildTextFault, buildYamlFault } from "./fault.ts";
import { judgeShape } from "./shape.ts";
import { sortNames } from "../../model/text.ts";
import { VERSION, describeLaterPreflight, isLaterPreflight } from "../../model/program-version.ts";
import { CALL_NAMES } from "../functions/table.ts";

/** One document of a text. `id`: of a document that names one, even if it is not sound. */
export type CheckDocument = {
  readonly id: string | undefined;
  readonly definition: CheckDefinition | undefined;
  readonly faults: readonly CheckFault[];
  readonly locate: (fault: PlacedFault) => CheckFault;
};

/** As OLM's constraints. */
const MAX_CHARACTERS = 64 * 1024;

/** A document of a text, and where what is wrong with it stands. */
export type LocatedDocument = { readonly value: Json; readonly locate: (fault: PlacedFault) => CheckFault };

/** The documents of a text, and what is wrong with it as a whole. */
export function locateDocuments(
  source: CheckText,
  maxCharacters: number,
): { readonly documents: readonly LocatedDocument[]; readonly faults: readonly CheckFault[] } {
  const { text } = source;
  if (text.length > maxCharacters)
    return { documents: [], faults: [buildTextFault(source, `it has more than ${maxCharacters / 1024} KiB`)] };
  const parsed = parseDocuments(text);
  if (parsed.kind === "invalid") return { documents: [], faults: [buildYamlFault(source, parsed)] };
  // Only what is wrong needs its place.
  let nodes: readonly YamlNode[] | undefined;
  const findNodes = (): readonly YamlNode[] =>
    (nodes ??= (parseNodes(text) ?? []).filter((node) => node.kind !== "scalar" || node.text !== ""));
  const documents = parsed.documents.map((value, i) => ({
    value,
    locate: (fault: PlacedFault) => locateFault(source, findNodes()[i], fault),
  }));
  return { documents, faults: [] };
}

/** The checks of a text, and what is wrong with it as a whole. `preflight`: the version that would run them. */
export async function parseChecks(
  source: CheckText,
  preflight = VERSION,
): Promise<{ readonly checks: readonly CheckDocument[]; readonly faults: readonly CheckFault[] }> {
  const { documents, faults } = locateDocuments(source, MAX_CHARACTERS);
  if (documents.length === 0 && faults.length === 0)
    return { checks: [], faults: [buildTextFault(source, "it holds no check")] };
  const checks = await Promise.all(documents.map((document) => parseCheck(document, source.requires, preflight)));
  return { checks, faults };
}

/** What a later preflight is for may be anything: it is not judged. `requires`: of all that the document is packed with. */
async function parseCheck(
  { value: document, locate }: LocatedDocument,
  requires: string | undefined,
  preflight: string,
): Promise<CheckDocument> {
  const id = isObject(document) ? textAt(document, "metadata", "name") : undefined;
  const required = [textAt(document, ...REQUIRED), requires];
  const later = required.find((one) => one !== undefined && isLaterPreflight(one, preflight));
  if (later !== undefined) {
    const fault = locateLater(describeLaterPreflight(later, preflight), locate);
    return { id, definition: undefined, faults: [fault], locate };
  }
  const shape = await judgeShape(document);
  return {
    id,
    definition: shape.kind === "sound" ? shape.definition : undefined,
    faults: shape.kind === "sound" ? [] : shape.faults.map(locate),
    locate,
  };
}

const REQUIRED = ["spec", "requires", "preflight"];

function locateLater(message: string, locate: LocatedDocument["locate"]): CheckFault {
  const fault = locate({ severity: "error", place: REQUIRED, message });
  return { ...fault, unknown: { reason: "PreflightTooOld", where: `${fault.file}:${fault.line}`, message } };
}

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
