import { type YamlNode, findChild } from "../../encoding/yaml-nodes.ts";
import { type CheckFault, type CheckText, type PlacedFault, formatPlace } from "../fault.ts";
import { listPositions } from "./text-positions.ts";

type Range = { readonly start: number; readonly end: number };

/** Finds a fault in the text; at the nearest place above it if the text does not have the place itself. */
export function locateFault(source: CheckText, root: YamlNode | undefined, fault: PlacedFault): CheckFault {
  const { text } = source;
  const { start, end } = root === undefined ? { start: 0, end: 0 } : findRange(text, root, fault);
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const [lineText = ""] = text.slice(lineStart).split("\n", 1);
  const { severity, message, hint } = fault;
  return {
    severity,
    file: source.name,
    line: text.slice(0, start).split("\n").length,
    column: start - lineStart + 1,
    length: Math.max(1, Math.min(end, lineStart + lineText.length) - start),
    place: formatPlace(fault.place),
    message,
    hint,
    lineText,
  };
}

function findRange(text: string, root: YamlNode, { place, span, isKey }: PlacedFault): Range {
  let node: YamlNode = root;
  let key: Range = { start: 0, end: 0 };
  for (const [depth, step] of place.entries()) {
    const child = findChild(node, String(step));
    if (child === undefined) return key;
    // An item without anything in it has no place of its own.
    if (child.offset < 0) return key;
    key = { start: child.offset, end: child.offset + getKeyLength(child.value, step) };
    node = child.value;
    if (depth < place.length - 1 || isKey === true) continue;
    // Behind a key without a value nothing stands.
    if (node.kind === "scalar" && node.offset >= 0) return findSpan(text, node, span);
  }
  return key;
}

/** An item of a list is marked by the first key in it. */
function getKeyLength(node: YamlNode, step: string | number): number {
  const name = typeof step === "number" && node.kind === "map" ? node.entries[0]?.key : step;
  return String(name ?? step).length;
}

function findSpan(text: string, node: Extract<YamlNode, { kind: "scalar" }>, span: Range | undefined): Range {
  const positions = listPositions(node.text, text, node.offset);
  const { start, end } = span ?? { start: 0, end: node.text.length };
  const at = (offset: number): number => positions[Math.min(Math.max(offset, 0), node.text.length)] ?? node.offset;
  return { start: at(start), end: end > start ? at(end - 1) + 1 : at(start) };
}
