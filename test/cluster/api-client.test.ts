import assert from "node:assert/strict";
import { Agent, type IncomingMessage } from "node:http";
import { type TestContext, test } from "node:test";
import { connect } from "../../src/cluster/access/connect.ts";
import type { RequestAuth } from "../../src/cluster/access/connection.ts";
import { type ApiClient, createApiClient } from "../../src/cluster/writer/api-client.ts";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import { parseResource } from "../../src/model/resource.ts";
import { createAuthority, noOpenssl } from "../../verify/api-server/certificates.ts";
import {
  buildStatus,
  createFakeClock,
  createFolder,
  neverAborted,
  openReader,
  serve,
  writeKubeconfig,
} from "../support/cluster/mock-server.ts";
import { sendJson } from "../../verify/api-server/api-responses.ts";

type ReceivedRequest = { readonly method: string; readonly url: string; readonly type: string; readonly body: string };

const CONFIG_MAP: JsonObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "n" } };
const PATH = "/api/v1/namespaces/n/configmaps/a";

async function openApi(t: TestContext, file: string): Promise<{ readonly api: ApiClient; readonly slept: number[] }> {
  const connection = await connect({ kubeconfig: file, env: {} });
  t.after(connection.close);
  const clock = createFakeClock();
  return { api: createApiClient(connection, { userAgent: "test", clock }), slept: clock.slept };
}

async function readBody(message: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of message) text += String(chunk);
  return text;
}

test("sends every kind of change with its body, DELETE included, and leaves the connection clean", async (t) => {
  const received: ReceivedRequest[] = [];
  const mock = await serve(t, (request, response) => {
    void readBody(request).then((body) => {
      const { method = "", url = "", headers } = request;
      received.push({ method, url, type: headers["content-type"] ?? "", body });
      sendJson(response, CONFIG_MAP);
    });
  });
  // One connection, so that leftovers of one request would break the next.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const getAuth = async (): Promise<RequestAuth> => ({ headers: {}, agent });
  const connection = { server: mock.url, context: "", origin: "", close: () => {}, getAuth, renewAuth: getAuth };
  const api = createApiClient(connection, { userAgent: "test" });
  for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const) {
    const body = { preconditions: { uid: "ü" } };
    const type = "application/merge-patch+json";
    const answer = await api.write({ method, path: PATH, body, ...(method === "PATCH" ? { type } : {}) }, neverAborted);
    assert.equal(answer.kind, "ok");
    const contentType = method === "PATCH" ? type : "application/json";
    assert.deepEqual(received.at(-1), { method, url: PATH, type: contentType, body: JSON.stringify(body) });
    assert.equal((await api.read(PATH, neverAborted)).kind, "ok");
    assert.deepEqual(received.at(-1), { method: "GET", url: PATH, type: "", body: "" });
  }
});

test("classifies responses, with the API server's own message", async (t) => {
  let status = 200;
  const mock = await serve(t, (_, response) =>
    sendJson(response, buildStatus(status, "NotFound", `it says ${status}`, { name: "a" }), status),
  );
  const { api } = await openApi(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  for (const [code, kind, message] of [
    [404, "absent", "it says 404"],
    [409, "conflict", "it says 409"],
    [403, "refused", "it says 403"],
    [422, "refused", "it says 422 (422)"],
    [500, "refused", "it says 500 (500)"],
    [401, "unreachable", "The API server refused the credentials: it says 401. Log in again"],
  ] as const) {
    status = code;
    assert.deepEqual(await api.read(PATH, neverAborted), { kind, message });
  }
});

test("an object that must be missing is one that the API server names", async (t) => {
  let name = "a";
  const mock = await serve(t, (_, response) =>
    sendJson(response, buildStatus(404, "NotFound", "not found", name === "" ? {} : { name }), 404),
  );
  const { api } = await openApi(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  assert.equal((await api.read(PATH, neverAborted)).kind, "absent");
  name = "";
  assert.match(
    JSON.stringify(await api.read(PATH, neverAborted)),
    /"refused".*every API server serves configmaps: check/,
  );
  const unserved = await api.read("/apis/config.openshift.io/v1/clusterversions/version", neverAborted);
  assert.equal(unserved.kind, "absent");
});

test("retries a read after any transient error, and a write only after 429, which changes nothing", async (t) => {
  let status = 503;
  const mock = await serve(t, (request, response) =>
    mock.requests.filter(({ method }) => method === request.method).length > 2
      ? sendJson(response, CONFIG_MAP)
      : sendJson(response, buildStatus(status, "x", "later"), status, { "retry-after": "3" }),
  );
  const { api, slept } = await openApi(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  assert.equal((await api.read(PATH, neverAborted)).kind, "ok");
  assert.equal(slept.length, 2);
  assert.deepEqual(await api.write({ method: "PUT", path: PATH }, neverAborted), {
    kind: "refused",
    message: "later (503)",
  });
  status = 429;
  assert.equal((await api.write({ method: "POST", path: PATH }, neverAborted)).kind, "ok");
  assert.deepEqual(
    mock.requests.map(({ method }) => method),
    ["GET", "GET", "GET", "PUT", "POST", "POST", "POST"],
  );
});

test("reports an absent API server, and a request that was already cancelled, as unreachable", async (t) => {
  const { api } = await openApi(t, writeKubeconfig(t, { cluster: { server: "http://127.0.0.1:1" } }));
  const message = "http://127.0.0.1:1 refused the connection";
  assert.deepEqual(await api.read(PATH, neverAborted), { kind: "unreachable", message });
  assert.deepEqual(await api.write({ method: "PUT", path: PATH }, neverAborted), { kind: "unreachable", message });
  assert.equal((await api.read(PATH, AbortSignal.abort())).kind, "unreachable");
});

test("an abort ends a read, a write and a watch while a credential plugin hangs", async (t) => {
  const user = { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "sleep", args: ["60"] } };
  const { api } = await openApi(t, writeKubeconfig(t, { cluster: { server: "http://127.0.0.1:1" }, user }));
  const message = `The request for ${PATH} was cancelled`;
  for (const call of [
    (signal: AbortSignal) => api.read(PATH, signal),
    (signal: AbortSignal) => api.write({ method: "DELETE", path: PATH }, signal),
    (signal: AbortSignal) => api.watch(PATH, () => {}, signal),
  ]) {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20);
    assert.deepEqual(await call(stop.signal), { kind: "unreachable", message });
  }
});

test("explains an untrusted certificate as the reader does", { skip: noOpenssl }, async (t) => {
  const { issue } = createAuthority(createFolder(t));
  const mock = await serve(t, (_, response) => sendJson(response, CONFIG_MAP), issue("server"));
  const file = writeKubeconfig(t, { cluster: { server: mock.url } });
  const { api } = await openApi(t, file);
  const { reader } = await openReader(t, file);
  const place = { resource: parseResource("v1/configmaps"), namespace: "n", name: "a" };
  const failure = await reader.get(place, neverAborted);
  assert.ok(failure.kind === "failed" && failure.message.includes("certificate is not trusted"));
  assert.deepEqual(await api.read(PATH, neverAborted), { kind: "unreachable", message: failure.message });
});

test("accepts only a response of the requested kind and name", async (t) => {
  const answers: Readonly<Record<string, object>> = {
    [PATH]: { ...CONFIG_MAP, metadata: { name: "b", namespace: "n" } },
    "/api/v1/namespaces/a": { ...CONFIG_MAP, kind: "Namespace", metadata: { name: "a" } },
    "/api/v1/namespaces/n/pods?limit=1": { apiVersion: "v1", kind: "ServiceList", items: [] },
    "/api/v1/namespaces/n/pods": { apiVersion: "v1", kind: "PodList", metadata: { remainingItemCount: 1 }, items: [] },
    "/apis/a.io/v1/widgets": { apiVersion: "a.io/v1", kind: "WidgetList", metadata: {}, items: [] },
  };
  const mock = await serve(t, (request, response) => sendJson(response, answers[request.url ?? ""]));
  const { api } = await openApi(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const read = async (path: string): Promise<string> => {
    const response = await api.read(path, neverAborted);
    return response.kind === "ok" ? "ok" : `${response.kind}: ${response.message}`;
  };
  assert.deepEqual(await Promise.all(Object.keys(answers).map(read)), [
    `refused: ${PATH} was answered with n/b, not with the requested object`,
    "ok",
    "refused: /api/v1/namespaces/n/pods was answered with ServiceList of v1, not with pods of v1",
    "refused: /api/v1/namespaces/n/pods was answered with a list that is not whole: it says that 1 more objects follow (metadata.remainingItemCount), and they don't",
    "ok",
  ]);
});

test("a watch ends with an error, or with an event that nobody can follow, since what follows is lost", async (t) => {
  const ODD = "was answered with something other than events of a watch";
  const error = (object: object): object => ({ type: "ERROR", object });
  const odd: readonly (readonly [event: object | string, did: string])[] = [
    [{ type: "ADDED", object: {} }, ODD],
    [{ type: "MOVED", object: CONFIG_MAP }, ODD],
    ["<html>", ODD],
    [error({ code: 500, message: "etcd has no leader" }), "ended its watch: etcd has no leader (500)"],
    [error({ code: 429, reason: "TooManyRequests" }), "ended its watch: TooManyRequests (429)"],
    [error({}), "ended its watch: it gave no reason"],
  ];
  const mock = await serve(t, (request, response) => {
    response.write(`${JSON.stringify({ type: "ADDED", object: CONFIG_MAP })}\n\n`);
    const [event] = odd[Number(request.url?.slice(1))] ?? [];
    response.end(`${typeof event === "string" ? event : JSON.stringify(event)}\n`);
  });
  const { api } = await openApi(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  for (const [i, [, did]] of odd.entries()) {
    const events: string[] = [];
    const end = await api.watch(`/${i}`, (event) => void events.push(event.kind), neverAborted);
    assert.deepEqual([end, events], [{ kind: "refused", message: `/${i} ${did}` }, ["modified"]]);
  }
});

test("a watch delivers changes and reports how it ended", async (t) => {
  const ends: Readonly<Record<string, string>> = {
    closed: "",
    expired: `${JSON.stringify({ type: "ERROR", object: { code: 410 } })}\n`,
  };
  const mock = await serve(t, (request, response) => {
    for (const type of ["ADDED", "BOOKMARK", "MODIFIED", "DELETED"])
      response.write(`${JSON.stringify({ type, object: CONFIG_MAP })}\n`);
    response.end(ends[request.url?.slice(1) ?? ""]);
  });
  const { api } = await openApi(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  for (const kind of Object.keys(ends)) {
    const events: string[] = [];
    const end = await api.watch(`/${kind}`, (event) => void events.push(event.kind), neverAborted);
    assert.deepEqual([end, events], [{ kind }, ["modified", "bookmark", "modified", "deleted"]]);
  }
});

test("reads a list page by page where the query asks for pages, and takes no page for a list", async (t) => {
  const mock = await serve(t, (_, response) => {
    const metadata = { resourceVersion: "7", continue: "next", remainingItemCount: 3 };
    sendJson(response, { apiVersion: "v1", kind: "NodeList", metadata, items: [{ metadata: { name: "a" } }] });
  });
  const { api } = await openApi(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const page = await api.read("/api/v1/nodes?limit=1", neverAborted);
  assert.equal(page.kind === "ok" && textAt(page.object, "metadata", "continue"), "next");
  const list = await api.read("/api/v1/nodes", neverAborted);
  assert.equal(list.kind, "refused");
});

test("asks for the metadata of an object alone, and takes those of no other", async (t) => {
  const accepted: string[] = [];
  const mock = await serve(t, (request, response) => {
    accepted.push(request.headers.accept ?? "");
    const metadata = { name: "rendered-worker-1", annotations: { a: "b" } };
    sendJson(response, { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata });
  });
  const { api } = await openApi(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const path = "/apis/machineconfiguration.openshift.io/v1/machineconfigs";
  const found = await api.read(`${path}/rendered-worker-1`, neverAborted, "metadata");
  assert.equal(found.kind === "ok" && textAt(found.object, "metadata", "annotations", "a"), "b");
  assert.match(accepted[0] ?? "", /;as=PartialObjectMetadata;/);
  assert.equal((await api.read(`${path}/rendered-worker-2`, neverAborted, "metadata")).kind, "refused");
  assert.equal((await api.read(`${path}/rendered-worker-1`, neverAborted)).kind, "refused");
});
