import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { Agent } from "node:http";
import { after, before, test } from "node:test";
import { type ApiClient, createApiClient } from "../../src/controller/api/api-client.ts";

type ReceivedRequest = { readonly method: string; readonly url: string; readonly type: string; readonly body: string };

let server: Server;
let agent: Agent;
let api: ApiClient;
let status = 200;
const received: ReceivedRequest[] = [];

before(async () => {
  server = createServer((request, response) => {
    void readBody(request).then((body) => {
      received.push({
        method: request.method ?? "",
        url: request.url ?? "",
        type: request.headers["content-type"] ?? "",
        body,
      });
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: `answered ${status}` }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  // One connection, so that what one request leaves on it would spoil the next.
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const access = { headers: {}, agent };
  const connection = { server: `http://127.0.0.1:${port}`, context: "", from: "", close: () => {} };
  api = createApiClient({ ...connection, access: async () => access, renew: async () => access }, "test");
});
after(async () => {
  agent.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
});

async function readBody(message: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of message) text += String(chunk);
  return text;
}

const signal = new AbortController().signal;

test("every kind of change arrives with its body, a DELETE too, and leaves the connection clean", async () => {
  status = 200;
  for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const) {
    const body = { preconditions: { uid: "ü" } };
    const type = "application/merge-patch+json";
    const answer = await api.write({ method, path: "/one", body, ...(method === "PATCH" ? { type } : {}) }, signal);
    assert.equal(answer.kind, "ok");
    const contentType = method === "PATCH" ? type : "application/json";
    assert.deepEqual(received.at(-1), { method, url: "/one", type: contentType, body: JSON.stringify(body) });
    assert.equal((await api.read("/two", signal)).kind, "ok");
    assert.deepEqual(received.at(-1), { method: "GET", url: "/two", type: "", body: "" });
  }
});

test("answers are told apart", async () => {
  for (const [code, kind] of [
    [404, "absent"],
    [409, "conflict"],
    [403, "refused"],
    [500, "refused"],
  ] as const) {
    status = code;
    const answer = await api.read("/", signal);
    assert.deepEqual([answer.kind, answer.kind === "ok" ? "" : answer.message], [kind, `answered ${code}`]);
  }
});

test("an API server that isn't there is unreachable, and so is one that is asked too late", async () => {
  const nowhere = { server: "http://127.0.0.1:1", context: "", from: "", close: () => {} };
  const access = { headers: {}, agent };
  const gone = createApiClient({ ...nowhere, access: async () => access, renew: async () => access }, "test");
  assert.equal((await gone.read("/", signal)).kind, "unreachable");
  assert.equal((await api.read("/", AbortSignal.abort())).kind, "unreachable");
});
