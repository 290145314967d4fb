import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { isObject, type Json } from "../../../src/model/json.ts";
import { buildKubeconfig } from "../../../verify/api-server/kubeconfig.ts";
import { listen } from "../../../verify/shared/loopback.ts";
import { buildPage } from "../../../verify/api-server/api-responses.ts";
import { createRecordedApi, type RecordedAnswer } from "../../../verify/api-server/recorded-api.ts";

export type DemoApi = {
  readonly kubeconfig: string;
  readonly methods: ReadonlySet<string>;
  readonly close: () => void;
};

/** Serves the demo's cluster as plain HTTP on loopback until it is closed. */
export async function startDemoApi(demo: string): Promise<DemoApi> {
  const answer = createRecordedApi(JSON.parse(await readFile(join(demo, "cluster.json"), "utf8")));
  const methods = new Set<string>();
  const server = createServer((request, response) => {
    methods.add(request.method ?? "");
    const path = (request.url ?? "/").split("?", 1).join();
    sendResponse(path, answer(path), response);
  });
  const cluster = { server: `http://127.0.0.1:${await listen(server)}` };
  const kubeconfig = JSON.stringify(buildKubeconfig({ cluster, user: {} }, "demo"));
  return { kubeconfig, methods, close: () => void server.close() };
}

function sendResponse(path: string, { code, body }: RecordedAnswer, response: ServerResponse): void {
  response.writeHead(code, { "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(buildList(path, body)));
}

function buildList(path: string, body: Json): Json {
  if (!isObject(body) || body["items"] === undefined) return body;
  return { ...buildPage(path, body), metadata: { resourceVersion: "1" } };
}
