import { textAt } from "../../model/json.ts";
import type { ApiClient, ApiResponse, ApiWrite } from "../../cluster/writer/api-client.ts";
import {
  type InformerDependencies,
  type InformerFailure,
  runInformer,
  type Snapshot,
  toList,
  type WatchedList,
  type WatchedObject,
} from "./informer.ts";

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
