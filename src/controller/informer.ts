import { isObject, type JsonObject, listAt, textAt } from "../model/json.ts";
import type { Answer, Api, WatchEnd } from "./api.ts";

/** One object that is followed: the API's path of its collection, and its name. */
export type Followed = { readonly collection: string; readonly name: string };

/** What is known of it: undefined until the first list, then the object, or that there is none. */
export type Seen = { readonly kind: "is"; readonly object: JsonObject } | { readonly kind: "absent" };

export type InformerTools = {
  readonly api: Api;
  /** Resolves early where the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onTrouble: (message: string) => void;
};

/** Between attempts after a failure; doubled each time, up to the last. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** After a watch that ended well. */
const SHORT_PAUSE_MS = 50;
const WATCH_SECONDS = 290;

/**
 * Tells of an object whenever it changes, until the signal aborts: a list, then a watch from there on, again and again. A list or watch
 * that fails is tried anew, and what was known stays what is known meanwhile.
 */
export async function follow(
  followed: Followed,
  onSeen: (seen: Seen) => void,
  { api, sleep, onTrouble }: InformerTools,
  signal: AbortSignal,
): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const end = await listAndWatch(followed, onSeen, api, signal);
    if (signal.aborted) return;
    const isFine = end.kind === "closed" || end.kind === "expired";
    if (!isFine) onTrouble(end.message);
    await sleep(isFine ? SHORT_PAUSE_MS : pause, signal);
    pause = isFine ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

async function listAndWatch(
  { collection, name }: Followed,
  onSeen: (seen: Seen) => void,
  api: Api,
  signal: AbortSignal,
): Promise<WatchEnd> {
  const query = `fieldSelector=metadata.name%3D${encodeURIComponent(name)}`;
  const listed = await api.read(`${collection}?${query}`, signal);
  if (listed.kind !== "ok") return listed.kind === "absent" ? unserved(listed, onSeen) : listed;
  const [object] = listAt(listed.object, "items").filter(isObject);
  onSeen(object === undefined ? { kind: "absent" } : { kind: "is", object });
  const version = encodeURIComponent(textAt(listed.object, "metadata", "resourceVersion") ?? "");
  const path = `${collection}?watch=1&${query}&resourceVersion=${version}&timeoutSeconds=${WATCH_SECONDS}`;
  return api.watch(
    path,
    ({ kind, object: changed }) => onSeen(kind === "is" ? { kind, object: changed } : { kind: "absent" }),
    signal,
  );
}

/** A kind that isn't served has no objects; it may be served later. */
function unserved(answer: Extract<Answer, { kind: "absent" }>, onSeen: (seen: Seen) => void): WatchEnd {
  onSeen({ kind: "absent" });
  return answer;
}
