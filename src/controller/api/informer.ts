import { isObject, type JsonObject, listAt, textAt } from "../../model/json.ts";
import type { ApiClient, WatchEnd } from "../../cluster/writer/api-client.ts";

/** An object to watch: the API path of its collection, and its name. */
export type WatchedObject = { readonly collection: string; readonly name: string };

/** The object's last observed state; undefined until the first list. */
export type ObjectState = { readonly kind: "present"; readonly object: JsonObject } | { readonly kind: "absent" };

export type InformerDependencies = {
  readonly api: ApiClient;
  /** Resolves early if the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onFailure: (message: string) => void;
};

/** Delay after a failure, doubled up to the maximum. */
const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;
/** Delay after a watch that ended normally. */
const RESTART_DELAY_MS = 50;
const WATCH_SECONDS = 290;

/** Reports an object's state whenever it changes, until the signal aborts. Lists, then watches; retries failures with backoff. */
export async function runInformer(
  watchedObject: WatchedObject,
  onState: (state: ObjectState) => void,
  { api, sleep, onFailure }: InformerDependencies,
  signal: AbortSignal,
): Promise<void> {
  let backoff = INITIAL_BACKOFF_MS;
  while (!signal.aborted) {
    const end = await listAndWatch(watchedObject, onState, api, signal);
    if (signal.aborted) return;
    const isFine = end.kind === "closed" || end.kind === "expired";
    if (!isFine) onFailure(end.message);
    await sleep(isFine ? RESTART_DELAY_MS : backoff, signal);
    backoff = isFine ? INITIAL_BACKOFF_MS : Math.min(backoff * 2, MAX_BACKOFF_MS);
  }
}

async function listAndWatch(
  { collection, name }: WatchedObject,
  onState: (state: ObjectState) => void,
  api: ApiClient,
  signal: AbortSignal,
): Promise<WatchEnd> {
  const query = `fieldSelector=metadata.name%3D${encodeURIComponent(name)}`;
  const list = await api.read(`${collection}?${query}`, signal);
  if (list.kind !== "ok") return list.kind === "absent" ? reportAbsent(list.message, onState) : list;
  const object = listAt(list.object, "items")
    .filter(isObject)
    .find((item) => textAt(item, "metadata", "name") === name);
  onState(object === undefined ? { kind: "absent" } : { kind: "present", object });
  const version = encodeURIComponent(textAt(list.object, "metadata", "resourceVersion") ?? "");
  const path = `${collection}?watch=1&${query}&resourceVersion=${version}&timeoutSeconds=${WATCH_SECONDS}`;
  return api.watch(
    path,
    ({ kind, object: changed }) =>
      onState(kind === "modified" ? { kind: "present", object: changed } : { kind: "absent" }),
    signal,
  );
}

/** A kind that is not served has no objects, but may be served later. */
function reportAbsent(message: string, onState: (state: ObjectState) => void): WatchEnd {
  onState({ kind: "absent" });
  return { kind: "absent", message };
}
