import { createLineSplitter } from "../../cluster/live/line-splitter.ts";
import { type JsonObject, numberAt, objectAt, parseObject, textAt } from "../../model/json.ts";

/** A watch event: the object's current state, or its last state before deletion. */
export type WatchEvent = { readonly kind: "present" | "deleted"; readonly object: JsonObject };

/** `expired`: the API server no longer has the requested resource version. */
export type WatchLine = WatchEvent | { readonly kind: "expired" };

/** Far larger than any object. */
const MAX_EVENT_BYTES = 16 << 20;

/** Splits a watch's body into events. Bookmarks and unparsable lines are skipped; the next list makes up for them. */
export function createEventParser(): (chunk: Buffer) => readonly WatchLine[] {
  const split = createLineSplitter(MAX_EVENT_BYTES);
  return (chunk) => split(chunk)?.flatMap(parseEvent) ?? [{ kind: "expired" }];
}

function parseEvent(line: string): readonly WatchLine[] {
  const event = parseObject(line);
  const [type, object] = [textAt(event, "type"), objectAt(event, "object")];
  if (type === "ERROR") return numberAt(object, "code") === 410 ? [{ kind: "expired" }] : [];
  if (type === "ADDED" || type === "MODIFIED") return [{ kind: "present", object }];
  return type === "DELETED" ? [{ kind: "deleted", object }] : [];
}
