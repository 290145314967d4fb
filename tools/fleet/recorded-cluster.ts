import type { IncomingMessage, ServerResponse } from "node:http";
import { readFileSync } from "node:fs";
import { isObject, type Json, type JsonObject, listAt, objectAt, parseObject, textAt } from "../../src/model/json.ts";

/** What a simulated cluster has, by API path, as `preflight record` writes it. */
export type Recording = JsonObject;

export function readRecording(file: string): Recording {
  const value = parseObject(readFileSync(file, "utf8"));
  if (value === undefined) throw new Error(`${file} is not a recording`);
  return value;
}

/** Answers a read as an API server would, with lists in one page. */
export function answerFromRecording(recording: Recording, path: string, response: ServerResponse): void {
  const entry = recording[path];
  const error = textAt(entry, "error");
  if (entry === undefined || error !== undefined) return sendStatus(response, Number(error?.slice(0, 3) ?? 404));
  if (isObject(entry) && entry["lines"] !== undefined)
    return void response.end(listAt(entry, "lines").map(String).join("\n"));
  sendJson(response, isObject(entry) && entry["items"] !== undefined ? buildList(path, entry) : entry);
}

function buildList(path: string, entry: JsonObject): JsonObject {
  const [group = "", version = ""] = path.startsWith("/apis/") ? path.split("/").slice(2) : ["", "v1"];
  const items = listAt(entry, "items");
  const kind = textAt(items[0], "kind");
  if (kind === undefined) return { apiVersion: "v1", kind: "List", metadata: {}, items };
  return { apiVersion: [group, version].filter(Boolean).join("/"), kind: `${kind}List`, metadata: {}, items };
}

export function sendJson(response: ServerResponse, body: Json): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export function sendStatus(response: ServerResponse, code: number, headers: Record<string, string> = {}): void {
  const message = `the API server answers ${code}`;
  const body = { kind: "Status", apiVersion: "v1", status: "Failure", code, message };
  response.writeHead(code, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** The recordings that healthy clusters take turns with, so that the matrix has clear, risky and incomplete ones. */
export function buildVariants(demo: Recording): readonly Recording[] {
  const quiet = Object.fromEntries(
    Object.entries(demo).map(([path, entry]) => [path, isRisky(path, entry) ? { items: [] } : entry]),
  );
  const network = "/apis/config.openshift.io/v1/networks/cluster";
  const clear = { ...quiet, [network]: { ...objectAt(demo, network), spec: {}, status: {} } };
  const forbidden = { ...clear, "/api/v1/nodes": { error: "403 forbidden" } };
  return [demo, clear, forbidden, { ...demo, "/apis/policy/v1/poddisruptionbudgets": { items: [] } }];
}

const RISKY =
  /poddisruptionbudgets|\.example\.com|customresourcedefinitions|operatorconditions|subscriptions|clusterserviceversions/;

function isRisky(path: string, entry: Json): boolean {
  return RISKY.test(path) && isObject(entry) && entry["items"] !== undefined;
}

/** "17" and "/api/v1/nodes" of "/c/17/api/v1/nodes?limit=500". */
export function parseRequest({ url = "" }: Pick<IncomingMessage, "url">): readonly [cluster: string, path: string] {
  const [, , cluster = "", ...rest] = (url.split("?", 1)[0] ?? "").split("/");
  return [cluster, `/${rest.join("/")}`];
}

export function getClusterVersion(recording: Recording): JsonObject {
  return objectAt(recording, "/apis/config.openshift.io/v1/clusterversions/version");
}
