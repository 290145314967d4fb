import { StringDecoder } from "node:string_decoder";
import { isObject, type Json, type JsonObject, numberAt, objectAt, textAt } from "../model/json.ts";

/** A line of a watch: an object as it is now, or as it was when it went. */
export type WatchEvent = { readonly kind: "is" | "gone"; readonly object: JsonObject };

/** `expired`: the API server can't go on from where it was asked to. */
export type WatchLine = WatchEvent | { readonly kind: "expired" };

/** Cuts a watch's body into its events. Bookmarks and what can't be understood are left out: the next list makes up for it. */
export function eventLines(): (chunk: Buffer) => readonly WatchLine[] {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return (chunk) => {
    const lines = (rest + decoder.write(chunk)).split("\n");
    rest = lines.pop() ?? "";
    return lines.flatMap(eventOf);
  };
}

function eventOf(line: string): readonly WatchLine[] {
  const event = parsed(line);
  const [type, object] = [textAt(event, "type"), objectAt(event, "object")];
  if (type === "ERROR") return numberAt(object, "code") === 410 ? [{ kind: "expired" }] : [];
  if (type === "ADDED" || type === "MODIFIED") return [{ kind: "is", object }];
  return type === "DELETED" ? [{ kind: "gone", object }] : [];
}

function parsed(line: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
