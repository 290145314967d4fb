import type { ReadFailure } from "../model/reader.ts";

/** Bytes of heap, as estimated, that the values kept in one cycle may take together: far more than any real cluster needs. */
export const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** The kept values of one list or text. */
export type KeptValues = {
  /** Counts a value; false once the values had to be dropped. */
  readonly add: (value: unknown) => boolean;
  /** Stops counting: the values are replaced or no longer needed. */
  readonly release: () => void;
};

export type KeptValuesBudget = {
  /** `drop` is called if these values have to go because all of them together are too many. */
  readonly open: (drop: (failure: ReadFailure) => void, resource: string) => KeptValues;
};

/**
 * Bounds the memory of all kept values together. If they exceed the limit, the largest collection is dropped, so that a kind with very many
 * objects fails alone, whatever the order of reads.
 */
export function createKeptValuesBudget(maxBytes: number): KeptValuesBudget {
  type Collection = { bytes: number; readonly drop: () => void };
  const collections = new Set<Collection>();
  let total = 0;
  const remove = (collection: Collection): void => {
    if (collections.delete(collection)) total -= collection.bytes;
  };
  const open: KeptValuesBudget["open"] = (drop, resource) => {
    const collection = { bytes: 0, drop: () => drop(buildTooManyObjects(resource, maxBytes)) };
    collections.add(collection);
    const add = (value: unknown): boolean => {
      if (!collections.has(collection)) return false;
      const bytes = estimateBytes(value);
      collection.bytes += bytes;
      total += bytes;
      if (total <= maxBytes) return true;
      const largest = [...collections].reduce((a, b) => (b.bytes > a.bytes ? b : a));
      remove(largest);
      largest.drop();
      return largest !== collection;
    };
    return { add, release: () => remove(collection) };
  };
  return { open };
}

function buildTooManyObjects(resource: string, maxBytes: number): ReadFailure {
  const limit = `${Math.round(maxBytes / (1024 * 1024))} MiB`;
  const message = `too many objects to judge: what the checks keep of ${resource} exceeds the limit of ${limit}`;
  return { kind: "failed", reason: "TooManyObjects", message };
}

/** Heap bytes of a value as V8 lays it out on 64 bits, to within a factor of two. */
function estimateBytes(value: unknown): number {
  if (typeof value === "string") return 16 + value.length;
  if (typeof value !== "object" || value === null) return 0;
  let bytes = 24;
  if (Array.isArray(value)) {
    for (const item of value) bytes += 8 + estimateBytes(item);
  } else if (value instanceof Map || value instanceof Set) {
    for (const item of value) bytes += 32 + estimateBytes(item);
  } else {
    for (const item of Object.values(value)) bytes += 8 + estimateBytes(item);
  }
  return bytes;
}
