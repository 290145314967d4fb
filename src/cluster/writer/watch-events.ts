import { type JsonObject, numberAt, objectAt, parseObject, textAt } from "../../model/json.ts";
import type { ReadFailure } from "../../model/reader.ts";
import { buildFailure, getPathname, toFailedAttempt } from "../access/failures.ts";
import { createLineSplitter } from "../../encoding/line-splitter.ts";
import type { BodyReader } from "../access/response-body.ts";
import type { Attempt } from "../../network/retry.ts";
import type { ApiRequest } from "../access/transport.ts";

/** An object after a change, its last state before it was deleted, or a bookmark: an object of nothing but the present resource version. */
export type WatchEvent = { readonly kind: "modified" | "deleted" | "bookmark"; readonly object: JsonObject };

/** `expired`: the API server can't continue from the requested state. `odd`: an event that nobody can follow. */
type WatchLine = WatchEvent | Expired | { readonly kind: "odd" };
type Expired = { readonly kind: "expired"; readonly message: string };

/** `closed`: the API server ended the watch, as it does after a while. */
type WatchOutcome = { readonly kind: "closed" } | Expired | ReadFailure;

/** Far more than any object has. */
const MAX_EVENT_BYTES = 16 << 20;

/** Hands on the events of a watch until its body ends, the watch expires, or an event can't be followed: what it changed is lost. */
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
      if (line.kind === "odd") return { kind: "done", value: buildOddFailure(request) };
      onEvent(line);
    }
  }
}

function buildOddFailure(request: ApiRequest): ReadFailure {
  return buildFailure(
    "NotUnderstood",
    `${getPathname(request)} was answered with something other than events of a watch`,
  );
}

const EXPIRED: WatchLine = { kind: "expired", message: "the watch expired" };

/** Cuts a watch's body into its events. */
function createEventParser(): (chunk: Buffer) => readonly WatchLine[] {
  const split = createLineSplitter(MAX_EVENT_BYTES);
  return (chunk) => split(chunk)?.flatMap(parseEvent) ?? [EXPIRED];
}

function parseEvent(line: string): readonly WatchLine[] {
  if (line.trim() === "") return [];
  const event = parseObject(line);
  const [type, object] = [textAt(event, "type"), objectAt(event, "object")];
  if (type === "ERROR") return numberAt(object, "code") === 410 ? [EXPIRED] : [];
  if (type === "BOOKMARK") return [{ kind: "bookmark", object }];
  if (!textAt(object, "metadata", "name")) return [{ kind: "odd" }];
  if (type === "ADDED" || type === "MODIFIED") return [{ kind: "modified", object }];
  return [type === "DELETED" ? { kind: "deleted", object } : { kind: "odd" }];
}
