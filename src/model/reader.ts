import type { JsonObject } from "./json.ts";
import type { MemberPath } from "./needed-fields.ts";
import type { Resource } from "./resource.ts";

/** Why a read failed. Part of the document: a reason is never renamed. */
export type ReadFailureReason =
  | "Forbidden"
  | "Unauthorized"
  | "TimedOut"
  | "Unreachable"
  | "ServerError"
  | "NotUnderstood"
  | "Incomplete"
  | "TooLarge"
  | "TooManyObjects"
  | "NotRecorded"
  | "Cancelled";

export type ReadFailure = { readonly kind: "failed"; readonly reason: ReadFailureReason; readonly message: string };

/** `object`: the kind is served, but the object does not exist. `resource`: the API server does not serve the kind. */
export type Absence = { readonly kind: "absent"; readonly what: "object" | "resource" };

/** The resource, namespace and name of one object. */
export type ObjectLocation = { readonly resource: Resource; readonly namespace?: string; readonly name: string };

/** What a recording or an archive does not show of objects. */
export type KeptPart = {
  /** All that was kept of them, if something was left out. */
  readonly keptFields?: readonly MemberPath[];
  /** Where something else stands than they have. */
  readonly hiddenFields?: readonly MemberPath[];
  /** Where a text stands for another one, of which it has what preflight's own checks read. */
  readonly reducedFields?: readonly MemberPath[];
  /** They came without the managedFields that they have in the cluster. */
  readonly lacksManagedFields?: true;
};

export type FoundObject = KeptPart & {
  readonly kind: "found";
  readonly object: JsonObject;
  readonly bytes: number;
  /** It was made of another object, which counts alone as read. */
  readonly isDerived?: true;
};
export type ListSummary = KeptPart & {
  readonly kind: "listed";
  /** The resourceVersion of a live list. */
  readonly version?: string | undefined;
  readonly objects: number;
  readonly bytes: number;
};

/** What an archive holds of a kind of which it does not hold every object. */
export type HeldPart = {
  /** The namespaces of which it holds every object of the kind. */
  readonly wholeNamespaces: ReadonlySet<string>;
  readonly message: string;
};

export type RawSummary = { readonly kind: "read"; readonly bytes: number };

/** What the cluster's own monitoring answers to an instant query of PromQL. */
export type QueryAnswer =
  /** The value of each series. */
  | { readonly kind: "vector"; readonly values: readonly number[] }
  /** It did not answer with a vector: `message` says why. */
  | { readonly kind: "noVector"; readonly message: string }
  /** Nobody allowed to ask it. */
  | { readonly kind: "notAllowed" }
  /** It could not be asked. */
  | ReadFailure;

/** The objects of a namespace that have these labels, as the API writes it: "app=shop,tier!=test". */
export type NamespaceSelection = { readonly namespace: string; readonly labelSelector: string };

/** Which part of its objects a list returns. */
export type ListPart = "whole" | "metadata";

/** Receives each object of a list, with apiVersion and kind filled in. */
export type Visitor = (object: JsonObject) => void;
/** Called before the first object; `held` is given if there may be more objects than those that follow. */
export type BeginList = (held: HeldPart | undefined) => Visitor;
/** Receives each line of a text, without its line end; returns whether the line is relevant. */
export type LineVisitor = (line: string) => boolean;
/** Called whenever something has arrived from another process. What is visited shows progress by itself. */
export type OnProgress = () => void;

/**
 * Reads a cluster, live or recorded. Failures are values: no function rejects.
 * `list` and `raw` call `begin` again whenever they have to restart (an expired continue token, a broken connection), which discards
 * everything visited before. `raw` is for paths that are neither an object nor a list.
 * Absence is proven: a 404 that may come from something else than the API server is a failure.
 */
export type Reader = {
  readonly get: (
    location: ObjectLocation,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ) => Promise<FoundObject | Absence | ReadFailure>;
  readonly list: (
    resource: Resource,
    begin: BeginList,
    signal: AbortSignal,
    part?: ListPart,
    onProgress?: OnProgress,
  ) => Promise<ListSummary | Absence | ReadFailure>;
  /** Lists some objects of one namespace; absent if that is not possible. */
  readonly listSelected?: (
    resource: Resource,
    selection: NamespaceSelection,
    begin: () => Visitor,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ) => Promise<ListSummary | Absence | ReadFailure>;
  readonly raw: (
    path: string,
    begin: () => LineVisitor,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ) => Promise<RawSummary | Absence | ReadFailure>;
  /** Asks the cluster's own monitoring; absent if nobody allowed that. */
  readonly query?: (expression: string, signal: AbortSignal, onProgress?: OnProgress) => Promise<QueryAnswer>;
  /** If this is a guest whose management cluster is read too: that one, as the guest's HostedCluster. It answers what has a subject. */
  readonly management?: Reader;
  /** The reader for one cycle, if it remembers something for so long: what the API server serves is then requested once. */
  readonly forCycle?: () => Reader;
};
