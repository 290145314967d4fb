import { type JsonObject, objectAt, textAt } from "../../model/json.ts";
import type { ReadFailure } from "../../model/reader.ts";
import { buildFailure, buildTooLargeFailure, getPathname, toFailedAttempt } from "../access/failures.ts";
import type { BodyReader } from "../access/response-body.ts";
import type { Attempt } from "../access/retry.ts";
import type { GetRequest } from "../access/transport.ts";
import { MAX_OBJECT_BYTES } from "./object.ts";
import { type ListParser, createListParser } from "./list-parser.ts";

/** A page that is larger is requested again with fewer objects, down to one. */
export const MAX_PAGE_BYTES = 64 << 20;

/** `continue` is "" on the last page. */
export type ListPage = {
  readonly kind: "page";
  readonly objects: number;
  readonly bytes: number;
  readonly continue: string;
};

/** `overfull`: the page exceeded its limit after so many objects. */
export type PageResult = ListPage | ReadFailure | { readonly kind: "overfull"; readonly objects: number };

/** Reads the body of a list and hands on each object as it arrives, with apiVersion and kind filled in. */
export async function readPage(
  request: GetRequest,
  body: BodyReader,
  visit: (object: JsonObject) => void,
): Promise<Attempt<PageResult>> {
  const parser = createListParser(MAX_OBJECT_BYTES);
  const filler = createKindFiller(parser, visit);
  let bytes = 0;
  for (;;) {
    const part = await body();
    if (part.kind === "broken") return toFailedAttempt(request, part.error);
    if (part.kind === "end") return finishPage(request, parser, filler, bytes);
    bytes += part.chunk.length;
    const result = parser.push(part.chunk);
    if (result.kind === "tooLarge")
      return { kind: "done", value: buildTooLargeFailure(request, "An object", MAX_OBJECT_BYTES) };
    if (result.kind === "notUnderstood") return { kind: "done", value: buildNotListFailure(request, result.message) };
    for (const item of result.items) filler.add(item);
    if (bytes > MAX_PAGE_BYTES) return { kind: "done", value: { kind: "overfull", objects: filler.count() } };
  }
}

function finishPage(request: GetRequest, parser: ListParser, filler: KindFiller, bytes: number): Attempt<PageResult> {
  if (!parser.isComplete()) return { kind: "retry", failure: buildNotListFailure(request, "it is incomplete") };
  const head = parser.head();
  if (!parser.hasItems() || !isListKind(head)) {
    return { kind: "done", value: buildNotListFailure(request, `its kind is ${JSON.stringify(head["kind"] ?? null)}`) };
  }
  const hasObjectsWithoutKind = filler.flush();
  if (hasObjectsWithoutKind) return { kind: "done", value: buildNotListFailure(request, "its objects have no kind") };
  const continueToken = textAt(objectAt(head, "metadata"), "continue") ?? "";
  return { kind: "done", value: { kind: "page", objects: filler.count(), bytes, continue: continueToken } };
}

function isListKind(head: JsonObject): boolean {
  return (textAt(head, "kind") ?? "").endsWith("List") && Boolean(textAt(head, "apiVersion"));
}

function buildNotListFailure(request: GetRequest, why: string): ReadFailure {
  return buildFailure(
    "NotUnderstood",
    `${getPathname(request)} was answered with something other than a Kubernetes list: ${why}`,
  );
}

type KindFiller = {
  readonly add: (item: JsonObject) => void;
  /** Called once the whole list has arrived. Returns true if the kind of an object is unknown. */
  readonly flush: () => boolean;
  readonly count: () => number;
};

/**
 * Lists of built-in kinds leave apiVersion and kind out of their objects. The objects inherit them from the list, and wait if they come
 * first.
 */
function createKindFiller(parser: ListParser, visit: (object: JsonObject) => void): KindFiller {
  let waiting: JsonObject[] = [];
  let count = 0;
  const add = (item: JsonObject): void => {
    const whole = withKind(item, parser.head());
    count++;
    if (whole && waiting.length === 0) visit(whole);
    else waiting.push(item);
  };
  const flush = (): boolean => {
    const filler = waiting.map((item) => withKind(item, parser.head()));
    waiting = [];
    const whole = filler.filter((item) => item !== undefined);
    if (whole.length < filler.length) return true;
    for (const item of whole) visit(item);
    return false;
  };
  return { add, flush, count: () => count };
}

function withKind(item: JsonObject, head: JsonObject): JsonObject | undefined {
  if (textAt(item, "apiVersion") && textAt(item, "kind")) return item;
  const apiVersion = textAt(head, "apiVersion");
  const kind = textAt(head, "kind")?.replace(/List$/, "");
  return apiVersion && kind ? { ...item, apiVersion, kind } : undefined;
}
