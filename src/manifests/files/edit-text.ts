import type { YamlEntry, YamlMap, YamlNode } from "../../encoding/yaml-nodes.ts";
import { parseDocuments, toYaml, toYamlLine } from "../../encoding/yaml.ts";
import { type Json, isList, isObject } from "../../model/json.ts";
import type { ManifestEdit, ManifestPath } from "../../model/manifest.ts";

/** What to write in a range of a text. */
export type TextReplacement = TextRange & { readonly text: string };

/** How to write an edit; undefined if the text has no place of its own for it. What it means is for the caller to make sure of. */
export function buildReplacement(text: string, root: YamlNode, edit: ManifestEdit): TextReplacement | undefined {
  const around = descend(root, edit.path.slice(0, -1));
  const step = edit.path.at(-1);
  if (step === undefined || around === undefined) return undefined;
  if (around.kind === "list" && typeof step === "number") {
    const item = around.items[step];
    if (item === undefined || edit.kind === "rename") return undefined;
    return edit.kind === "set" ? replaceValue(text, item, edit.value) : removePart(text, around, step);
  }
  if (around.kind !== "map") return undefined;
  const index = around.entries.findLastIndex(({ key }) => key === step);
  const entry = around.entries[index];
  if (entry === undefined) return edit.kind === "set" ? addEntry(text, around, String(step), edit.value) : undefined;
  if (edit.kind === "remove") return removePart(text, around, index);
  return edit.kind === "set" ? setEntry(text, around, entry, edit.value) : renameKey(text, entry, edit.to);
}

/** Without leading through an alias, whose target stands elsewhere. */
export function descend(root: YamlNode, path: ManifestPath): YamlNode | undefined {
  return path.reduce<YamlNode | undefined>((node, step) => {
    if (node?.kind === "map") return node.entries.findLast(({ key }) => key === step)?.value;
    return node?.kind === "list" && typeof step === "number" ? node.items[step] : undefined;
  }, root);
}

function renameKey(text: string, { keyNode }: YamlEntry, to: string): TextReplacement | undefined {
  const range = findRange(keyNode, text);
  return range && keyNode.kind === "scalar" ? { ...range, text: formatText(to, keyNode.style) } : undefined;
}

function replaceValue(text: string, node: YamlNode, value: Json): TextReplacement | undefined {
  const range = findRange(node, text);
  if (range === undefined || isContainer(value) || node.kind !== "scalar" || node.style === "block") return undefined;
  return { ...range, text: formatScalar(value, node.style) };
}

function setEntry(text: string, around: YamlMap, entry: YamlEntry, value: Json): TextReplacement | undefined {
  const simple = replaceValue(text, entry.value, value);
  if (simple !== undefined) return simple;
  const range = findValueStart(entry, text);
  // A comment would be lost.
  if (/(?:^|\s)#/.test(text.slice(range.start, range.end))) return undefined;
  return { ...range, text: formatValue(text, around, entry, value) };
}

/** Behind a colon. */
function formatValue(text: string, around: YamlMap, sibling: YamlEntry, value: Json): string {
  if (!isContainer(value)) return ` ${formatScalar(value, "plain")}`;
  if (around.flowStart !== undefined) return ` ${formatFlow(value, sibling)}`;
  if (Object.keys(value).length === 0) return ` ${JSON.stringify(value)}`;
  const eol = getLineBreak(text);
  const indent = " ".repeat(getColumn(text, sibling) + 2);
  const lines = toYaml(value).trimEnd().split("\n");
  return lines.map((line) => `${eol}${indent}${line}`).join("");
}

function addEntry(text: string, around: YamlMap, key: string, value: Json): TextReplacement | undefined {
  const last = around.entries.at(-1);
  if (last === undefined) {
    const start = (around.flowStart ?? -1) + 1;
    return start > 0 ? { start, end: start, text: `${key}: ${toYamlLine(value)}` } : undefined;
  }
  const { end } = findValueStart(last, text);
  const style = last.keyNode.kind === "scalar" && last.keyNode.style === '"' ? '"' : "plain";
  const written = `${formatText(key, style)}:${formatValue(text, around, last, value)}`;
  if (around.flowStart !== undefined) return addFlowEntry(text, around, last, written);
  const lineEnd = findLineEnd(text, end);
  const indent = " ".repeat(getColumn(text, last));
  return { start: lineEnd, end: lineEnd, text: `${getLineBreak(text)}${indent}${written}` };
}

/** On a line of its own if the others are. */
function addFlowEntry(text: string, around: YamlMap, last: YamlEntry, written: string): TextReplacement {
  const { end } = findValueStart(last, text);
  const start = findRange(last.keyNode, text)?.start ?? end;
  const before = /(\r?\n[ \t]*)$/.exec(text.slice(around.flowStart, start))?.[1] ?? " ";
  return { start: end, end, text: `,${before}${written}` };
}

/** An entry or an item, with the lines that it has for itself, or up to the next one. */
function removePart(
  text: string,
  around: Extract<YamlNode, { kind: "list" | "map" }>,
  index: number,
): TextReplacement | undefined {
  const parts =
    around.kind === "map"
      ? around.entries.map((entry) => findEntryRange(entry, text))
      : around.items.map((item) => findRange(item, text));
  const part = parts[index];
  if (part === undefined) return undefined;
  const next = parts[index + 1];
  const previous = parts[index - 1];
  if (around.flowStart !== undefined) {
    if (next !== undefined) return { start: part.start, end: next.start, text: "" };
    return { start: previous?.end ?? part.start, end: part.end, text: "" };
  }
  if (parts.length === 1) return undefined;
  const dash = around.kind === "list" ? text.lastIndexOf("-", part.start - 1) : part.start;
  const lineStart = findLineStart(text, dash);
  const isAlone = text.slice(lineStart, dash).trim() === "";
  if (isAlone)
    return {
      start: lineStart,
      end: Math.min(findLineEnd(text, part.end) + getLineBreak(text).length, text.length),
      text: "",
    };
  // The first entry of an item stands behind its dash.
  return next && { start: part.start, end: next.start, text: "" };
}

function findEntryRange(entry: YamlEntry, text: string): TextRange | undefined {
  const key = findRange(entry.keyNode, text);
  return key && { start: key.start, end: findValueStart(entry, text).end };
}

function getColumn(text: string, { keyNode }: YamlEntry): number {
  const start = findRange(keyNode, text)?.start ?? 0;
  return start - findLineStart(text, start);
}

function getLineBreak(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function isContainer(value: Json): value is Extract<Json, object> {
  return isObject(value) || isList(value);
}

/** As its siblings are: JSON has all keys and texts in quotes. */
function formatFlow(value: Json, { keyNode }: YamlEntry): string {
  const isJson = keyNode.kind === "scalar" && keyNode.style === '"';
  return isJson ? JSON.stringify(value) : toYamlLine(value);
}

type Style = "plain" | "'" | '"' | "block";

function formatScalar(value: Json, style: Style): string {
  return typeof value === "string" ? formatText(value, style) : JSON.stringify(value);
}

/** In the quotes that stand there, if it can be. */
function formatText(value: string, style: Style): string {
  if (style === "'" && !/[\n\r\t]/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  if (style === "plain" && isPlain(value)) return value;
  return JSON.stringify(value);
}

function isPlain(value: string): boolean {
  if (!/^[A-Za-z0-9_./][\w./:@-]*$/.test(value) || value.endsWith(":")) return false;
  const parsed = parseDocuments(value);
  return parsed.kind === "documents" && parsed.documents[0] === value;
}

/** From the first character to the one behind the last, with quotes, brackets and the line that begins a block. */
type TextRange = { readonly start: number; readonly end: number };

/** Where a node stands in its text; undefined if nothing is there. */
function findRange(node: YamlNode, text: string): TextRange | undefined {
  if (node.kind === "alias") return { start: node.offset, end: node.end };
  if (node.kind === "scalar") {
    const { offset, end, style } = node;
    if (offset < 0) return undefined;
    if (style === "plain") return { start: offset, end };
    if (style !== "block") return { start: offset - 1, end: end + 1 };
    const header = /[|>][-+\d]*[ \t]*(?:#.*)?\r?\n$/.exec(text.slice(0, offset));
    return { start: header?.index ?? offset, end: offset + text.slice(offset, end).trimEnd().length };
  }
  const { flowStart } = node;
  const parts = node.kind === "list" ? node.items : node.entries.flatMap(({ keyNode, value }) => [keyNode, value]);
  const ranges = parts.flatMap((part) => findRange(part, text) ?? []);
  const last = ranges.at(-1)?.end ?? flowStart;
  if (flowStart !== undefined)
    return { start: flowStart, end: findBracket(text, last === flowStart ? flowStart + 1 : (last ?? 0)) };
  const [first] = ranges;
  return first && { start: first.start, end: findEntryEnd(node, text) ?? first.end };
}

/** The last entry of a map may have a key alone, and the last item of a list nothing. */
function findEntryEnd(node: Extract<YamlNode, { kind: "list" | "map" }>, text: string): number | undefined {
  const lastEntry = node.kind === "map" ? node.entries.at(-1) : undefined;
  if (lastEntry !== undefined) return findValueStart(lastEntry, text).end;
  const item = node.kind === "list" ? node.items.at(-1) : undefined;
  return item && findRange(item, text)?.end;
}

/** From behind the colon of a key to the end of its value. */
function findValueStart({ keyNode, value }: YamlEntry, text: string): TextRange {
  const key = findRange(keyNode, text);
  const colon = text.indexOf(":", key?.end ?? 0) + 1;
  return { start: colon, end: findRange(value, text)?.end ?? colon };
}

/** Behind the bracket that closes, where only white space, comments and a comma stand before it. */
function findBracket(text: string, from: number): number {
  const gap = /^(?:[\s,]|(?<=\s)#.*)*/.exec(text.slice(from))?.[0] ?? "";
  return from + gap.length + 1;
}

function findLineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Where the line ends, before its break. */
function findLineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" && end > offset ? end - 1 : end;
}
