import { type JsonObject, textAt, objectsAt } from "../../model/json.ts";
import type { ApiClient, ApiResponse, ApiWrite, WatchEnd } from "../../cluster/writer/api-client.ts";
import type { Sleep } from "../../model/time.ts";
import { WATCH_SECONDS, type WatchEvent } from "../../cluster/access/watch-events.ts";

/** An API client whose reads of watched objects are answered by informers, without a request. */
export type CachedClient = Pick<ApiClient, "read" | "write"> & {
  /** Watches until the signal aborts. */
  readonly run: (onChange: () => void, signal: AbortSignal) => Promise<void>;
  /** Whether everything has been listed, and every write of this client is in what its reads return. */
  readonly isCurrent: () => boolean;
};

export type CachedClientConfig = InformerDependencies & {
  readonly api: ApiClient;
  readonly watched: readonly (WatchedObject | WatchedList)[];
  /** How long an answer about anything that is not watched is used again. */
  readonly maxAgeMs: number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
};

type Cached = {
  readonly watched: WatchedObject | WatchedList;
  snapshot?: Snapshot;
  /** Of the first list. */
  failure?: InformerFailure;
  /** What the informer has yet to report of this client's own writes. */
  awaited: { readonly version?: string; readonly deletedUid?: string };
};

export function createCachedClient(config: CachedClientConfig): CachedClient {
  const { api, watched, sleep, onFailure } = config;
  const cached = new Map(watched.map((one): [string, Cached] => [getPath(one), { watched: one, awaited: {} }]));
  const readUncached = createRepeatedReader(config);
  return {
    read: async (path, signal) => {
      const entry = cached.get(path);
      return entry ? answer(entry) : readUncached(path, signal);
    },
    write: async (change, signal) => {
      const entry = cached.get(getObjectPath(change));
      const uid = uidOf(entry?.snapshot);
      const response = await api.write(change, signal);
      if (entry) entry.awaited = getAwaited(change, response, uid, entry.awaited);
      return response;
    },
    run: async (onChange, signal) => {
      const follow = (entry: Cached): Promise<void> => {
        const onSnapshot = (snapshot: Snapshot): void => {
          const isChanged = entry.snapshot?.objects !== snapshot.objects || !isCaughtUp(entry);
          entry.snapshot = snapshot;
          if (isChanged) onChange();
        };
        const onListFailure = (failure: InformerFailure): void => {
          onFailure(failure);
          entry.failure = failure;
          if (!entry.snapshot) onChange();
        };
        return runInformer(toList(entry.watched), onSnapshot, { api, sleep, onFailure: onListFailure }, signal);
      };
      await Promise.all([...cached.values()].map(follow));
    },
    isCurrent: () => [...cached.values()].every((one) => (one.snapshot ?? one.failure) && isCaughtUp(one)),
  };
}

/** The path by which the object or the list is read. */
function getPath(watched: WatchedObject | WatchedList): string {
  const { collection } = watched;
  return "name" in watched ? `${collection}/${watched.name}` : `${collection}?${watched.query}`;
}

function answer({ watched, snapshot, failure }: Cached): ApiResponse {
  if (!snapshot) return failure ?? { kind: "unreachable", message: `${getPath(watched)} has not been listed yet` };
  if (!("name" in watched)) return { kind: "ok", object: { items: snapshot.objects } };
  const [object] = snapshot.objects;
  return object ? { kind: "ok", object } : { kind: "absent", message: `${getPath(watched)} does not exist` };
}

function getObjectPath({ method, path, body }: ApiWrite): string {
  const [base = ""] = path.split("?");
  return method === "POST" ? `${base}/${textAt(body, "metadata", "name") ?? ""}` : base.replace(/\/status$/, "");
}

/** The API server answers with the written object or, for one that is gone at once, with a Status. */
function getAwaited(
  { method }: ApiWrite,
  response: ApiResponse,
  uid: string | undefined,
  before: Cached["awaited"],
): Cached["awaited"] {
  const version = response.kind === "ok" ? textAt(response.object, "metadata", "resourceVersion") : undefined;
  const isGone = method === "DELETE" && version === undefined && (response.kind === "ok" || response.kind === "absent");
  return { version: version ?? before.version, deletedUid: (isGone ? uid : undefined) ?? before.deletedUid };
}

function isCaughtUp({ snapshot, awaited }: Cached): boolean {
  if (!snapshot) return true;
  const isDeletionSeen = awaited.deletedUid === undefined || uidOf(snapshot) !== awaited.deletedUid;
  return isDeletionSeen && isAtLeast(snapshot.version, awaited.version ?? "");
}

function uidOf(snapshot: Snapshot | undefined): string | undefined {
  return textAt(snapshot?.objects[0], "metadata", "uid");
}

const NUMBER = /^\d+$/;

/** Kubernetes guarantees from 1.35 on that resource versions of a kind are comparable numbers, which they always were. */
function isAtLeast(version: string, wanted: string): boolean {
  return !NUMBER.test(version) || !NUMBER.test(wanted) || BigInt(version) >= BigInt(wanted);
}

/** However often something changes, anything that is not watched is read at most once in a while. */
function createRepeatedReader({ api, maxAgeMs, clock }: CachedClientConfig): ApiClient["read"] {
  const answers = new Map<string, { readonly response: ApiResponse; readonly readAt: number }>();
  return async (path, signal) => {
    const last = answers.get(path);
    if (last && clock() - last.readAt < maxAgeMs) return last.response;
    const readAt = clock();
    const response = await api.read(path, signal);
    answers.set(path, { response, readAt });
    return response;
  };
}

/** An object to watch: the API path of its collection, and its name. */
export type WatchedObject = { readonly collection: string; readonly name: string };

/** Objects to watch: the API path of their collection, the query that selects them, and what is kept of each. */
export type WatchedList = {
  readonly collection: string;
  readonly query: string;
  readonly keep?: (object: JsonObject) => JsonObject;
};

/** The selected objects at a resource version. */
export type Snapshot = { readonly objects: readonly JsonObject[]; readonly version: string };

export type InformerFailure = Exclude<ApiResponse, { kind: "ok" }>;

type InformerDependencies = {
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

/** The query that selects all objects of a collection. */
export const EVERY_OBJECT = "labelSelector=";

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
  { collection, query, keep }: WatchedList,
  state: { readonly position?: Snapshot },
  advance: (next: Snapshot) => void,
  api: InformerDependencies["api"],
  signal: AbortSignal,
): Promise<WatchEnd> {
  if (state.position === undefined) {
    const list = await readPages({ collection, query, keep }, api, signal);
    // A kind that is not served has no objects, but may be served later.
    if (list.kind === "absent") advance({ objects: [], version: "" });
    if (list.kind !== "ok") return list;
    advance(list.snapshot);
  }
  const since = `resourceVersion=${encodeURIComponent(state.position?.version ?? "")}`;
  const path = `${collection}?watch=1&${query}&${since}&timeoutSeconds=${WATCH_SECONDS}&allowWatchBookmarks=true`;
  return api.watch(path, (event) => state.position && advance(applyEvent(state.position, event, keep)), signal);
}

/** Lists of one object or a few need no pages; of all objects of a kind, no page is too large for the client. */
async function readPages(
  { collection, query, keep }: WatchedList,
  api: InformerDependencies["api"],
  signal: AbortSignal,
): Promise<{ readonly kind: "ok"; readonly snapshot: Snapshot } | InformerFailure> {
  const objects: JsonObject[] = [];
  let path = `${collection}?${query}${query === EVERY_OBJECT ? `&limit=${PAGE_SIZE}` : ""}`;
  while (true) {
    const page = await api.read(path, signal);
    if (page.kind !== "ok") return page;
    objects.push(...listItems(page.object).map((item) => keep?.(item) ?? item));
    const token = textAt(page.object, "metadata", "continue") ?? "";
    if (token === "") return { kind: "ok", snapshot: { objects, version: versionOf(page.object) } };
    path = `${collection}?${query}&limit=${PAGE_SIZE}&continue=${encodeURIComponent(token)}`;
  }
}

const PAGE_SIZE = 250;

/** In the list of a built-in kind, only the list says what its items are. */
function listItems(list: JsonObject): readonly JsonObject[] {
  const apiVersion = textAt(list, "apiVersion");
  const kind = textAt(list, "kind")?.replace(/List$/, "");
  const type = { ...(apiVersion === undefined ? {} : { apiVersion }), ...(kind === undefined ? {} : { kind }) };
  return objectsAt(list, "items").map((item) => ({ ...type, ...item }));
}

/** A bookmark only advances the resource version, from which the next watch goes on. */
function applyEvent(
  { objects, version: before }: Snapshot,
  { kind, object }: WatchEvent,
  keep: WatchedList["keep"],
): Snapshot {
  const version = versionOf(object) || before;
  if (kind === "bookmark") return { objects, version };
  const others = objects.filter((one) => nameOf(one) !== nameOf(object));
  return { objects: kind === "modified" ? [...others, keep?.(object) ?? object] : others, version };
}

function nameOf(object: JsonObject): string | undefined {
  return textAt(object, "metadata", "name");
}

function versionOf(object: JsonObject): string {
  return textAt(object, "metadata", "resourceVersion") ?? "";
}
