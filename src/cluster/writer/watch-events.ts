import { type JsonObject, numberAt, objectAt, parseObject, textAt } from "../../model/json.ts";
import type { ReadFailure } from "../../model/reader.ts";
import { toFailedAttempt } from "../access/failures.ts";
import { createLineSplitter } from "../../encoding/line-splitter.ts";
import type { BodyReader } from "../access/response-body.ts";
import type { Attempt } from "../../network/retry.ts";
import type { ApiRequest } from "../access/transport.ts";

/** An object after a change, its last state before it was deleted, or a bookmark: an object of nothing but the present resource version. */
export type WatchEvent = { readonly kind: "modified" | "deleted" | "bookmark"; readonly object: JsonObject };

/** `expired`: the API server can't continue from the requested state. */
type WatchLine = WatchEvent | { readonly kind: "expired"; readonly message: string };

/** `closed`: the API server ended the watch, as it does after a while. */
type WatchOutcome = { readonly kind: "closed" } | Extract<WatchLine, { kind: "expired" }> | ReadFailure;

/** Far more than any object has. */
const MAX_EVENT_BYTES = 16 << 20;

/** Hands on the events of a watch until its body ends, or the watch expires. */
export async function readEvents(
  request: ApiRequest,
  body: BodyReader,
  onEvent: (event: WatchEvent) => void,
): Promise<Attempt<WatchOutcome>> {
  const parse = createEventParser();
  for (;;) {
    const part = await body();
    if (part.kind === "broken") return toFailedAttempt(request, part.error);
    if (part.kind === "end") return { kind: "done", value: { kind: "closed" } };
    for (const line of parse(part.chunk)) {
      if (line.kind === "expired") return { kind: "done", value: line };
      onEvent(line);
    }
  }
}

const EXPIRED: WatchLine = { kind: "expired", message: "the watch expired" };

/** Cuts a watch's body into its events. Unknown events are left out: the next list makes up for them. */
function createEventParser(): (chunk: Buffer) => readonly WatchLine[] {
  const split = createLineSplitter(MAX_EVENT_BYTES);
  return (chunk) => split(chunk)?.flatMap(parseEvent) ?? [EXPIRED];
}

function parseEvent(line: string): readonly WatchLine[] {
  const event = parseObject(line);
  const [type, object] = [textAt(event, "type"), objectAt(event, "object")];
  if (type === "ERROR") return numberAt(object, "code") === 410 ? [EXPIRED] : [];
  if (type === "ADDED" || type === "MODIFIED") return [{ kind: "modified", object }];
  if (type === "BOOKMARK") return [{ kind: "bookmark", object }];
  return type === "DELETED" ? [{ kind: "deleted", object }] : [];
}
