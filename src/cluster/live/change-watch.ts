import { textAt } from "../../model/json.ts";
import type { ReadFailureReason, Reader } from "../../model/reader.ts";
import { type Resource, buildResourcePath } from "../../model/resource.ts";
import type { Sleep } from "../../model/time.ts";
import type { ErrorResult } from "../access/failures.ts";
import { attemptGet } from "../access/get-request.ts";
import { METADATA_ACCEPT } from "../access/response-identity.ts";
import type { Transport } from "../access/transport.ts";
import { WATCH_SECONDS, type WatchEvent, followEvents } from "../access/watch-events.ts";

export type WatchResult = ErrorResult | { readonly kind: "closed" | "expired" };

/** Watches a place from its version on, and hands on the metadata of what changes. */
export type WatchPlace = (
  place: ReadPlace,
  onEvent: (event: WatchEvent) => void,
  signal: AbortSignal,
) => Promise<WatchResult>;

/** GETs alone, as all that a reader sends. The version of an object may be too old to begin with: its watch begins with what it is now. */
export function createPlaceWatch(transport: Transport): WatchPlace {
  return async ({ collection, name, version }, onEvent, signal) => {
    const query = new URLSearchParams({
      watch: "1",
      allowWatchBookmarks: "true",
      timeoutSeconds: `${WATCH_SECONDS}`,
      ...(name === undefined ? { resourceVersion: version } : { fieldSelector: `metadata.name=${name}` }),
    });
    const request = { transport, path: `${collection}?${query.toString()}`, signal, accept: METADATA_ACCEPT };
    return followEvents(request, onEvent, attemptGet);
  };
}

/** Watches whatever was read. A watch is a sign to look again, and never evidence: silence proves nothing. */
export type ChangeWatch = {
  /** Watches these too. */
  readonly follow: (places: readonly ReadPlace[]) => void;
  /** Forgets the changes up to now. */
  readonly clear: () => void;
  /** Resolves at the next change since then. */
  readonly changed: () => Promise<void>;
  /** How many places are watched, and how many can't be. */
  readonly count: () => { readonly watched: number; readonly unwatched: number };
};

type ChangeWatchInput = {
  readonly watch: WatchPlace;
  readonly sleep: Sleep;
  readonly now: () => number;
  readonly signal: AbortSignal;
};

/** Each takes a connection. */
const MAX_WATCHES = 100;
/** A watch that ends earlier is none. */
const SHORT_MS = 10_000;
const RESTART_DELAY_MS = 1_000;

export function createChangeWatch(input: ChangeWatchInput): ChangeWatch {
  const running = new Set<string>();
  const refused = new Set<string>();
  let change = Promise.withResolvers<void>();
  const start = async (key: string, place: ReadPlace): Promise<void> => {
    running.add(key);
    const end = await followPlace(place, input, () => change.resolve());
    running.delete(key);
    if (end === "expired") change.resolve();
    if (end === "refused") refused.add(key);
  };
  return {
    follow(places) {
      const lists = new Set(places.flatMap((place) => (place.name === undefined ? [getKey(place)] : [])));
      for (const place of places) {
        const key = getKey(place);
        if (place.name !== undefined && lists.has(getKey({ ...place, name: "" }))) continue;
        if (running.has(key) || refused.has(key)) continue;
        if (running.size < MAX_WATCHES) void start(key, place);
        else refused.add(key);
      }
    },
    clear: () => void (change = Promise.withResolvers()),
    changed: () => change.promise,
    count: () => ({ watched: running.size, unwatched: refused.size }),
  };
}

function getKey({ half, collection, name = "" }: ReadPlace): string {
  return `${half ?? "guest"} ${collection}/${name}`;
}

/** Watches each half of a hosted cluster where it is. */
export function createHalvesWatch(management: WatchPlace, guest: WatchPlace): WatchPlace {
  return (place, ...more) => (place.half === undefined ? guest : management)(place, ...more);
}

/** `lost`: it may work later. */
type PlaceEnd = "expired" | "refused" | "lost";

async function followPlace(place: ReadPlace, input: ChangeWatchInput, onChange: () => void): Promise<PlaceEnd> {
  const { watch, sleep, now, signal } = input;
  let { version } = place;
  const onEvent = ({ kind, object }: WatchEvent): void => {
    const seen = textAt(object, "metadata", "resourceVersion") ?? version;
    if (kind !== "bookmark" && seen !== version) onChange();
    // A bookmark says how far the watch has got, which is no version of the object.
    if (kind !== "bookmark" || place.name === undefined) version = seen;
  };
  for (;;) {
    const startedAt = now();
    const end = await watch({ ...place, version }, onEvent, signal);
    if (signal.aborted) return "lost";
    if (end.kind === "expired") return "expired";
    if (end.kind !== "closed") return end.kind === "failed" && PASSING_REASONS.has(end.reason) ? "lost" : "refused";
    if (now() - startedAt < SHORT_MS) return "refused";
    await sleep(RESTART_DELAY_MS, signal);
  }
}

const PASSING_REASONS: ReadonlySet<ReadFailureReason> = new Set([
  "TimedOut",
  "Unreachable",
  "ServerError",
  "Cancelled",
]);

/** What was read: the path of a collection, the name of the object if it is one alone, and the resourceVersion that it had. */
export type ReadPlace = {
  readonly collection: string;
  readonly name?: string | undefined;
  readonly version: string;
  /** Of a hosted cluster that is read with both of its halves, where it is not the guest. */
  readonly half?: "management";
};

/** A reader that tells what it has read, as far as that can be watched. Changes of Secrets are nobody's business here. */
export function noteReads(reader: Reader, note: (place: ReadPlace) => void): Reader {
  const { management } = reader;
  return {
    ...reader,
    ...(management && { management: noteReads(management, (place) => note({ ...place, half: "management" })) }),
    async get(location, ...more) {
      const result = await reader.get(location, ...more);
      const { resource, namespace, name } = location;
      // What is made of another object changes with that one.
      const found = result.kind === "found" && result.isDerived !== true ? result.object : undefined;
      const version = textAt(found, "metadata", "resourceVersion");
      if (version !== undefined && !isSecret(resource))
        note({ collection: buildResourcePath(resource, namespace), name, version });
      return result;
    },
    async list(resource, ...more) {
      const result = await reader.list(resource, ...more);
      if (result.kind === "listed" && result.version !== undefined && !isSecret(resource))
        note({ collection: buildResourcePath(resource), version: result.version });
      return result;
    },
    forCycle: () => noteReads(reader.forCycle?.() ?? reader, note),
  };
}

function isSecret({ group, resource }: Resource): boolean {
  return group === "" && resource === "secrets";
}
