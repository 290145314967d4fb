import type { CheckText, CheckFault } from "../../../../data-checks/fault.ts";
import type { SourceText } from "../../../../data-checks/load.ts";
import { type YamlNode, parseNodes } from "../../../../encoding/yaml-nodes.ts";
import { parseDocuments } from "../../../../encoding/yaml.ts";
import { type Json, type JsonObject, isObject } from "../../../../model/json.ts";
import { CHECKS_LABEL, parseCheckTexts } from "../../../../release/payload/check-texts.ts";

/** A file of checks in a ConfigMap of a release's manifest. `locate`: where a fault of it stands in the manifest. */
export type ManifestText = { readonly source: SourceText; readonly locate: (fault: CheckFault) => CheckFault };

/** The files of checks in a manifest; undefined if the text has no ConfigMap. */
export function findManifestTexts({ name, text }: CheckText): readonly ManifestText[] | undefined {
  const parsed = parseDocuments(text);
  if (parsed.kind === "invalid") return undefined;
  const maps = parsed.documents.filter(isConfigMap);
  if (maps.length === 0) return undefined;
  const found = maps.flatMap((map) => parseCheckTexts(map) ?? []);
  if (found.length === 0) return [{ source: { name, problem: NO_LABEL }, locate: (fault) => fault }];
  const blocks = (parseNodes(text) ?? []).flatMap((node) => listBlocks(node, text));
  return found.map((source) => {
    const block = "text" in source ? blocks.find((one) => one.value === source.text) : undefined;
    const own = { ...source, name: `${name} (${source.name})` };
    return { source: own, locate: (fault) => (block === undefined ? fault : moveFault(fault, name, block)) };
  });
}

const NO_LABEL = `its ConfigMap has no label ${CHECKS_LABEL}, so a release with it brings no check`;

function isConfigMap(document: Json): document is JsonObject {
  return isObject(document) && document["kind"] === "ConfigMap";
}

/** A value that stands in the manifest line by line, below "|". */
type Block = { readonly value: string; readonly line: number; readonly indent: number };

function listBlocks(node: YamlNode, text: string): readonly Block[] {
  if (node.kind === "map") return node.entries.flatMap(({ value }) => listBlocks(value, text));
  if (node.kind !== "scalar") return [];
  const lines = text.slice(node.offset, node.end).split("\n");
  const indent = (lines[0] ?? "").search(/\S/);
  if (indent < 1 || lines.map((line) => line.slice(indent)).join("\n") !== node.text) return [];
  return [{ value: node.text, line: text.slice(0, node.offset).split("\n").length, indent }];
}

function moveFault(fault: CheckFault, file: string, { line, indent }: Block): CheckFault {
  const lineText = " ".repeat(indent) + fault.lineText;
  return { ...fault, file, line: fault.line + line - 1, column: fault.column + indent, lineText };
}
