import { type JsonObject, objectAt, textAt } from "../../model/json.ts";
import type { ListPart, ReadFailure } from "../../model/reader.ts";
import type { Resource } from "../../model/resource.ts";
import { buildFailure, getPathname, toFailedAttempt } from "../access/failures.ts";
import type { BodyReader } from "../access/response-body.ts";
import { findKindMismatch, findListMismatch, inheritKind, isMetadataItem } from "../access/response-identity.ts";
import type { Attempt } from "../../network/retry.ts";
import type { GetRequest } from "../access/transport.ts";
import { buildObjectTooLargeFailure, MAX_OBJECT_BYTES } from "./object.ts";
import { type ListParser, createListParser } from "./list-parser.ts";

/** A GET of the objects of a kind. */
export type ListRequest = GetRequest & {
  readonly resource: Resource;
  readonly part?: ListPart;
  /** Lists only the objects with these labels. */
  readonly labelSelector?: string;
};

/** A page that is larger is requested again with fewer objects, down to one. */
const MAX_PAGE_BYTES = 64 << 20;

/** `continue` is "" on the last page. */
export type ListPage = {
  readonly kind: "page";
  readonly objects: number;
  readonly bytes: number;
  readonly largestBytes: number;
  readonly continue: string;
};

/** `overfull`: the page exceeded its limit after so many objects. */
export type PageResult = ListPage | ReadFailure | { readonly kind: "overfull"; readonly objects: number };

/** Reads the body of a list and hands on each object as it arrives, with apiVersion and kind filled in. */
export async function readPage(
  request: ListRequest,
  body: BodyReader,
  visit: (object: JsonObject) => void,
): Promise<Attempt<PageResult>> {
  const parser = createListParser(MAX_OBJECT_BYTES);
  const items = createItemVisitor(request, parser, visit);
  let bytes = 0;
  for (;;) {
    const part = await body();
    if (part.kind === "broken") return toFailedAttempt(request, part.error);
    if (part.kind === "end") return finishPage(request, parser, items, bytes);
    bytes += part.chunk.length;
    const result = parser.push(part.chunk);
    if (result.kind === "tooLarge") return { kind: "done", value: buildObjectTooLargeFailure(request, "An object") };
    if (result.kind === "notUnderstood") return { kind: "done", value: buildNotListFailure(request, result.message) };
    const mismatch = items.add(result.items);
    if (mismatch !== undefined) return { kind: "done", value: buildMismatchFailure(request, mismatch) };
    if (bytes > MAX_PAGE_BYTES || items.isFull())
      return { kind: "done", value: { kind: "overfull", objects: items.count() } };
  }
}

export function buildPageTooLargeFailure(request: GetRequest): ReadFailure {
  const limits = `${MAX_PAGE_BYTES >> 20} MiB, or more than ${MAX_WAITING.toLocaleString("en")} objects before its kind`;
  return buildFailure("TooLarge", `A page of ${getPathname(request)} has more than ${limits}`);
}

function finishPage(request: ListRequest, parser: ListParser, items: ItemVisitor, bytes: number): Attempt<PageResult> {
  if (!parser.isComplete()) return { kind: "retry", failure: buildNotListFailure(request, "it is incomplete") };
  const head = parser.head();
  if (!parser.hasItems()) {
    return { kind: "done", value: buildNotListFailure(request, `its kind is ${JSON.stringify(head["kind"] ?? null)}`) };
  }
  const mismatch = findListMismatch(request.resource, head, request.part) ?? items.flush();
  if (mismatch !== undefined) return { kind: "done", value: buildMismatchFailure(request, mismatch) };
  const continueToken = textAt(objectAt(head, "metadata"), "continue") ?? "";
  const [objects, largestBytes] = [items.count(), parser.largestBytes()];
  return { kind: "done", value: { kind: "page", objects, bytes, largestBytes, continue: continueToken } };
}

function buildNotListFailure(request: GetRequest, why: string): ReadFailure {
  return buildFailure(
    "NotUnderstood",
    `${getPathname(request)} was answered with something other than a Kubernetes list: ${why}`,
  );
}

function buildMismatchFailure(request: GetRequest, mismatch: string): ReadFailure {
  return buildFailure("NotUnderstood", `${getPathname(request)} was answered ${mismatch}`);
}

/** Both functions return what arrived instead of an object of the requested kind, if one did. */
type ItemVisitor = {
  readonly add: (items: readonly JsonObject[]) => string | undefined;
  /** Called once the whole list has arrived. */
  readonly flush: () => string | undefined;
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
function createItemVisitor(request: ListRequest, parser: ListParser, visit: (object: JsonObject) => void): ItemVisitor {
  let waiting: JsonObject[] = [];
  let count = 0;
  const visitItem = (item: JsonObject): string | undefined => {
    const isExpected = request.part === "metadata" && isMetadataItem(item);
    const mismatch = isExpected ? undefined : findKindMismatch(request.resource, item);
    if (mismatch === undefined) visit(item);
    return mismatch;
  };
  const add = (items: readonly JsonObject[]): string | undefined => {
    for (const item of items) {
      count++;
      const typed = waiting.length === 0 ? inheritKind(item, parser.head()) : undefined;
      if (typed === undefined) waiting.push(item);
      const mismatch = typed && visitItem(typed);
      if (mismatch !== undefined) return mismatch;
    }
    return undefined;
  };
  const flush = (): string | undefined => {
    const items = waiting.map((item) => inheritKind(item, parser.head()) ?? item);
    waiting = [];
    return items.map(visitItem).find((mismatch) => mismatch !== undefined);
  };
  return { add, flush, count: () => count, isFull: () => waiting.length > MAX_WAITING };
}
