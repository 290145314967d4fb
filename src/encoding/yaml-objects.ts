import { type Json, type JsonObject, isList, isObject, listAt } from "../model/json.ts";
import { createLineSplitter } from "./line-splitter.ts";
import { parseDocuments } from "./yaml.ts";

/** Of one object: etcd holds at most 1.5 MiB of JSON. */
const MAX_OBJECT_CHARACTERS = 16 << 20;

/** A list's first line of items, and the beginning of each of them. */
const ITEMS = /^items:\s*$/;

/**
 * The objects of a YAML file, or of a JSON file of bounded size, one by one as they arrive: of each document the items if it is a list, and
 * itself otherwise. So memory holds one item of a list in the block style that kubectl and oc write. `onList` gets what a list has beside
 * its items, after the last of them. Throws an Error that says what is wrong.
 */
export async function* readYamlObjects(
  content: AsyncIterable<Uint8Array>,
  onList: (list: JsonObject) => void = () => undefined,
): AsyncGenerator<JsonObject> {
  let document = startDocument();
  for await (const line of readLines(content)) {
    if (isMarker(line)) {
      yield* endDocument(document, onList);
      document = startDocument();
      continue;
    }
    const item = addLine(document, line);
    if (item !== undefined) yield parseItem(item);
  }
  yield* endDocument(document, onList);
}

/** `rest`: the lines outside of the items. `item`: the lines of the current item. `indent`: the spaces before each item's dash. */
type Document = { rest: Text; item: Text | undefined; indent: string | undefined; isInItems: boolean };
type Text = { readonly lines: string[]; size: number };

function startDocument(): Document {
  return { rest: startText(), item: undefined, indent: undefined, isInItems: false };
}

function startText(): Text {
  return { lines: [], size: 0 };
}

/** In block style, only a document's marker begins so: every text within is indented. */
function isMarker(line: string): boolean {
  return line === "---" || line.startsWith("--- ") || line === "...";
}

/** Returns the item that the line ends. */
function addLine(document: Document, line: string): Text | undefined {
  if (!document.isInItems) {
    append(document.rest, line);
    document.isInItems = ITEMS.test(line);
    return undefined;
  }
  const { item } = document;
  if (line.trim() === "") {
    if (item !== undefined) append(item, line);
    return undefined;
  }
  document.indent ??= /^ *(?=-(?: |$))/.exec(line)?.[0];
  const { indent } = document;
  if (indent !== undefined && isDash(line, indent)) {
    document.item = startText();
    append(document.item, `${indent} ${line.slice(indent.length + 1)}`);
    return item;
  }
  if (item !== undefined && line.startsWith(`${indent ?? ""} `)) {
    append(item, line);
    return undefined;
  }
  Object.assign(document, { item: undefined, isInItems: false });
  append(document.rest, line);
  return item;
}

function isDash(line: string, indent: string): boolean {
  return line.startsWith(`${indent}- `) || line === `${indent}-`;
}

function append(text: Text, line: string): void {
  text.size += line.length + 1;
  if (text.size > MAX_OBJECT_CHARACTERS) throw new Error(`an object has more than ${MAX_OBJECT_CHARACTERS >> 20} MiB`);
  text.lines.push(line);
}

function* endDocument({ rest, item, indent }: Document, onList: (list: JsonObject) => void): Generator<JsonObject> {
  if (item !== undefined) yield parseItem(item);
  const isBlockList = indent !== undefined;
  for (const document of parse(rest)) {
    const { items, ...list } = isObject(document) ? document : {};
    if (isList(items)) yield* listAt(document, "items").map(requireObject);
    else if (!isBlockList && items !== null) yield requireObject(document);
    if (isList(items) || isBlockList || items === null) onList(list);
  }
}

function parseItem(text: Text): JsonObject {
  const [item] = parse(text);
  return requireObject(item ?? null);
}

function parse({ lines }: Text): readonly Json[] {
  const result = parseDocuments(lines.join("\n"));
  if (result.kind === "invalid") throw new Error(`it is not valid YAML: ${result.message}`);
  return result.documents;
}

function requireObject(value: Json): JsonObject {
  if (isObject(value)) return value;
  throw new Error("it holds something that is not an object");
}

async function* readLines(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const split = createLineSplitter(MAX_OBJECT_CHARACTERS);
  for await (const chunk of content) yield* requireLines(split(chunk));
  yield* requireLines(split(undefined));
}

function requireLines(lines: readonly string[] | undefined): readonly string[] {
  if (lines === undefined) throw new Error(`a line has more than ${MAX_OBJECT_CHARACTERS >> 20} MiB`);
  return lines;
}

/** The `kind` of the list in a YAML file; `kubectl` writes it after the items, which may lack theirs. */
export async function findListKind(
  content: AsyncIterable<Uint8Array>,
): Promise<{ readonly apiVersion: string; readonly kind: string } | undefined> {
  let apiVersion = "";
  let kind = "";
  for await (const line of readLines(content)) {
    const [, key, value = ""] = /^(apiVersion|kind): ([\w./-]+)\s*$/.exec(line) ?? [];
    if (key === "apiVersion") apiVersion = value;
    if (key === "kind") kind = value;
  }
  return apiVersion !== "" && kind.endsWith("List") ? { apiVersion, kind } : undefined;
}
