import { type YamlNode, parseNodes } from "../../encoding/yaml-nodes.ts";
import { parseDocuments } from "../../encoding/yaml.ts";
import { type Json, isObject, textAt } from "../../model/json.ts";
import type { CheckDefinition } from "../definition.ts";
import type { CheckFault, CheckText, PlacedFault } from "../fault.ts";
import { locateFault } from "./locate.ts";
import { judgeShape } from "./shape.ts";
import { buildTextFault, buildYamlFault } from "./text-faults.ts";

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

/** The checks of a text, and what is wrong with it as a whole. */
export async function parseChecks(
  source: CheckText,
): Promise<{ readonly checks: readonly CheckDocument[]; readonly faults: readonly CheckFault[] }> {
  const { documents, faults } = locateDocuments(source, MAX_CHARACTERS);
  if (documents.length === 0 && faults.length === 0)
    return { checks: [], faults: [buildTextFault(source, "it holds no check")] };
  return { checks: await Promise.all(documents.map(parseCheck)), faults };
}

async function parseCheck({ value: document, locate }: LocatedDocument): Promise<CheckDocument> {
  const shape = await judgeShape(document);
  return {
    id: isObject(document) ? textAt(document, "metadata", "name") : undefined,
    definition: shape.kind === "sound" ? shape.definition : undefined,
    faults: shape.kind === "sound" ? [] : shape.faults.map(locate),
    locate,
  };
}
