import { createLineSplitter } from "../../cluster/live/line-splitter.ts";
import { type JsonObject, numberAt, objectAt, parseObject, textAt } from "../../model/json.ts";

/** A line of a watch: an object as it is now, or as it was when it went. */
export type WatchEvent = { readonly kind: "present" | "deleted"; readonly object: JsonObject };

/** `expired`: the API server can't go on from where it was asked to. */
export type WatchLine = WatchEvent | { readonly kind: "expired" };

/** Far more than an object can have. */
const MAX_EVENT_BYTES = 16 << 20;

/** Cuts a watch's body into its events. Bookmarks and what can't be understood are left out: the next list makes up for it. */
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
