import type { IncomingMessage, ServerResponse } from "node:http";
import { readFileSync } from "node:fs";
import { isObject, type Json, type JsonObject, listAt, objectAt, parseObject, textAt } from "../../src/model/json.ts";
import { sendRecorded } from "../api-server/api-responses.ts";
import { createRecordedApi } from "../api-server/recorded-api.ts";

/** What a simulated cluster has, by API path, as `preflight record` writes it. */
export type ClusterRecording = JsonObject;

export function readRecording(file: string): ClusterRecording {
  const value = parseObject(readFileSync(file, "utf8"));
  if (value === undefined) throw new Error(`${file} is not a recording`);
  return value;
}

/** Answers a read as the API server of the recorded cluster would, with lists in one page. */
export function answerFromRecording(recording: ClusterRecording, path: string, response: ServerResponse): void {
  sendRecorded(response, path, findRecordedApi(recording)(path));
}

const apis = new WeakMap<ClusterRecording, ReturnType<typeof createRecordedApi>>();

/** Many requests are answered from few recordings. */
function findRecordedApi(recording: ClusterRecording): ReturnType<typeof createRecordedApi> {
  const api = apis.get(recording) ?? createRecordedApi(recording);
  apis.set(recording, api);
  return api;
}

/** The recordings that healthy clusters take turns with, so that the matrix has clear, risky and incomplete ones. */
export function buildVariants(demo: ClusterRecording): readonly ClusterRecording[] {
  const quiet = Object.fromEntries(
    Object.entries(demo).map(([path, entry]) => [path, isRisky(path, entry) ? selectHarmless(entry) : entry]),
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

/** Nothing but the definition that every cluster has. */
function selectHarmless(entry: Json): JsonObject {
  const items = listAt(entry, "items");
  return { items: items.filter((item) => textAt(item, "metadata", "name") === "clusterversions.config.openshift.io") };
}

/** "17" and "/api/v1/nodes" of "/c/17/api/v1/nodes?limit=500". */
export function parseRequest({ url = "" }: Pick<IncomingMessage, "url">): readonly [cluster: string, path: string] {
  const [, , cluster = "", ...rest] = (url.split("?", 1)[0] ?? "").split("/");
  return [cluster, `/${rest.join("/")}`];
}

export function getClusterVersion(recording: ClusterRecording): JsonObject {
  return objectAt(recording, "/apis/config.openshift.io/v1/clusterversions/version");
}
