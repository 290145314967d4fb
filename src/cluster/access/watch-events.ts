import { type JsonObject, numberAt, objectAt, parseObject, textAt } from "../../model/json.ts";
import type { ReadFailure, ReadFailureReason } from "../../model/reader.ts";
import { buildFailure, type ErrorResult, getPathname, toFailedAttempt } from "./failures.ts";
import { createLineSplitter } from "../../encoding/line-splitter.ts";
import type { BodyReader } from "./response-body.ts";
import type { Attempt } from "../../network/retry.ts";
import type { GetRequest } from "./transport.ts";

/** An object after a change, its last state before it was deleted, or a bookmark: an object of nothing but the present resource version. */
export type WatchEvent = { readonly kind: "modified" | "deleted" | "bookmark"; readonly object: JsonObject };

/** `expired`: the API server can't continue from the requested state. `failed`: what the watched path did. */
type WatchLine = WatchEvent | Expired | WatchFailure;
type WatchFailure = { readonly kind: "failed"; readonly reason: ReadFailureReason; readonly did: string };
type Expired = { readonly kind: "expired"; readonly message: string };

/** `closed`: the API server ended the watch, as it does after a while. */
type WatchOutcome = { readonly kind: "closed" } | Expired | ReadFailure;

/** Far more than any object has. */
const MAX_EVENT_BYTES = 16 << 20;

type AttemptWatch<Request> = (
  request: Request,
  consume: (body: BodyReader) => Promise<Attempt<WatchOutcome>>,
) => Promise<Attempt<WatchOutcome | ErrorResult>>;

/** For a watch to begin. */
const DEADLINE_MS = 60_000;
/** A watch without events is silent for as long as the API server was asked to keep it open, and a little longer. */
export const WATCH_SECONDS = 290;
export const WATCH_IDLE_TIMEOUT_MS = 330_000;

/** One watch, until it ends. It is not retried: whoever reads the objects reads them again first. */
export async function followEvents<Request extends GetRequest>(
  request: Request,
  onEvent: (event: WatchEvent) => void,
  attempt: AttemptWatch<Request>,
): Promise<WatchOutcome | ErrorResult> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new DOMException("no response", "TimeoutError")), DEADLINE_MS);
  const bounded = { ...request, signal: AbortSignal.any([request.signal, deadline.signal]) };
  try {
    const outcome = await attempt(bounded, (body) => {
      clearTimeout(timer);
      return readEvents(bounded, body, onEvent);
    });
    return outcome.kind === "retry" ? outcome.failure : outcome.value;
  } finally {
    clearTimeout(timer);
  }
}

/** Hands on the events of a watch until its body ends, the watch expires or fails, or an event can't be followed: what it changed is lost. */
async function readEvents(
  request: GetRequest,
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
      if (line.kind === "failed")
        return { kind: "done", value: buildFailure(line.reason, `${getPathname(request)} ${line.did}`) };
      onEvent(line);
    }
  }
}

const ODD: WatchLine = {
  kind: "failed",
  reason: "NotUnderstood",
  did: "was answered with something other than events of a watch",
};
const EXPIRED: WatchLine = { kind: "expired", message: "the watch expired" };

/** Cuts a watch's body into its events. */
function createEventParser(): (chunk: Buffer) => readonly WatchLine[] {
  const split = createLineSplitter(MAX_EVENT_BYTES);
  return (chunk) => split(chunk)?.flatMap(parseEvent) ?? [EXPIRED];
}

function parseEvent(line: string): readonly WatchLine[] {
  if (line.trim() === "") return [];
  const event = parseObject(line);
  const type = textAt(event, "type");
  const object = objectAt(event, "object");
  if (type === "ERROR") return [parseError(object)];
  if (type === "BOOKMARK") return [{ kind: "bookmark", object }];
  if (!textAt(object, "metadata", "name")) return [ODD];
  if (type === "ADDED" || type === "MODIFIED") return [{ kind: "modified", object }];
  return [type === "DELETED" ? { kind: "deleted", object } : ODD];
}

/** The object is a Status. Whatever changed after it does not come any more. */
function parseError(status: JsonObject): WatchLine {
  const code = numberAt(status, "code");
  if (code === 410) return EXPIRED;
  const why = textAt(status, "message") || textAt(status, "reason") || "it gave no reason";
  return {
    kind: "failed",
    reason: "ServerError",
    did: `ended its watch: ${why}${code === undefined ? "" : ` (${code})`}`,
  };
}
