import { createServer, type ServerResponse } from "node:http";
import { formatError } from "../../src/model/errors.ts";
import { at, type JsonObject, listAt, parseObject, textAt } from "../../src/model/json.ts";
import { listen } from "../shared/loopback.ts";
import type { Retrieval } from "./operator-view.ts";
import { type Fault, listOffers, type UpdateService } from "./update-service.ts";

export type ServiceServer = { readonly url: string; readonly stop: () => Promise<void> };

/** Serves the update graph over HTTP, or does what the present fault is. */
export async function startServiceServer(service: UpdateService): Promise<ServiceServer> {
  const server = createServer({ keepAlive: false }, ({ url = "" }, response) => {
    const channel = new URL(url, "http://localhost").searchParams.get("channel") ?? "";
    answer(response, buildGraph(service, channel), service.fault);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/graph`,
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

function answer(response: ServerResponse, graph: JsonObject, fault: Fault | undefined): void {
  const text = JSON.stringify(graph);
  switch (fault) {
    case "closes the connection":
      return void response.destroy();
    case "cuts its answer":
      response.writeHead(200, { "content-length": text.length });
      return void response.write(text.slice(1), () => response.destroy());
    case "answers 500":
    case "answers 404":
      return void response.writeHead(fault === "answers 500" ? 500 : 404).end();
    case "answers with a page":
      return void response.end("<html>");
    case "lacks the running version":
    case undefined:
      return void response.end(text);
  }
}

function buildGraph(service: UpdateService, channel: string): JsonObject {
  const { source } = service.target;
  const offers = listOffers(service, channel).map((one) => ({
    version: one["version"] ?? "",
    payload: one["image"] ?? "",
  }));
  const nodes = service.fault === "lacks the running version" ? offers : [...offers, { version: source, payload: "" }];
  return { nodes, edges: nodes === offers ? [] : offers.map((_, i) => [offers.length, i]) };
}

/** Asks as the operator does. */
export async function askUpdateService(url: string, channel: string, source: string): Promise<Retrieval> {
  const fail = (reason: string, message: string): Retrieval => ({ kind: "failed", reason, message });
  try {
    const response = await fetch(`${url}?channel=${channel}&version=${source}`, {
      signal: AbortSignal.timeout(10_000),
    });
    const graph = parseObject(await response.text());
    if (!response.ok) return fail("ResponseFailed", `unexpected HTTP status: ${response.status}`);
    if (graph === undefined) return fail("ResponseInvalid", "the answer is no JSON");
    return (
      findUpdates(graph, source) ?? fail("VersionNotFound", `version ${source} not found in the "${channel}" channel`)
    );
  } catch (thrown) {
    return fail("RemoteFailed", formatError(thrown));
  }
}

function findUpdates(graph: JsonObject, source: string): Retrieval | undefined {
  const nodes = listAt(graph, "nodes");
  const from = nodes.findIndex((one) => textAt(one, "version") === source);
  if (from === -1) return undefined;
  const releases = listAt(graph, "edges")
    .filter((edge) => at(edge, 0) === from)
    .map((edge) => nodes[Number(at(edge, 1))] ?? null)
    .map((node) => ({ version: textAt(node, "version") ?? "", image: textAt(node, "payload") ?? "" }));
  return { kind: "retrieved", releases };
}
