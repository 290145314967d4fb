import { type JsonObject, objectAt, textAt } from "../model/json.ts";
import type { ReadFailure } from "../model/reader.ts";
import { type Body, type Request, interrupted, pathOf, tooLarge } from "./exchange.ts";
import { failed } from "./failures.ts";
import { LARGEST_OBJECT, LARGEST_PAGE } from "./limits.ts";
import type { Attempt } from "./retry.ts";
import { type Scanner, itemScanner } from "./scan.ts";

/** `continue` is "" on the last page. */
export type Page = {
  readonly kind: "page";
  readonly objects: number;
  readonly bytes: number;
  readonly continue: string;
};

/** `overfull`: more bytes than a page may have, after so many objects. */
export type PageRead = Page | ReadFailure | { readonly kind: "overfull"; readonly objects: number };

/** Reads the body of a list and hands each object on, apiVersion and kind filled in, as soon as it is there. */
export async function readPage(
  request: Request,
  body: Body,
  visit: (object: JsonObject) => void,
): Promise<Attempt<PageRead>> {
  const scanner = itemScanner(LARGEST_OBJECT);
  const named = namer(scanner, visit);
  let bytes = 0;
  for (;;) {
    const part = await body();
    if (part.kind === "broken") return interrupted(request, part.error);
    if (part.kind === "end") return finish(request, scanner, named, bytes);
    bytes += part.chunk.length;
    const scanned = scanner.push(part.chunk);
    if (scanned.kind === "tooLarge") return { kind: "done", value: tooLarge(request, "An object", LARGEST_OBJECT) };
    if (scanned.kind === "notUnderstood") return { kind: "done", value: noList(request, scanned.message) };
    for (const item of scanned.items) named.take(item);
    if (bytes > LARGEST_PAGE) return { kind: "done", value: { kind: "overfull", objects: named.count() } };
  }
}

function finish(request: Request, scanner: Scanner, named: Namer, bytes: number): Attempt<PageRead> {
  if (!scanner.ended()) return { kind: "retry", failure: noList(request, "it is cut short") };
  const head = scanner.head();
  if (!scanner.hasItems() || !isListKind(head)) {
    return { kind: "done", value: noList(request, `its kind is ${JSON.stringify(head["kind"] ?? null)}`) };
  }
  const nameless = named.end();
  if (nameless) return { kind: "done", value: noList(request, "its objects have no kind") };
  const next = textAt(objectAt(head, "metadata"), "continue") ?? "";
  return { kind: "done", value: { kind: "page", objects: named.count(), bytes, continue: next } };
}

function isListKind(head: JsonObject): boolean {
  return (textAt(head, "kind") ?? "").endsWith("List") && Boolean(textAt(head, "apiVersion"));
}

function noList(request: Request, why: string): ReadFailure {
  return failed("NotUnderstood", `${pathOf(request)} was answered with something that is no Kubernetes list: ${why}`);
}

type Namer = {
  readonly take: (item: JsonObject) => void;
  /** To be called when all of the list has come; true where an object's kind can't be told. */
  readonly end: () => boolean;
  readonly count: () => number;
};

/**
 * Built-in kinds leave apiVersion and kind out of a list's objects. They are then taken from the list, whose own may come last; until
 * then such objects wait.
 */
function namer(scanner: Scanner, visit: (object: JsonObject) => void): Namer {
  let waiting: JsonObject[] = [];
  let count = 0;
  const take = (item: JsonObject): void => {
    const whole = withKind(item, scanner.head());
    count++;
    if (whole && waiting.length === 0) visit(whole);
    else waiting.push(item);
  };
  const end = (): boolean => {
    const named = waiting.map((item) => withKind(item, scanner.head()));
    waiting = [];
    const whole = named.filter((item) => item !== undefined);
    if (whole.length < named.length) return true;
    for (const item of whole) visit(item);
    return false;
  };
  return { take, end, count: () => count };
}

function withKind(item: JsonObject, head: JsonObject): JsonObject | undefined {
  if (textAt(item, "apiVersion") && textAt(item, "kind")) return item;
  const apiVersion = textAt(head, "apiVersion");
  const kind = textAt(head, "kind")?.replace(/List$/, "");
  return apiVersion && kind ? { ...item, apiVersion, kind } : undefined;
}
