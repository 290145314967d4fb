import type { ServerResponse } from "node:http";
import { isObject, type Json, type JsonObject, listAt, textAt } from "../../src/model/json.ts";
import { buildStatus, type RecordedAnswer } from "./recorded-api.ts";

/** The items of a list that one page has. */
export type Page = { readonly start: number; readonly size: number };

const WHOLE: Page = { start: 0, size: Infinity };

export function sendJson(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export function sendStatus(response: ServerResponse, code: number, headers: Record<string, string> = {}): void {
  sendJson(response, buildStatus(code).body, code, headers);
}

/** Sends what was recorded as the API server would, lists whole unless a page is given. */
export function sendRecorded(
  response: ServerResponse,
  path: string,
  { code, body }: RecordedAnswer,
  page = WHOLE,
): void {
  if (typeof body === "string") return void response.writeHead(code).end(body);
  if (isObject(body) && body["lines"] !== undefined)
    return void response.end(listAt(body, "lines").map(String).join("\n"));
  return sendJson(response, isObject(body) && body["items"] !== undefined ? buildPage(path, body, page) : body, code);
}

export function buildPage(path: string, entry: Json, { start, size } = WHOLE): JsonObject {
  const items = listAt(entry, "items");
  const [group = "", version = ""] = path.startsWith("/apis/") ? path.split("/").slice(2) : ["", "v1"];
  const apiVersion = [group, version].filter(Boolean).join("/");
  const type =
    items[0] === undefined ? { apiVersion, kind: findEmptyKind(path, entry) } : buildListType(apiVersion, items[0]);
  const remaining = items.length - (start + size);
  const metadata: JsonObject = remaining > 0 ? { continue: String(start + size), remainingItemCount: remaining } : {};
  return { ...type, metadata, items: items.slice(start, start + size) };
}

/** A list shows of what it is even if it is empty. Readers that know no better take the plural for the kind. */
function findEmptyKind(path: string, entry: Json): string {
  return textAt(entry, "kind") ?? `${path.slice(path.lastIndexOf("/") + 1)}List`;
}

/** What an API server sends of objects' metadata alone is of a group of its own. */
function buildListType(apiVersion: string, first: Json | undefined): JsonObject {
  const kind = textAt(first, "kind");
  if (kind === undefined) return { apiVersion: "v1", kind: "List" };
  const ownVersion = kind === "PartialObjectMetadata" ? textAt(first, "apiVersion") : undefined;
  return { apiVersion: ownVersion ?? apiVersion, kind: `${kind}List` };
}
