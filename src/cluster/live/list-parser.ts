import { type Json, type JsonObject, isObject } from "../../model/json.ts";
import { isWhitespace, createJsonSplitter } from "./json-splitter.ts";

export type ListChunk =
  | { readonly kind: "items"; readonly items: readonly JsonObject[] }
  | { readonly kind: "tooLarge" }
  | { readonly kind: "notUnderstood"; readonly message: string };

/** `head`: apiVersion, kind and metadata of the list, as far as they have come; they may stand behind the items. */
export type ListParser = {
  /** The items that a chunk completes. Anything else is final. */
  readonly push: (chunk: Buffer) => ListChunk;
  readonly head: () => JsonObject;
  /** Whether all of the list has come, and whether it has items (null is none, but a list). */
  readonly isComplete: () => boolean;
  readonly hasItems: () => boolean;
};

/** What the next byte belongs to. */
type ParserState =
  | "start"
  | "firstKey"
  | "key"
  | "colon"
  | "value"
  | "afterValue"
  | "firstItem"
  | "item"
  | "afterItem"
  | "end";

const HEAD_KEYS = new Set(["apiVersion", "kind", "metadata"]);

/**
 * Takes the objects out of the "items" of a JSON list, chunk by chunk, and parses each by itself, so that memory holds one object
 * and never the list. Keys may come in any order. `largest`: the most bytes that an object may have.
 */
export function createListParser(maxBytes: number): ListParser {
  const split = createJsonSplitter(maxBytes);
  const list: PartialList = { state: "start", key: "", hasItems: false, head: {}, items: [] };
  let isInValue = false;
  return { push, head: () => list.head, isComplete: () => list.state === "end", hasItems: () => list.hasItems };

  function push(chunk: Buffer): ListChunk {
    list.items = [];
    let i = 0;
    try {
      while (i < chunk.length) {
        if (!isInValue && advance(list, chunk[i])) {
          i++;
          continue;
        }
        const result = split(chunk, i);
        isInValue = result.kind === "more";
        if (result.kind === "tooLarge") return result;
        if (result.kind === "more") break;
        addValue(list, JSON.parse(result.text));
        i = result.next;
      }
    } catch (error) {
      return { kind: "notUnderstood", message: error instanceof Error ? error.message : String(error) };
    }
    return { kind: "items", items: list.items };
  }
}

/** A list as far as it has come. `key`: the last one that came; `items`: those that this chunk completed. */
type PartialList = {
  state: ParserState;
  key: Json;
  hasItems: boolean;
  head: Record<string, Json>;
  items: JsonObject[];
};

/** True where the byte is structure of the list itself; false where a value begins with it. */
function advance(list: PartialList, byte: number | undefined): boolean {
  if (isWhitespace(byte)) return true;
  const next = findNextState(list, String.fromCharCode(byte ?? 0));
  if (next === undefined) return false;
  list.state = next;
  return true;
}

function findNextState(list: PartialList, char: string): ParserState | undefined {
  const { state } = list;
  if (char === "[" && state === "value" && list.key === "items") {
    if (list.hasItems) throw new SyntaxError("it has items twice");
    list.hasItems = true;
    return "firstItem";
  }
  if ((state === "firstKey" || state === "key") && char === '"') return undefined;
  if (state === "value" || state === "item" || (state === "firstItem" && char !== "]")) return undefined;
  const next = TRANSITIONS[`${state} ${char}`];
  if (next === undefined) throw new SyntaxError(`it has ${JSON.stringify(char)} where JSON has none`);
  return next;
}

function addValue(list: PartialList, value: Json): void {
  if (list.state === "firstKey" || list.state === "key") {
    list.key = value;
    list.state = "colon";
  } else if (list.state === "value") {
    addHeadField(list, value);
    list.state = "afterValue";
  } else {
    if (!isObject(value)) throw new SyntaxError("one of its items is no object");
    list.items.push(value);
    list.state = "afterItem";
  }
}

function addHeadField(list: PartialList, value: Json): void {
  if (list.key === "items") {
    if (value !== null || list.hasItems) throw new SyntaxError("its items are no list");
    list.hasItems = true;
  }
  if (typeof list.key === "string" && HEAD_KEYS.has(list.key)) list.head[list.key] = value;
}

const TRANSITIONS: Readonly<Record<string, ParserState>> = {
  "start {": "firstKey",
  "firstKey }": "end",
  "colon :": "value",
  "afterValue ,": "key",
  "afterValue }": "end",
  "firstItem ]": "afterValue",
  "afterItem ,": "item",
  "afterItem ]": "afterValue",
};
