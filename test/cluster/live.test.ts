import assert from "node:assert/strict";
import { test } from "node:test";
import { type Resource, parseResource } from "../../src/model/resource.ts";
import {
  createCollector,
  writeKubeconfig,
  neverAborted,
  openReader,
  serve,
  buildStatus,
} from "../support/cluster/mock-server.ts";
import { sendJson } from "../../verify/api-server/api-responses.ts";

const NODES = parseResource("v1/nodes");
const WIDGETS: Resource = parseResource("example.org/v1/widgets");

function buildNode(name: string, more: object = {}): object {
  return { metadata: { name }, ...more };
}

test("gets one object and counts its bytes, with the right headers and under the server's base path", async (t) => {
  const mock = await serve(t, (_, response) =>
    sendJson(response, { apiVersion: "v1", kind: "Node", metadata: { name: "a b" } }),
  );
  const file = writeKubeconfig(t, { cluster: { server: `${mock.url}/k8s/clusters/c-1/` } });
  const { reader } = await openReader(t, file);
  const got = await reader.get({ resource: NODES, name: "a b" }, neverAborted);
  assert.deepEqual(got, {
    kind: "found",
    object: { apiVersion: "v1", kind: "Node", metadata: { name: "a b" } },
    bytes: 59,
  });
  const [request] = mock.requests;
  assert.equal(request?.method, "GET");
  assert.equal(request?.url, "/k8s/clusters/c-1/api/v1/nodes/a%20b");
  const { accept, authorization, "accept-encoding": encoding, "user-agent": agent } = request?.headers ?? {};
  assert.deepEqual(
    [accept, authorization, encoding, agent],
    ["application/json", "Bearer t0", "identity", "target-release-preflight/1.2.3"],
  );
});

test("lists page by page, fills in apiVersion and kind, and keeps one connection", async (t) => {
  const mock = await serve(t, (request, response) => {
    const second = request.url?.includes("continue=next%2Bpage");
    sendJson(response, {
      kind: "NodeList",
      apiVersion: "v1",
      metadata: second ? {} : { continue: "next+page" },
      items: second
        ? [buildNode("c")]
        : [buildNode("a"), buildNode("b", { kind: "Node", apiVersion: "v1", own: true })],
    });
  });
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const seen = createCollector();
  const done = await reader.list(NODES, seen.begin, neverAborted);
  assert.equal(done.kind === "listed" && done.objects, 3);
  assert.deepEqual(
    seen.objects().map((one) => [one["apiVersion"], one["kind"], one["own"]]),
    [
      ["v1", "Node", undefined],
      ["v1", "Node", true],
      ["v1", "Node", undefined],
    ],
  );
  assert.deepEqual([seen.begun(), mock.sockets.size, mock.requests.length], [1, 1, 2]);
  assert.match(mock.requests[0]?.url ?? "", /^\/api\/v1\/nodes\?limit=250$/);
});

test("fills in kinds if the list gives its kind last, and treats null items as an empty list", async (t) => {
  const mock = await serve(t, (request, response) => {
    if (request.url?.startsWith("/api/"))
      response.end('{"items":null,"metadata":{},"kind":"NodeList","apiVersion":"v1"}');
    else
      response.end(
        '{"items":[{"metadata":{"name":"w"}}],"metadata":{},"kind":"WidgetList","apiVersion":"example.org/v1"}',
      );
  });
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const none = createCollector();
  const seen = createCollector();
  const empty = await reader.list(NODES, none.begin, neverAborted);
  assert.deepEqual(empty, { kind: "listed", objects: 0, bytes: 64, version: undefined });
  await reader.list(WIDGETS, seen.begin, neverAborted);
  assert.deepEqual(seen.objects(), [{ apiVersion: "example.org/v1", kind: "Widget", metadata: { name: "w" } }]);
});

test("starts over with fewer objects if a page is far too large, and gives up if the server ignores the limit", async (t) => {
  const mib = "x".repeat(1 << 20);
  const mock = await serve(t, (request, response) => {
    const count = request.url?.includes("deaf")
      ? 300
      : Math.min(70, Number(/limit=(\d+)/.exec(request.url ?? "")?.[1]));
    const text = request.url?.includes("deaf") ? mib.slice(0, 230_000) : mib;
    const kind = request.url?.includes("deaf") ? "DeafList" : "WidgetList";
    response.write(`{"kind":"${kind}","apiVersion":"example.org/v1","items":[`);
    for (let i = 0; i < count; i++) response.write(`${i ? "," : ""}{"metadata":{"name":"n${i}"},"text":"${text}"}`);
    response.end('],"metadata":{}}');
  });
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const seen = createCollector();
  const done = await reader.list(WIDGETS, seen.begin, neverAborted);
  assert.deepEqual([done.kind, seen.begun()], ["listed", 2]);
  assert.match(mock.requests[1]?.url ?? "", /limit=3[12]$/);
  assert.equal(seen.names().length, Number(/\d+$/.exec(mock.requests[1]?.url ?? "")?.[0]));
  const deaf = await reader.list(parseResource("example.org/v1/deaf"), createCollector().begin, neverAborted);
  assert.ok(deaf.kind === "failed" && deaf.reason === "TooLarge", JSON.stringify(deaf));
});

for (const [what, value] of [
  ["of more than 8 MiB", JSON.stringify("x".repeat(9 << 20))],
  ["that is nested more than 1,000 deep", `${"[".repeat(20_000)}${"]".repeat(20_000)}`],
] as const)
  test(`rejects an object ${what}, from a get or a list`, async (t) => {
    const mock = await serve(t, (request, response) => {
      const one = JSON.stringify(buildNode("a", { apiVersion: "v1", kind: "Node", text: "@" })).replace('"@"', value);
      response.end(request.url?.includes("limit") ? `{"kind":"NodeList","apiVersion":"v1","items":[${one}]}` : one);
    });
    const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
    for (const read of [
      reader.get({ resource: NODES, name: "a" }, neverAborted),
      reader.list(NODES, createCollector().begin, neverAborted),
    ]) {
      const got = await read;
      assert.ok(got.kind === "failed" && got.reason === "TooLarge", JSON.stringify(got));
    }
  });

test("starts over if the continue token expired, and fails if it keeps expiring", async (t) => {
  let expired = 0;
  const mock = await serve(t, (request, response) => {
    const late = request.url?.includes("continue=");
    if (late && (request.url?.includes("widgets") || expired++ < 2)) {
      return sendJson(response, buildStatus(410, "Expired", "The provided continue parameter is too old"), 410);
    }
    const items = late ? [buildNode("b")] : [buildNode(`a${expired}`)];
    const type = request.url?.includes("widgets")
      ? { kind: "WidgetList", apiVersion: "example.org/v1" }
      : { kind: "NodeList", apiVersion: "v1" };
    return sendJson(response, { ...type, metadata: late ? {} : { continue: "c" }, items });
  });
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const seen = createCollector();
  assert.equal((await reader.list(NODES, seen.begin, neverAborted)).kind, "listed");
  assert.deepEqual([seen.begun(), seen.names()], [3, ["a2", "b"]]);
  const before = mock.requests.length;
  const failed = await reader.list(WIDGETS, createCollector().begin, neverAborted);
  assert.ok(failed.kind === "failed" && failed.reason === "ServerError", JSON.stringify(failed));
  assert.equal(mock.requests.length - before, 8);
});

test("obeys Retry-After in seconds or as a date, up to a limit", async (t) => {
  const answers = [
    [429, "2"],
    [503, "Thu, 01 Jan 1970 00:00:07 GMT"],
    [429, "86400"],
  ] as const;
  const mock = await serve(t, (_, response) => {
    const [code, after] = answers[mock.requests.length - 1] ?? [200, ""];
    if (code === 200) return sendJson(response, { apiVersion: "v1", kind: "Node", metadata: { name: "a" } });
    return sendJson(response, buildStatus(code, "TooManyRequests", "slow down"), code, { "retry-after": after });
  });
  const { reader, slept } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  assert.equal((await reader.get({ resource: NODES, name: "a" }, neverAborted)).kind, "found");
  assert.deepEqual(
    slept.map((ms) => Math.floor(ms / 1000)),
    [2, 5, 30],
  );
});

test("retries server errors and resets five times with backoff, and reports the server's own message", async (t) => {
  const mock = await serve(t, (request, response) => {
    if (request.url?.includes("reset")) return request.socket.destroy();
    return sendJson(
      response,
      buildStatus(500, "InternalError", "conversion webhook for example.org/v1 failed: refused"),
      500,
    );
  });
  const { reader, slept } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const failed = await reader.list(WIDGETS, createCollector().begin, neverAborted);
  const message = "conversion webhook for example.org/v1 failed: refused (500)";
  assert.deepEqual(failed, { kind: "failed", reason: "ServerError", message });
  assert.deepEqual([mock.requests.length, slept], [5, [250, 500, 1000, 2000]]);
  const reset = await reader.get({ resource: NODES, name: "reset" }, neverAborted);
  assert.deepEqual(reset, { kind: "failed", reason: "Unreachable", message: `${mock.url} cut the connection` });
  assert.equal(mock.requests.length, 10);
});

test("resumes if a later page was cut off, and starts over if the first was, so that no object appears twice", async (t) => {
  let cuts = 0;
  const mock = await serve(t, (request, response) => {
    const late = request.url?.includes("continue=");
    const names = late ? ["c", "d", "e"] : ["a", "b"];
    const text = JSON.stringify({
      items: names.map((name) => buildNode(name)),
      kind: "NodeList",
      apiVersion: "v1",
      metadata: late ? {} : { continue: "c" },
    });
    if (cuts++ % 2 === 1) return response.writeHead(200, { "content-length": text.length }).end(text);
    response
      .writeHead(200, { "content-length": text.length })
      .write(`{"kind":"NodeList","apiVersion":"v1",${text.slice(1, -60)}`);
    return setTimeout(() => request.socket.destroy(), 20);
  });
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const seen = createCollector();
  const all: string[] = [];
  const begin = (): ReturnType<typeof seen.begin> => {
    const visit = seen.begin();
    return (object) => {
      visit(object);
      all.push(seen.names().at(-1) ?? "");
    };
  };
  const done = await reader.list(NODES, begin, neverAborted);
  assert.equal(done.kind, "listed");
  assert.deepEqual(seen.names(), ["a", "b", "c", "d", "e"]);
  assert.equal(mock.requests.length, 4);
  assert.ok(all.length > 5, "objects of the first page came before it was cut");
});

test("retries if a body ends early without an error, then reports it as not understood", async (t) => {
  const mock = await serve(t, (request, response) => {
    response.writeHead(200, { connection: "close" });
    const isNodes = request.url?.includes("nodes");
    const whole = mock.requests.length > 1 && isNodes;
    const type = isNodes ? '"kind":"NodeList","apiVersion":"v1"' : '"kind":"WidgetList","apiVersion":"example.org/v1"';
    response.end(`{${type},"metadata":{},"items":[{"metadata":{"name":"a"}}${whole ? "]}" : ""}`);
  });
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const seen = createCollector();
  assert.equal((await reader.list(NODES, seen.begin, neverAborted)).kind, "listed");
  assert.deepEqual([seen.begun(), seen.names()], [2, ["a"]]);
  const failed = await reader.list(WIDGETS, createCollector().begin, neverAborted);
  assert.ok(
    failed.kind === "failed" && failed.reason === "NotUnderstood" && failed.message.endsWith("it is incomplete"),
  );
});

const ANSWERS: readonly (readonly [string, number, string | object, object])[] = [
  [
    "a missing object",
    404,
    buildStatus(404, "NotFound", 'nodes "x" not found', { name: "x", kind: "nodes" }),
    { kind: "absent", what: "object" },
  ],
  ["someone else's 404", 404, "<html>nginx</html>", { kind: "failed", reason: "NotUnderstood" }],
  [
    "forbidden",
    403,
    buildStatus(403, "Forbidden", 'nodes "x" is forbidden: User "u" cannot get'),
    { kind: "failed", reason: "Forbidden", message: 'nodes "x" is forbidden: User "u" cannot get' },
  ],
  [
    "a bad request",
    400,
    buildStatus(400, "BadRequest", "bad"),
    { kind: "failed", reason: "ServerError", message: "bad (400)" },
  ],
  ["gone", 410, buildStatus(410, "Gone", "gone"), { kind: "failed", reason: "ServerError" }],
  ["a redirect", 302, "", { kind: "failed", reason: "NotUnderstood" }],
  ["a login page", 200, "<html>log in</html>", { kind: "failed", reason: "NotUnderstood" }],
  ["a Status with 200", 200, buildStatus(200, "", ""), { kind: "failed", reason: "NotUnderstood" }],
  [
    "a list's answer without items",
    200,
    { kind: "NodeMetrics", apiVersion: "v1" },
    { kind: "failed", reason: "NotUnderstood" },
  ],
];

for (const [what, code, body, expected] of ANSWERS) {
  test(`classifies ${what} (${code})`, async (t) => {
    const mock = await serve(t, (_, response) => {
      response.writeHead(code, { location: "/elsewhere" }).end(typeof body === "string" ? body : JSON.stringify(body));
    });
    const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
    const listed = await reader.list(NODES, createCollector().begin, neverAborted);
    const got = what.startsWith("a list's") ? listed : await reader.get({ resource: NODES, name: "x" }, neverAborted);
    assert.partialDeepStrictEqual(got, expected);
    if (code === 200) assert.partialDeepStrictEqual(listed, expected);
    assert.ok(mock.requests.every((request) => !request.url?.includes("elsewhere")));
  });
}

test("tells a timeout from a cancellation: before the request, in flight, in a body, during a pause", async (t) => {
  const stuck = new AbortController();
  const mock = await serve(t, (request, response) => {
    if (request.url?.includes("slow-body")) response.write('{"kind":"NodeList","items":[');
    if (request.url?.includes("again")) sendJson(response, buildStatus(503, "x", "x"), 503, { "retry-after": "1000" });
    stuck.abort();
  });
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  for (const [name, signal, reason] of [
    ["now", AbortSignal.abort(new DOMException("late", "TimeoutError")), "TimedOut"],
    ["now", AbortSignal.abort(), "Cancelled"],
    ["hung", stuck.signal, "Cancelled"],
    ["hung", AbortSignal.timeout(40), "TimedOut"],
  ] as const) {
    const got = await reader.get({ resource: NODES, name }, signal);
    assert.partialDeepStrictEqual(got, { kind: "failed", reason });
  }
  const body = await reader.list(parseResource("v1/slow-body"), createCollector().begin, AbortSignal.timeout(40));
  assert.partialDeepStrictEqual(body, { kind: "failed", reason: "TimedOut" });
});

test("gives up on a silent connection, before and during a response", async (t) => {
  const mock = await serve(t, (request, response) => {
    if (request.url?.includes("widgets")) response.write('{"kind":"WidgetList","items":[');
  });
  const { reader, slept } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }), 30);
  for (const read of [
    reader.get({ resource: NODES, name: "a" }, neverAborted),
    reader.list(WIDGETS, createCollector().begin, neverAborted),
  ]) {
    assert.partialDeepStrictEqual(await read, { kind: "failed", reason: "TimedOut" });
  }
  // The server sees each only if it takes it before the connection is given up.
  assert.equal(slept.length, 2 * 4, "each is tried five times");
});

test("rethrows what a visitor throws and releases the response", async (t) => {
  const mock = await serve(t, (_, response) => {
    response.write(`{"kind":"NodeList","apiVersion":"v1","items":[${JSON.stringify(buildNode("a"))},`);
  });
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const closed = new Promise((resolve) =>
    setInterval(() => [...mock.sockets][0]?.destroyed && resolve(true), 5).unref(),
  );
  const listing = reader.list(
    NODES,
    () => () => {
      throw new RangeError("the visitor's own");
    },
    neverAborted,
  );
  await assert.rejects(listing, RangeError);
  assert.equal(await closed, true);
});

test("reports a refused connection after retries", async (t) => {
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: "http://127.0.0.1:1" } }));
  const message = "http://127.0.0.1:1 refused the connection";
  assert.deepEqual(await reader.get({ resource: NODES, name: "a" }, neverAborted), {
    kind: "failed",
    reason: "Unreachable",
    message,
  });
});

test("reports an unknown host name", async (t) => {
  const { reader, slept } = await openReader(
    t,
    writeKubeconfig(t, { cluster: { server: "https://cluster.invalid:6443" } }),
  );
  const got = await reader.get({ resource: NODES, name: "a" }, neverAborted);
  assert.ok(
    got.kind === "failed" && got.reason === "Unreachable" && got.message.startsWith("https://cluster.invalid:6443"),
  );
  assert.ok(slept.length === 0 || got.message.includes("EAI_AGAIN"), got.message);
});
