import type { JsonObject } from "./json.ts";
import type { Absent } from "./read.ts";
import type { Resource } from "./resource.ts";

/** Why a read gave nothing to judge. Part of the document: a reason is never renamed. */
export type ReadFailureReason =
  | "Forbidden"
  | "Unauthorized"
  | "TimedOut"
  | "Unreachable"
  | "ServerError"
  | "NotUnderstood"
  | "TooLarge"
  | "NotRecorded"
  | "Cancelled";

export type ReadFailure = { readonly kind: "failed"; readonly reason: ReadFailureReason; readonly message: string };

/** Where one object is. */
export type Place = { readonly resource: Resource; readonly namespace?: string; readonly name: string };

export type Found = { readonly kind: "found"; readonly object: JsonObject; readonly bytes: number };
export type ListDone = { readonly kind: "listed"; readonly objects: number; readonly bytes: number };

/** What is called with each object of a list, apiVersion and kind filled in. */
export type Visitor = (object: JsonObject) => void;

/**
 * How the runner sees a cluster, live or recorded. Failures are values: neither function rejects.
 * `list` calls `begin` again whenever it must start over (an expired continue token), and what was visited before then is void.
 */
export type Reader = {
  readonly get: (place: Place, signal: AbortSignal) => Promise<Found | Absent | ReadFailure>;
  readonly list: (
    resource: Resource,
    begin: () => Visitor,
    signal: AbortSignal,
  ) => Promise<ListDone | Absent | ReadFailure>;
};
