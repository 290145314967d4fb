import type { JsonObject } from "./json.ts";
import type { Absence } from "./read.ts";
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
export type ObjectLocation = { readonly resource: Resource; readonly namespace?: string; readonly name: string };

export type FoundObject = { readonly kind: "found"; readonly object: JsonObject; readonly bytes: number };
export type ListSummary = { readonly kind: "listed"; readonly objects: number; readonly bytes: number };

export type RawSummary = { readonly kind: "read"; readonly bytes: number };

/** What of its objects a list gives: `metadata` leaves out all else. */
export type ListPart = "whole" | "metadata";

/** What is called with each object of a list, apiVersion and kind filled in. */
export type Visitor = (object: JsonObject) => void;
/** What is called with each line of a text, without its end; true where the line is wanted. */
export type LineVisitor = (line: string) => boolean;

/**
 * How the runner sees a cluster, live or recorded. Failures are values: no function rejects.
 * `list` and `raw` call `begin` again whenever they must start over (an expired continue token, a broken connection), and what was
 * visited before then is void. `raw` is for paths of no object and no kind.
 */
export type Reader = {
  readonly get: (location: ObjectLocation, signal: AbortSignal) => Promise<FoundObject | Absence | ReadFailure>;
  readonly list: (
    resource: Resource,
    begin: () => Visitor,
    signal: AbortSignal,
    part?: ListPart,
  ) => Promise<ListSummary | Absence | ReadFailure>;
  readonly raw: (
    path: string,
    begin: () => LineVisitor,
    signal: AbortSignal,
  ) => Promise<RawSummary | Absence | ReadFailure>;
};
