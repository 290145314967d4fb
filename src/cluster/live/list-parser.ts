import { type Json, type JsonObject, MAX_DEPTH, decodeJson, isObject } from "../../model/json.ts";

export type ListChunk =
  | { readonly kind: "items"; readonly items: readonly JsonObject[] }
  | { readonly kind: "tooLarge" }
  | { readonly kind: "notUnderstood"; readonly message: string };

/** `head`: apiVersion, kind and metadata of the list, as far as they have arrived; they may come after the items. */
export type ListParser = {
  /** Returns the items that a chunk completes. Any other result is final. */
  readonly push: (chunk: Buffer) => ListChunk;
  readonly head: () => JsonObject;
  /** Whether the whole list has arrived, and whether it has items; null counts as an empty list. */
  readonly isComplete: () => boolean;
  readonly hasItems: () => boolean;
  /** Of the items so far, as text. */
  readonly largestBytes: () => number;
};

/** What the next byte begins or continues. */
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
 * Parses the objects of a JSON list one by one as its chunks arrive, so that memory holds one object and never the list. Keys may come
 * in any order. `maxBytes`: the limit of one object.
 */
export function createListParser(maxBytes: number): ListParser {
  const split = createJsonSplitter(maxBytes);
  const list: PartialList = { state: "start", key: "", hasItems: false, head: {}, items: [], largestBytes: 0 };
  let isInValue = false;
  return {
    push,
    head: () => list.head,
    isComplete: () => list.state === "end",
    hasItems: () => list.hasItems,
    largestBytes: () => list.largestBytes,
  };

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
        addValue(list, result.hasLongNumber ? decodeJson(result.text) : JSON.parse(result.text), result.bytes);
        i = result.next;
      }
    } catch (error) {
      return { kind: "notUnderstood", message: error instanceof Error ? error.message : String(error) };
    }
    return { kind: "items", items: list.items };
  }
}

/** A list as far as it has arrived. `key`: the last one; `items`: those that the current chunk completed. */
type PartialList = {
  state: ParserState;
  key: Json;
  hasItems: boolean;
  head: Record<string, Json>;
  items: JsonObject[];
  largestBytes: number;
};

/** Returns true for a byte of the list's own structure, and false if a value begins with it. */
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
  if (next === undefined) throw new SyntaxError(`it is not JSON at ${JSON.stringify(char)}`);
  return next;
}

function addValue(list: PartialList, value: Json, bytes: number): void {
  if (list.state === "firstKey" || list.state === "key") {
    list.key = value;
    list.state = "colon";
  } else if (list.state === "value") {
    addHeadField(list, value);
    list.state = "afterValue";
  } else {
    if (!isObject(value)) throw new SyntaxError("one of its items is not an object");
    list.items.push(value);
    list.largestBytes = Math.max(list.largestBytes, bytes);
    list.state = "afterItem";
  }
}

function addHeadField(list: PartialList, value: Json): void {
  if (list.key === "items") {
    if (value !== null || list.hasItems) throw new SyntaxError("its items are not a list");
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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** `next`: the index after a whole value. `hasLongNumber`: it may have a number of so many digits that JSON.parse rounds it. */
type SplitResult =
  | {
      readonly kind: "whole";
      readonly text: string;
      readonly bytes: number;
      readonly next: number;
      readonly hasLongNumber: boolean;
    }
  | { readonly kind: "more" }
  | { readonly kind: "tooLarge" };

/**
 * What is open in an incomplete value: brackets, a string, an escape whose character has not arrived. `nested`: brackets so far. `plain`:
 * bytes since the last bracket or quote.
 */
type SplitterState = {
  depth: number;
  inString: boolean;
  escaped: boolean;
  nested: number;
  plain: number;
  hasLongNumber: boolean;
};

/** Sixteen digits and what stands before them. A list of small numbers, or a line break with its indentation, may be as long. */
const LONG_NUMBER = 17;

/** Objects and lists within one value. As text they may take three bytes, and in memory thirty times as much. */
export const MAX_NESTED = 400_000;

/**
 * Cuts single JSON values out of a stream of chunks by brackets and quotes alone; JSON.parse decides whether they are valid. Bytes
 * suffice: in UTF-8, no byte of a longer character equals a bracket or a quote.
 */
export function createJsonSplitter(maxBytes: number): (chunk: Buffer, from: number) => SplitResult {
  const state: SplitterState = {
    depth: 0,
    inString: false,
    escaped: false,
    nested: 0,
    plain: 0,
    hasLongNumber: false,
  };
  const parts: Buffer[] = [];
  let size = 0;

  return (chunk, from) => {
    const end = findValueEnd(chunk, from, state);
    size += (end < 0 ? chunk.length : end) - from;
    if (size > maxBytes || state.nested > MAX_NESTED) return { kind: "tooLarge" };
    if (end < 0) {
      parts.push(chunk.subarray(from));
      return { kind: "more" };
    }
    const { hasLongNumber } = state;
    const bytes = size;
    const text = parts.length === 0 ? chunk.toString("utf8", from, end) : joinParts(parts, chunk.subarray(0, end));
    size = state.nested = state.plain = 0;
    state.hasLongNumber = false;
    return { kind: "whole", text, bytes, next: end, hasLongNumber };
  };
}

/** The text of a value that came in several chunks, of which none is left then. */
function joinParts(parts: Buffer[], last: Buffer): string {
  parts.push(last);
  return Buffer.concat(parts.splice(0)).toString("utf8");
}

/** The index after the value, or -1 if it goes on. Every byte of a cluster passes here, hence the local variables. */
function findValueEnd(chunk: Buffer, from: number, state: SplitterState): number {
  let { depth, nested } = state;
  let i = from;
  let plainFrom = from - state.plain;
  if (state.inString) {
    i = skipString(chunk, from, state);
    if (!state.inString && depth === 0) return i;
    plainFrom = i;
  }
  while (i < chunk.length) {
    const byte = chunk[i++];
    if (byte === QUOTE) {
      if (i - plainFrom > LONG_NUMBER) state.hasLongNumber = true;
      i = skipString(chunk, i, state);
      plainFrom = i;
      if (!state.inString && depth === 0) return i;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth++;
      // A value that is too deep has too many values, and is refused as such.
      nested += depth > MAX_DEPTH ? MAX_NESTED : 1;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (i - plainFrom > LONG_NUMBER) state.hasLongNumber = true;
      plainFrom = i;
      if (depth <= 1) {
        [state.depth, state.nested] = [0, nested];
        return depth === 0 ? i - 1 : i;
      }
      depth--;
    } else if (depth === 0 && (byte === COMMA || isWhitespace(byte))) {
      return i - 1;
    }
  }
  [state.depth, state.nested] = [depth, nested];
  state.plain = chunk.length - plainFrom;
  return -1;
}

/** The index after the closing quote, or the chunk's length if the string goes on. */
function skipString(chunk: Buffer, from: number, state: SplitterState): number {
  let i = state.escaped ? from + 1 : from;
  while (i < chunk.length) {
    const byte = chunk[i++];
    if (byte === QUOTE) {
      state.inString = state.escaped = false;
      return i;
    }
    if (byte === BACKSLASH) i++;
  }
  state.inString = true;
  state.escaped = i > chunk.length;
  return chunk.length;
}

function isWhitespace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
