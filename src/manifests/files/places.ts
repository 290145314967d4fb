import { type YamlNode, findChild, findOffset, parseNodes } from "../../encoding/yaml-nodes.ts";
import type { ManifestPath, ManifestPlace, RepeatedField } from "../../model/manifest.ts";

/** Finds places in a document, which is parsed only for them. */
export type PlaceFinder = {
  /** Where the document begins, which needs no parsing. */
  readonly start: ManifestPlace;
  readonly locate: (path: ManifestPath) => ManifestPlace;
  readonly findRepeated: (path: ManifestPath) => readonly RepeatedField[];
};

/** Parses a document; of several, the last one is kept. */
export type DocumentParser = (document: DocumentText) => YamlNode | undefined;

export function createDocumentParser(): DocumentParser {
  let last: DocumentText | undefined;
  let root: YamlNode | undefined;
  return (document) => {
    if (last !== document) {
      last = document;
      root = findContent(document.text);
    }
    return root;
  };
}

export function createPlaceFinder(document: DocumentText, file: string, parse: DocumentParser): PlaceFinder {
  const source = findSource(document.text);
  const place = (offset: number): ManifestPlace => ({
    file,
    ...findPosition(document, offset),
    ...(source && { source }),
  });
  return {
    start: place(0),
    locate: (path) => {
      const node = parse(document);
      return place(node === undefined ? 0 : findOffset(node, path.map(String)));
    },
    findRepeated: (path) => {
      const node = followPath(parse(document), path);
      return node === undefined
        ? []
        : listRepeated(node, []).map(({ path: own, offset }) => ({ path: own, place: place(offset) }));
    },
  };
}

/** The one document of a text; empty ones may stand before it. */
export function findContent(text: string): YamlNode | undefined {
  return parseNodes(text)?.findLast((node) => node.kind !== "scalar" || node.offset >= 0);
}

export function followPath(root: YamlNode | undefined, path: ManifestPath): YamlNode | undefined {
  return path.reduce<YamlNode | undefined>((node, step) => node && findChild(node, String(step))?.value, root);
}

/** A value in quotes begins at the first of them. */
export function findPosition(
  { text, line, column, shifts }: DocumentText,
  offset: number,
): { readonly line: number; readonly column: number } {
  const isQuoted = /["']/.test(text[offset - 1] ?? "");
  const before = text.slice(0, Math.max(isQuoted ? offset - 1 : offset, 0));
  const lines = countLines(before);
  const inLine = before.length - before.lastIndexOf("\n") - (shifts?.get(lines) ?? 0);
  return { line: line + lines, column: lines === 0 ? column + before.length : inLine };
}

/** The template that Helm made a document from: it stands above it in a comment. */
export function findSource(text: string): string | undefined {
  for (let start = 0; start < text.length;) {
    const next = text.indexOf("\n", start);
    const end = next < 0 ? text.length : next;
    const line = text.slice(start, end).trim();
    if (line.startsWith("# Source: ")) return line.slice("# Source: ".length).trim();
    if (line !== "" && !line.startsWith("#") && !line.startsWith("---")) return undefined;
    start = end + 1;
  }
  return undefined;
}

type RepeatedOffset = { readonly path: ManifestPath; readonly offset: number };

function listRepeated(node: YamlNode, path: ManifestPath): readonly RepeatedOffset[] {
  if (node.kind === "list") return node.items.flatMap((item, i) => listRepeated(item, [...path, i]));
  if (node.kind !== "map") return [];
  const last = new Map(node.entries.map((entry) => [entry.key, entry]));
  return node.entries.flatMap((entry) => {
    const own = [...path, entry.key];
    return last.get(entry.key) === entry ? listRepeated(entry.value, own) : [{ path: own, offset: entry.offset }];
  });
}

/**
 * A document of a file: where its text begins, and the line and the column there, from 1. `shifts`: of its lines, from 0, how many characters
 * the file does not have before them.
 */
export type DocumentText = {
  readonly text: string;
  readonly start: number;
  readonly line: number;
  readonly column: number;
  readonly shifts?: ReadonlyMap<number, number>;
};

const MARKER = /(?:^|\n)(?:---|\.\.\.)(?=[ \t\r\n]|$)/g;
/** A line of a document without anything in it: a comment, a directive, a marker. */
const EMPTY = /^(?:\s*(?:#.*)?|%.*|(?:---|\.\.\.)\s*(?:\s#.*)?)$/;

/**
 * Cuts a text as kubectl does, so that a fault in one document hides no other one. What stands before a document and is empty belongs to it.
 */
export function splitDocuments(text: string): readonly DocumentText[] {
  const documents: DocumentText[] = [];
  let start = 0;
  let line = 1;
  const add = (end: number): void => {
    const part = text.slice(start, end);
    if (isEmpty(part)) return;
    documents.push({ text: part, start, line, column: 1 });
    line += countLines(part);
    start = end;
  };
  for (const match of text.matchAll(MARKER)) add(match.index + Number(match[0].startsWith("\n")));
  add(text.length);
  return documents;
}

function isEmpty(text: string): boolean {
  return text.split("\n").every((line) => EMPTY.test(line));
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** Cuts a text at the end of each outermost brace: JSON objects one after the other, as jq writes them. */
export function splitJson(text: string): readonly DocumentText[] {
  const documents: DocumentText[] = [];
  let depth = 0;
  let start = text.search(/\S|$/);
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"|[{}]/g)) {
    if (token === "{") depth += 1;
    if (token === "}") depth -= 1;
    if (token !== "}" || depth !== 0) continue;
    documents.push(placeText(text, start, index + 1));
    start = index + 1 + text.slice(index + 1).search(/\S|$/);
  }
  return start === text.length ? documents : [...documents, placeText(text, start, text.length)];
}

function placeText(text: string, start: number, end: number): DocumentText {
  const before = text.slice(0, start);
  return {
    text: text.slice(start, end),
    start,
    line: countLines(before) + 1,
    column: start - before.lastIndexOf("\n"),
  };
}
