import { gzipSync } from "node:zlib";
import type { ServerResponse } from "node:http";
import { at, isList, type JsonObject, objectAt, textAt } from "../../src/model/json.ts";
import { ANSWER_FAULTS } from "./answer-faults.ts";
import { type Exchange, changeItem } from "./fault-server.ts";
import { LIST_EDITS, type ListEdit } from "./list-edits.ts";
import { sendJson, sendStatus } from "../api-server/api-responses.ts";

/** The outcome of reading a list: `read` if it has every object, or the reason of the failure. */
type Result =
  | "read"
  | "Unauthorized"
  | "Forbidden"
  | "TimedOut"
  | "Unreachable"
  | "ServerError"
  | "NotUnderstood"
  | "Incomplete"
  | "TooLarge";

export type Fault = {
  readonly name: string;
  readonly strike: (exchange: Exchange) => void;
  /** The outcome if the fault lasts, and if it strikes once. */
  readonly lasting: Result;
  readonly once: Result;
  /** Ends only with the timeout of the read or of a silent connection. */
  readonly isEndless?: true;
  readonly isSilent?: true;
};

const TRICKLE_MS = 5;

/** Lists that are not whole, or not the requested ones, and that show it. Everything else has its real response. */
export const LIST_FAULTS: readonly Fault[] = [
  ...LIST_EDITS.filter(({ isOfFiles }) => isOfFiles !== true).map((edit) => toFault(edit)),
  {
    name: "a page without its continue token",
    strike: ({ response, list, send }) =>
      at(list, "metadata", "continue") === undefined ? send() : sendJson(response, withoutContinue(list)),
    lasting: "Incomplete",
    once: "Incomplete",
  },
  {
    name: "the first page again instead of a later one",
    strike: ({ response, isLaterPage, buildFirstPage, send }) =>
      isLaterPage ? sendJson(response, buildFirstPage()) : send(),
    lasting: "Incomplete",
    once: "Incomplete",
  },
  {
    name: "an empty page instead of a later one",
    strike: ({ response, list, isLaterPage, send }) =>
      isLaterPage ? sendJson(response, { ...list, metadata: {}, items: [] }) : send(),
    lasting: "Incomplete",
    once: "Incomplete",
  },
  {
    name: "an object of a later page without its namespace",
    strike: ({ response, list, isLaterPage, send }) =>
      isLaterPage ? sendJson(response, changeItem(list, withoutNamespace)) : send(),
    lasting: "Incomplete",
    once: "Incomplete",
  },
];

/** Answers of one object, or about what is served, in place of the requested ones. Lists have their real response. */
export const OBJECT_FAULTS: readonly Fault[] = [
  onObject("an object of another name", (object) => ({
    ...object,
    metadata: { ...objectAt(object, "metadata"), name: "another" },
  })),
  onObject("an object of another kind", (object) => ({ ...object, kind: "Foo" })),
  onObject("an object of another version", (object) => ({ ...object, apiVersion: "v0" })),
  onObject("an empty object", () => ({})),
  onObject("an object whose lists are empty", (object) =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, isList(value) ? [] : value])),
  ),
  onObject("an object's list instead", (object) => ({ apiVersion: "v1", kind: "List", metadata: {}, items: [object] })),
];

/** All the observed responses of an API server, or of a proxy in front of it, other than a list. */
export const FAULTS: readonly Fault[] = [
  ...LIST_FAULTS,
  { name: "connection reset", strike: ({ request }) => request.socket.destroy(), lasting: "Unreachable", once: "read" },
  { name: "no response", strike: () => {}, lasting: "TimedOut", once: "read", isSilent: true },
  { name: "a body that trickles for ever", strike: trickle, lasting: "TimedOut", once: "TimedOut", isEndless: true },
  { name: "a body cut by a broken connection", strike: cut, lasting: "Unreachable", once: "read" },
  { name: "a body that ends early", strike: endEarly, lasting: "NotUnderstood", once: "read" },
  {
    name: "random bytes",
    strike: ({ response }) => response.end(Buffer.alloc(4096, 0xa5)),
    lasting: "NotUnderstood",
    once: "NotUnderstood",
  },
  {
    name: "a login page with 200",
    strike: ({ response }) => response.end("<html>log in</html>"),
    lasting: "NotUnderstood",
    once: "NotUnderstood",
  },
  {
    name: "an empty list of another kind",
    strike: ({ response }) => sendJson(response, { kind: "FooList", apiVersion: "v1", items: [] }),
    lasting: "NotUnderstood",
    once: "NotUnderstood",
  },
  {
    name: "an object of another kind in the list",
    strike: ({ response, list }) =>
      sendJson(
        response,
        changeItem(list, (item) => ({ ...item, kind: "Foo" })),
      ),
    lasting: "NotUnderstood",
    once: "NotUnderstood",
  },
  {
    name: "a single object instead of a list",
    strike: ({ response }) => sendJson(response, { kind: "Foo", apiVersion: "v1", metadata: { name: "a" } }),
    lasting: "NotUnderstood",
    once: "NotUnderstood",
  },
  { name: "401", strike: ({ response }) => sendStatus(response, 401), lasting: "Unauthorized", once: "read" },
  { name: "403", strike: ({ response }) => sendStatus(response, 403), lasting: "Forbidden", once: "Forbidden" },
  {
    name: "404 of an API server, for a kind that it serves",
    strike: ({ response }) => sendStatus(response, 404),
    lasting: "NotUnderstood",
    once: "NotUnderstood",
  },
  {
    name: "404 of Go's or Traefik's default handler",
    strike: ({ response }) => response.writeHead(404).end("404 page not found\n"),
    lasting: "NotUnderstood",
    once: "NotUnderstood",
  },
  {
    name: "404 of another proxy",
    strike: ({ response }) => response.writeHead(404).end("<html>not found</html>"),
    lasting: "NotUnderstood",
    once: "NotUnderstood",
  },
  { name: "404 on a later page", strike: onLaterPage(404), lasting: "ServerError", once: "read" },
  { name: "410 on a later page", strike: onLaterPage(410), lasting: "ServerError", once: "read" },
  {
    name: "429 with Retry-After",
    strike: ({ response }) => sendStatus(response, 429, { "retry-after": "1" }),
    lasting: "ServerError",
    once: "read",
  },
  ...[500, 502, 503, 504].map((code): Fault => ({
    name: String(code),
    strike: ({ response }) => sendStatus(response, code),
    lasting: "ServerError",
    once: "read",
  })),
  {
    name: "a redirect",
    strike: ({ response }) => response.writeHead(302, { location: "/elsewhere" }).end(),
    lasting: "NotUnderstood",
    once: "NotUnderstood",
  },
  { name: "a gzip bomb", strike: bomb, lasting: "NotUnderstood", once: "NotUnderstood" },
  {
    name: "a list without a last page",
    strike: ({ response, list }) => sendJson(response, { ...list, metadata: { continue: "1" } }),
    lasting: "Incomplete",
    once: "read",
  },
  { name: "a page without an end", strike: fillPage, lasting: "TooLarge", once: "TooLarge" },
  { name: "a page of small objects without an end", strike: fillSmall, lasting: "TooLarge", once: "TooLarge" },
  { name: "a page of empty objects without an end", strike: fillEmpty, lasting: "TooLarge", once: "TooLarge" },
  { name: "an object of 6 MiB of empty objects", strike: nest, lasting: "TooLarge", once: "TooLarge" },
  {
    name: "the API server is killed and started again",
    strike: ({ kill }) => kill(),
    lasting: "Unreachable",
    once: "read",
  },
  ...ANSWER_FAULTS,
];

function toFault({ name, edit, reason }: ListEdit): Fault {
  return {
    name,
    strike: ({ response, list, isList, send }) => {
      const edited = isList ? edit(list) : undefined;
      return edited === undefined ? send() : sendJson(response, edited);
    },
    lasting: reason,
    once: reason,
  };
}

function onObject(name: string, change: (object: JsonObject) => JsonObject): Fault {
  return {
    name,
    strike: ({ response, body, isList, send }) =>
      isList || textAt(body, "kind") === undefined || textAt(body, "kind") === "Status"
        ? send()
        : sendJson(response, change(objectAt({ body }, "body"))),
    lasting: "NotUnderstood",
    once: "NotUnderstood",
  };
}

function withoutContinue(list: JsonObject): JsonObject {
  const { continue: _token, ...metadata } = objectAt(list, "metadata");
  return { ...list, metadata };
}

function withoutNamespace(item: JsonObject): JsonObject {
  const { namespace: _namespace, ...metadata } = objectAt(item, "metadata");
  return { ...item, metadata };
}

function onLaterPage(code: number): Fault["strike"] {
  return ({ response, isLaterPage, send }) => (isLaterPage ? sendStatus(response, code) : send());
}

function trickle({ response }: Exchange): void {
  response.write('{"kind":');
  const timer = setInterval(() => response.write(" "), TRICKLE_MS);
  response.once("close", () => clearInterval(timer));
}

function cut({ request, response, list }: Exchange): void {
  const text = JSON.stringify(list);
  response.writeHead(200, { "content-length": text.length });
  response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
}

function endEarly({ response, list }: Exchange): void {
  const text = JSON.stringify(list);
  response.writeHead(200, { connection: "close" }).end(text.slice(0, text.length / 2));
}

const BOMB = gzipSync(Buffer.alloc(16 << 20));

function bomb({ response }: Exchange): void {
  response.writeHead(200, { "content-encoding": "gzip" }).end(BOMB);
}

const ITEM_BYTES = 1 << 16;
const ITEMS_PER_WRITE = 1_000;
const NESTED_OBJECTS = 2 << 20;

function fillPage({ response, list }: Exchange): void {
  const buildItem = createItemBuilder(list, { text: "x".repeat(ITEM_BYTES) });
  writeForever(response, `${openItems(list)}${buildItem()}`, () => `,${buildItem()}`);
}

/** What checks keep of a budget is small, but never nothing. */
function fillSmall({ response, list }: Exchange): void {
  const buildItem = createItemBuilder(list);
  const buildItems = (): string => Array.from({ length: ITEMS_PER_WRITE }, () => `,${buildItem()}`).join("");
  writeForever(response, `${openItems(list)}${buildItem()}`, buildItems);
}

/** Objects like the list's first, each with a name of its own. */
function createItemBuilder(list: JsonObject, change: JsonObject = {}): () => string {
  const first = { ...objectAt(list, "items", 0), ...change };
  const [before = "", after = ""] = JSON.stringify({
    ...first,
    metadata: { ...objectAt(first, "metadata"), name: "NAME" },
  }).split('"NAME"');
  let built = 0;
  return () => `${before}"object-${(built += 1)}"${after}`;
}

function openItems(list: JsonObject): string {
  return `${JSON.stringify({ ...list, items: undefined }).slice(0, -1)},"items":[`;
}

/** The objects come before the kind of the list, so that each has to wait for it. */
function fillEmpty({ response }: Exchange): void {
  const items = ",{}".repeat(ITEMS_PER_WRITE);
  writeForever(response, '{"items":[{}', () => items);
}

function nest({ response, list }: Exchange): void {
  const spec = `[{}${",{}".repeat(NESTED_OBJECTS)}]`;
  const item = JSON.stringify({ ...objectAt(list, "items", 0), spec: "SPEC" }).replace('"SPEC"', spec);
  response.end(`${openItems(list)}${item}]}`);
}

/** Continues as fast as the client reads. */
function writeForever(response: ServerResponse, start: string, buildRest: () => string): void {
  const fill = (): void => {
    while (!response.destroyed && response.write(buildRest()));
  };
  response.on("drain", fill);
  response.write(start);
  fill();
}
