import type { YamlEntry, YamlNode } from "../../encoding/yaml-nodes.ts";

/** From the first character to the one behind the last, with quotes, brackets and the line that begins a block. */
export type TextRange = { readonly start: number; readonly end: number };

/** Where a node stands in its text; undefined if nothing is there. */
export function findRange(node: YamlNode, text: string): TextRange | undefined {
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
export function findValueStart({ keyNode, value }: YamlEntry, text: string): TextRange {
  const key = findRange(keyNode, text);
  const colon = text.indexOf(":", key?.end ?? 0) + 1;
  return { start: colon, end: findRange(value, text)?.end ?? colon };
}

/** Behind the bracket that closes, where only white space, comments and a comma stand before it. */
function findBracket(text: string, from: number): number {
  const gap = /^(?:[\s,]|(?<=\s)#.*)*/.exec(text.slice(from))?.[0] ?? "";
  return from + gap.length + 1;
}

export function findLineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Where the line ends, before its break. */
export function findLineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" && end > offset ? end - 1 : end;
}
