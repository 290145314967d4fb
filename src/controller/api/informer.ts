import type { Sleep } from "../../model/sleep.ts";
import { type JsonObject, textAt, objectsAt } from "../../model/json.ts";
import type { ApiResponse, ApiClient, WatchEnd } from "../../cluster/writer/api-client.ts";
import type { WatchEvent } from "../../cluster/writer/watch-events.ts";

/** An object to watch: the API path of its collection, and its name. */
export type WatchedObject = { readonly collection: string; readonly name: string };

/** Objects to watch: the API path of their collection, and the query that selects them. */
export type WatchedList = { readonly collection: string; readonly query: string };

/** The selected objects at a resource version. */
export type Snapshot = { readonly objects: readonly JsonObject[]; readonly version: string };

export type InformerFailure = Exclude<ApiResponse, { kind: "ok" }>;

export type InformerDependencies = {
  readonly api: Pick<ApiClient, "read" | "watch">;
  /** Resolves early if the signal aborts. */
  readonly sleep: Sleep;
  readonly onFailure: (failure: InformerFailure) => void;
};

/** Delay after a failure, doubled up to the maximum. */
const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;
/** Delay after a watch that ended normally. */
const RESTART_DELAY_MS = 50;
const WATCH_SECONDS = 290;

/** The query that selects one object by name. RBAC can grant it for this name alone. */
export function selectByName(name: string): string {
  return `fieldSelector=metadata.name%3D${encodeURIComponent(name)}`;
}

/** A watched object as the list that it is alone in. */
export function toList(watched: WatchedObject | WatchedList): WatchedList {
  return "name" in watched ? { collection: watched.collection, query: selectByName(watched.name) } : watched;
}

/**
 * Reports the selected objects once they are listed and whenever they change, until the signal aborts. A watch that ends normally goes on
 * where it was; after any other end the objects are listed again. Retries failures with backoff.
 */
export async function runInformer(
  watched: WatchedList,
  onSnapshot: (snapshot: Snapshot) => void,
  dependencies: InformerDependencies,
  signal: AbortSignal,
): Promise<void> {
  const state: { position?: Snapshot } = {};
  const advance = (next: Snapshot): void => {
    state.position = next;
    onSnapshot(next);
  };
  let backoff = INITIAL_BACKOFF_MS;
  while (!signal.aborted) {
    const end = await listAndWatch(watched, state, advance, dependencies.api, signal);
    if (signal.aborted) return;
    const isFine = end.kind === "closed" || end.kind === "expired";
    if (end.kind !== "closed") delete state.position;
    if (!isFine) dependencies.onFailure(end);
    await dependencies.sleep(isFine ? RESTART_DELAY_MS : backoff, signal);
    backoff = isFine ? INITIAL_BACKOFF_MS : Math.min(backoff * 2, MAX_BACKOFF_MS);
  }
}

async function listAndWatch(
  { collection, query }: WatchedList,
  state: { readonly position?: Snapshot },
  advance: (next: Snapshot) => void,
  api: InformerDependencies["api"],
  signal: AbortSignal,
): Promise<WatchEnd> {
  if (state.position === undefined) {
    const list = await api.read(`${collection}?${query}`, signal);
    // A kind that is not served has no objects, but may be served later.
    if (list.kind === "absent") advance({ objects: [], version: "" });
    if (list.kind !== "ok") return list;
    advance({ objects: listItems(list.object), version: versionOf(list.object) });
  }
  const since = `resourceVersion=${encodeURIComponent(state.position?.version ?? "")}`;
  const path = `${collection}?watch=1&${query}&${since}&timeoutSeconds=${WATCH_SECONDS}&allowWatchBookmarks=true`;
  return api.watch(path, (event) => state.position && advance(applyEvent(state.position, event)), signal);
}

/** In the list of a built-in kind, only the list says what its items are. */
function listItems(list: JsonObject): readonly JsonObject[] {
  const apiVersion = textAt(list, "apiVersion");
  const kind = textAt(list, "kind")?.replace(/List$/, "");
  const type = { ...(apiVersion === undefined ? {} : { apiVersion }), ...(kind === undefined ? {} : { kind }) };
  return objectsAt(list, "items").map((item) => ({ ...type, ...item }));
}

/** A bookmark only advances the resource version, from which the next watch goes on. */
function applyEvent({ objects, version: before }: Snapshot, { kind, object }: WatchEvent): Snapshot {
  const version = versionOf(object) || before;
  if (kind === "bookmark") return { objects, version };
  const others = objects.filter((one) => nameOf(one) !== nameOf(object));
  return { objects: kind === "modified" ? [...others, object] : others, version };
}

function nameOf(object: JsonObject): string | undefined {
  return textAt(object, "metadata", "name");
}

function versionOf(object: JsonObject): string {
  return textAt(object, "metadata", "resourceVersion") ?? "";
}
