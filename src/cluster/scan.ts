import { type Json, type JsonObject, isObject } from "../model/json.ts";
import { isSpace, valueTaker } from "./take.ts";

export type Scanned =
  | { readonly kind: "items"; readonly items: readonly JsonObject[] }
  | { readonly kind: "tooLarge" }
  | { readonly kind: "notUnderstood"; readonly message: string };

/** `head`: apiVersion, kind and metadata of the list, as far as they have come; they may stand behind the items. */
export type Scanner = {
  /** The items that a chunk completes. Anything else is final. */
  readonly push: (chunk: Buffer) => Scanned;
  readonly head: () => JsonObject;
  /** Whether all of the list has come, and whether it has items (null is none, but a list). */
  readonly ended: () => boolean;
  readonly hasItems: () => boolean;
};

/** What the next byte belongs to. */
type State =
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

const HEAD = new Set(["apiVersion", "kind", "metadata"]);

/**
 * Takes the objects out of the "items" of a JSON list, chunk by chunk, and parses each by itself, so that memory holds one object
 * and never the list. Keys may come in any order. `largest`: the most bytes that an object may have.
 */
export function itemScanner(largest: number): Scanner {
  const take = valueTaker(largest);
  const list: List = { state: "start", key: "", hasItems: false, head: {}, items: [] };
  let taking = false;
  return { push, head: () => list.head, ended: () => list.state === "end", hasItems: () => list.hasItems };

  function push(chunk: Buffer): Scanned {
    list.items = [];
    let i = 0;
    try {
      while (i < chunk.length) {
        if (!taking && step(list, chunk[i])) {
          i++;
          continue;
        }
        const taken = take(chunk, i);
        taking = taken.kind === "more";
        if (taken.kind === "tooLarge") return taken;
        if (taken.kind === "more") break;
        keep(list, JSON.parse(taken.text));
        i = taken.next;
      }
    } catch (error) {
      return { kind: "notUnderstood", message: error instanceof Error ? error.message : String(error) };
    }
    return { kind: "items", items: list.items };
  }
}

/** A list as far as it has come. `key`: the last one that came; `items`: those that this chunk completed. */
type List = { state: State; key: Json; hasItems: boolean; head: Record<string, Json>; items: JsonObject[] };

/** True where the byte is structure of the list itself; false where a value begins with it. */
function step(list: List, byte: number | undefined): boolean {
  if (isSpace(byte)) return true;
  const next = after(list, String.fromCharCode(byte ?? 0));
  if (next === undefined) return false;
  list.state = next;
  return true;
}

function after(list: List, char: string): State | undefined {
  const { state } = list;
  if (char === "[" && state === "value" && list.key === "items") {
    if (list.hasItems) throw new SyntaxError("it has items twice");
    list.hasItems = true;
    return "firstItem";
  }
  if ((state === "firstKey" || state === "key") && char === '"') return undefined;
  if (state === "value" || state === "item" || (state === "firstItem" && char !== "]")) return undefined;
  const next = STRUCTURE[`${state} ${char}`];
  if (next === undefined) throw new SyntaxError(`it has ${JSON.stringify(char)} where JSON has none`);
  return next;
}

function keep(list: List, value: Json): void {
  if (list.state === "firstKey" || list.state === "key") {
    list.key = value;
    list.state = "colon";
  } else if (list.state === "value") {
    keepHead(list, value);
    list.state = "afterValue";
  } else {
    if (!isObject(value)) throw new SyntaxError("one of its items is no object");
    list.items.push(value);
    list.state = "afterItem";
  }
}

function keepHead(list: List, value: Json): void {
  if (list.key === "items") {
    if (value !== null || list.hasItems) throw new SyntaxError("its items are no list");
    list.hasItems = true;
  }
  if (typeof list.key === "string" && HEAD.has(list.key)) list.head[list.key] = value;
}

const STRUCTURE: Readonly<Record<string, State>> = {
  "start {": "firstKey",
  "firstKey }": "end",
  "colon :": "value",
  "afterValue ,": "key",
  "afterValue }": "end",
  "firstItem ]": "afterValue",
  "afterItem ,": "item",
  "afterItem ]": "afterValue",
};
