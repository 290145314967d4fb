import { type JsonObject, objectAt, textAt } from "../../model/json.ts";
import type { ListPart, ReadFailure } from "../../model/reader.ts";
import type { Resource } from "../../model/resource.ts";
import { buildFailure, getPathname, toFailedAttempt } from "../access/failures.ts";
import type { BodyReader } from "../access/response-body.ts";
import type { ListEvidence } from "../access/list-evidence.ts";
import { inheritKind } from "../access/response-identity.ts";
import type { Attempt } from "../../network/retry.ts";
import type { GetRequest } from "../access/transport.ts";
import { buildObjectTooLargeFailure, MAX_OBJECT_BYTES } from "./object.ts";
import { type ListParser, createListParser } from "./list-parser.ts";

/** A GET of the objects of a kind. */
export type ListRequest = GetRequest & {
  readonly resource: Resource;
  readonly part?: ListPart;
  /** Lists only the objects with these labels, or of this namespace, which the path names too. */
  readonly labelSelector?: string;
  readonly namespace?: string;
};

/** A page that is larger is requested again with fewer objects, down to one. */
const MAX_PAGE_BYTES = 64 << 20;

/** `continue` is "" on the last page. `version`: of the state that the list shows. */
export type ListPage = {
  readonly kind: "page";
  readonly version: string | undefined;
  readonly objects: number;
  readonly bytes: number;
  readonly largestBytes: number;
  readonly continue: string;
};

/** `overfull`: the page exceeded its limit after so many objects. */
export type PageResult = ListPage | ReadFailure | { readonly kind: "overfull"; readonly objects: number };

/** Returns why an object can't be one of the list; undefined if it may be. */
export type PageVisitor = (object: JsonObject) => ReadFailure | undefined;

/** Reads the body of a list and hands on each object as it arrives, with apiVersion and kind filled in. */
export async function readPage(
  request: ListRequest,
  body: BodyReader,
  visit: PageVisitor,
  endPage: ListEvidence["endPage"],
): Promise<Attempt<PageResult>> {
  const parser = createListParser(MAX_OBJECT_BYTES);
  const items = createItemVisitor(parser, visit);
  let bytes = 0;
  for (;;) {
    const part = await body();
    if (part.kind === "broken") return toFailedAttempt(request, part.error);
    if (part.kind === "end") return finishPage({ request, parser, items, bytes, endPage });
    bytes += part.chunk.length;
    const result = parser.push(part.chunk);
    if (result.kind === "tooLarge") return { kind: "done", value: buildObjectTooLargeFailure(request, "An object") };
    if (result.kind === "notUnderstood") return { kind: "done", value: buildNotListFailure(request, result.message) };
    const failure = items.add(result.items);
    if (failure !== undefined) return { kind: "done", value: failure };
    if (bytes > MAX_PAGE_BYTES || items.isFull())
      return { kind: "done", value: { kind: "overfull", objects: items.count() } };
  }
}

export function buildPageTooLargeFailure(request: GetRequest): ReadFailure {
  const limits = `${MAX_PAGE_BYTES >> 20} MiB, or more than ${MAX_WAITING.toLocaleString("en")} objects before its kind`;
  return buildFailure("TooLarge", `A page of ${getPathname(request)} has more than ${limits}`);
}

type ReceivedPage = {
  readonly request: ListRequest;
  readonly parser: ListParser;
  readonly items: ItemVisitor;
  readonly bytes: number;
  readonly endPage: ListEvidence["endPage"];
};

function finishPage({ request, parser, items, bytes, endPage }: ReceivedPage): Attempt<PageResult> {
  if (!parser.isComplete()) return { kind: "retry", failure: buildNotListFailure(request, "it is incomplete") };
  const head = parser.head();
  if (!parser.hasItems()) {
    return { kind: "done", value: buildNotListFailure(request, `its kind is ${JSON.stringify(head["kind"] ?? null)}`) };
  }
  const failure = items.flush() ?? endPage(head);
  if (failure !== undefined) return { kind: "done", value: failure };
  const metadata = objectAt(head, "metadata");
  const version = textAt(metadata, "resourceVersion");
  const continueToken = textAt(metadata, "continue") ?? "";
  const objects = items.count();
  const largestBytes = parser.largestBytes();
  return { kind: "done", value: { kind: "page", version, objects, bytes, largestBytes, continue: continueToken } };
}

function buildNotListFailure(request: GetRequest, why: string): ReadFailure {
  return buildFailure(
    "NotUnderstood",
    `${getPathname(request)} was answered with something other than a Kubernetes list: ${why}`,
  );
}

/** Both functions return what the visitor of an object returns. */
type ItemVisitor = {
  readonly add: (items: readonly JsonObject[]) => ReadFailure | undefined;
  /** Called once the whole list has arrived. */
  readonly flush: () => ReadFailure | undefined;
  readonly count: () => number;
  /** Whether too many objects wait. */
  readonly isFull: () => boolean;
};

/** Waiting objects take memory. API servers send apiVersion and kind first, so that none has to wait. */
const MAX_WAITING = 10_000;

/**
 * Lists of built-in kinds leave apiVersion and kind out of their objects. The objects inherit them from the list, and wait if they come
 * first.
 */
function createItemVisitor(parser: ListParser, visit: PageVisitor): ItemVisitor {
  let waiting: JsonObject[] = [];
  let count = 0;
  const add = (items: readonly JsonObject[]): ReadFailure | undefined => {
    for (const item of items) {
      count++;
      const typed = waiting.length === 0 ? inheritKind(item, parser.head()) : undefined;
      if (typed === undefined) waiting.push(item);
      const failure = typed && visit(typed);
      if (failure !== undefined) return failure;
    }
    return undefined;
  };
  const flush = (): ReadFailure | undefined => {
    const items = waiting.map((item) => inheritKind(item, parser.head()) ?? item);
    waiting = [];
    return items.map(visit).find((failure) => failure !== undefined);
  };
  return { add, flush, count: () => count, isFull: () => waiting.length > MAX_WAITING };
}
