import assert from "node:assert/strict";
import { test } from "node:test";
import { fetchGraphs } from "../../../src/cli/target-release/update-graph.ts";
import { formatError } from "../../../src/model/errors.ts";
import { serve } from "../../support/cluster/mock-server.ts";
import { sendJson } from "../../../verify/api-server/api-responses.ts";
import { startConnectProxy } from "../../support/cluster/proxies.ts";

const stopSignal = new AbortController().signal;
const getFailure = async (url: string, env = {}): Promise<string> => {
  try {
    await fetchGraphs([new URL(url)], {}, { env, stopSignal });
  } catch (thrown) {
    return formatError(thrown);
  }
  return assert.fail("the graph was read");
};

test("asks for JSON, and sends neither credentials nor a body", async (t) => {
  const { url, requests } = await serve(t, (_, response) => sendJson(response, { nodes: [] }));
  const [text] = await fetchGraphs([new URL(`${url}/graph?channel=stable-4.20`)], {}, { env: {}, stopSignal });
  assert.deepEqual(JSON.parse(text ?? ""), { nodes: [] });
  const [request] = requests;
  assert.deepEqual([request?.method, request?.url], ["GET", "/graph?channel=stable-4.20"]);
  assert.equal(request?.headers.accept, "application/json");
  assert.equal(request?.headers.authorization, undefined);
});

test("uses the environment's proxy", async (t) => {
  const { port } = await serve(t, (_, response) => sendJson(response, { nodes: [] }));
  const proxy = await startConnectProxy(t);
  const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
  await fetchGraphs([new URL(`http://updates.example.com:${port}/graph`)], {}, { env, stopSignal });
  assert.deepEqual(proxy.requests, [`updates.example.com:${port}`]);
});

test("says what the service answered, without the query", async (t) => {
  const { url } = await serve(t, (request, response) => {
    if (request.url?.startsWith("/moved")) return void response.writeHead(302, { location: "/graph" }).end();
    sendJson(response, { kind: "missing_params", value: "mandatory client parameters missing: channel" }, 400);
  });
  const { host } = new URL(url);
  assert.equal(
    await getFailure(`${url}/graph?id=0f4f3a0e`),
    `reading the update graph from http://${host}/graph: it responded with 400 (missing_params: mandatory client parameters missing: channel)`,
  );
  assert.match(await getFailure(`${url}/moved`), /: it responded with 302$/);
});

test("says why the service can't be reached", async (t) => {
  assert.match(await getFailure("http://127.0.0.1:1/graph"), /graph: 127\.0\.0\.1:1 refused the connection$/);
  const cut = await serve(t, (_, response) => void response.writeHead(200).write("{", () => response.destroy()));
  assert.match(await getFailure(`${cut.url}/graph`), /: 127\.0\.0\.1:\d+ cut the connection$/);
  const proxy = await startConnectProxy(t, 403);
  const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
  assert.match(
    await getFailure("http://updates.example.com/graph", env),
    /proxy http:\S+ failed: it responded with 403/,
  );
  assert.match(
    await getFailure("http://updates.example.com/graph", { HTTP_PROXY: "http://[" }),
    /The proxy of the environment is not an http, https or socks5 URL/,
  );
});
