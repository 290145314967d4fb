import { gzipSync } from "node:zlib";
import { isObject, type JsonObject } from "../../src/model/json.ts";
import { sendJson, sendStatus } from "../api-server/api-responses.ts";
import type { Exchange } from "./fault-server.ts";
import type { Fault } from "./faults.ts";

const DAY_SECONDS = 86_400;

/** Answers in place of any: emptied, misspelled, badly encoded, or kept by a cache. */
export const ANSWER_FAULTS: readonly Fault[] = [
  { name: "an empty body", strike: ({ response }) => response.end(), lasting: "NotUnderstood", once: "read" },
  { name: "204", strike: ({ response }) => response.writeHead(204).end(), lasting: "NotUnderstood", once: "read" },
  sendAlways("null", null),
  sendAlways("an empty JSON list", []),
  sendAlways("an empty JSON object", {}),
  sendAlways("an empty list without a kind", { items: [] }),
  {
    ...sendAlways("an empty list of no kind of its own", { apiVersion: "v1", kind: "List", metadata: {}, items: [] }),
    lasting: "Incomplete",
    once: "Incomplete",
  },
  change("its items misspelled", ({ items, ...rest }) => ({ ...rest, item: items ?? [] })),
  {
    ...change("its metadata misspelled", ({ metadata, ...rest }) => ({ ...rest, metaData: metadata ?? {} })),
    lasting: "Incomplete",
    once: "Incomplete",
  },
  change("its kind misspelled", ({ kind, ...rest }) => ({ ...rest, Kind: kind ?? "" })),
  {
    name: "gzip that is not declared",
    strike: ({ response, ...answer }) => response.end(gzipSync(getText(answer))),
    lasting: "NotUnderstood",
    once: "NotUnderstood",
  },
  {
    name: "broken gzip",
    strike: ({ response, ...answer }) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(getText(answer)).subarray(0, 40)),
    lasting: "NotUnderstood",
    once: "read",
  },
  { name: "410 at once", strike: ({ response }) => sendStatus(response, 410), lasting: "ServerError", once: "read" },
  {
    name: "an answer that a cache has kept for a day",
    strike: ({ response, send }) => {
      response.setHeader("age", DAY_SECONDS);
      send();
    },
    lasting: "NotUnderstood",
    once: "NotUnderstood",
  },
];

function sendAlways(name: string, body: unknown): Fault {
  return {
    name,
    strike: ({ response }) => sendJson(response, body),
    lasting: "NotUnderstood",
    once: "NotUnderstood",
  };
}

function change(name: string, edit: (body: JsonObject) => JsonObject): Fault {
  return {
    name,
    strike: ({ response, send, ...answer }) => {
      const body = getBody(answer);
      return isObject(body) ? sendJson(response, edit(body)) : send();
    },
    lasting: "NotUnderstood",
    once: "NotUnderstood",
  };
}

type Sent = Pick<Exchange, "isList" | "list" | "body">;

function getBody({ isList, list, body }: Sent): Exchange["body"] {
  return isList ? list : body;
}

function getText(answer: Sent): string {
  const body = getBody(answer);
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** What was requested, of another time: alone, no list shows that. */
export const AGED_FAULTS: readonly Fault[] = [
  {
    name: "an answer of yesterday",
    strike: ({ response, send }) => {
      response.setHeader("date", new Date(Date.now() - DAY_SECONDS * 1_000).toUTCString());
      send();
    },
    lasting: "read",
    once: "read",
  },
  aged("an old resourceVersion", (text) => text.replaceAll(/"resourceVersion":"\d+"/g, '"resourceVersion":"1"')),
  aged("times of a year ago", (text) => shiftTimes(text, -1)),
  aged("times of the future", (text) => shiftTimes(text, 80)),
];

function aged(name: string, edit: (text: string) => string): Fault {
  return {
    name,
    strike: ({ response, ...answer }) =>
      response.writeHead(200, { "content-type": "application/json" }).end(edit(getText(answer))),
    lasting: "read",
    once: "read",
  };
}

function shiftTimes(text: string, years: number): string {
  return text.replaceAll(/"(\d{4})(-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")/g, (_, year, rest) => {
    return `"${Number(year) + years}${rest}`;
  });
}
