import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { type TestContext, test } from "node:test";
import { parseQueryResponse } from "../../src/cluster/monitoring/monitoring.ts";
import type { QueryAnswer } from "../../src/model/reader.ts";
import { sendJson } from "../../verify/api-server/api-responses.ts";
import { createAuthority, type CertificateAuthority, noOpenssl } from "../../verify/api-server/certificates.ts";
import { createFolder, type MockServer, serve } from "../support/cluster/mock-server.ts";
import {
  ask,
  buildMonitoringObjects,
  buildVector,
  createMonitoredReader,
  guardWithToken,
  INGRESS_CA_PATH,
  ROUTE_HOST,
  ROUTE_PATH,
  SERVER_NAME,
  SERVICE_CA_PATH,
  SERVICE_PATH,
  TOKEN,
} from "../support/cluster/monitoring.ts";
import { startConnectProxy } from "../support/cluster/proxies.ts";

const WHO = { server: "host", access: "service" } as const;

test("the result of a query is the value of each series", () => {
  const parse = (body: unknown, status = 200): QueryAnswer => parseQueryResponse(status, JSON.stringify(body), WHO);
  assert.deepEqual(parse(buildVector("1")), { kind: "vector", values: [1] });
  assert.deepEqual(parse(buildVector("0", "-0.5e1", "NaN", "+Inf", "", "0x1", "1 ")), {
    kind: "vector",
    values: [0, -5, NaN, NaN, NaN, NaN, NaN],
  });
  assert.deepEqual(parse(buildVector()), { kind: "vector", values: [] });
  const histogram = { status: "success", data: { resultType: "vector", result: [{ metric: {}, histogram: [0, {}] }] } };
  assert.deepEqual(parse(histogram), { kind: "vector", values: [NaN] });
  assert.deepEqual(parse({ status: "success", data: { resultType: "scalar", result: [1, "1"] } }), {
    kind: "noVector",
    message: "its result is a scalar, not a vector",
  });
  assert.deepEqual(parse({ status: "error", errorType: "bad_data", error: "1:4: parse error: unexpected end" }, 400), {
    kind: "noVector",
    message: "bad_data: 1:4: parse error: unexpected end",
  });
});

test("what is no result is a failure that says who answered what", () => {
  const cases: readonly (readonly [status: number, text: string, reason: string, message: RegExp])[] = [
    [200, "<html>log in</html>", "NotUnderstood", /^host answers with something else than a result$/],
    [200, "{}", "NotUnderstood", /something else/],
    [302, "", "NotUnderstood", /^host redirects \(302\), which is not followed$/],
    [400, "<html>", "ServerError", /^host answers with 400$/],
    [401, "Unauthorized", "Unauthorized", /^host does not accept the token \(401\): log in again, or renew it$/],
    [403, "no", "Forbidden", /no right to query \(403\): "preflight rbac --promql service" prints it/],
    [503, '{"status":"error","errorType":"timeout","error":"slow"}', "ServerError", /with 503: timeout: slow$/],
    [503, "<html>Application is not available</html>", "ServerError", /^host answers with 503$/],
  ];
  for (const [status, text, reason, message] of cases) {
    const answer = parseQueryResponse(status, text, WHO);
    assert.partialDeepStrictEqual(answer, { kind: "failed", reason });
    assert.match(answer.kind === "failed" ? answer.message : "", message);
  }
});

type Monitoring = { readonly mock: MockServer; readonly authority: CertificateAuthority; readonly cert: string };

/** A monitoring with a certificate for the Service's name and the Route's host. */
async function startMonitoring(t: TestContext, answer: RequestListener): Promise<Monitoring> {
  const authority = createAuthority(createFolder(t));
  const pair = authority.issue("thanos", `DNS:${SERVER_NAME},DNS:${ROUTE_HOST}`);
  return { mock: await serve(t, guardWithToken(answer), pair), authority, cert: pair.cert };
}

test("asks the Service by its address, with the token and nothing else", { skip: noOpenssl }, async (t) => {
  const { mock, authority } = await startMonitoring(t, (_, response) => sendJson(response, buildVector("1")));
  const objects = buildMonitoringObjects(mock.port, authority.ca.cert);
  const expression = 'max(up{job="a b"}) + 1 > bool 0 # &=';
  assert.deepEqual(await ask(expression, objects), { kind: "vector", values: [1] });
  const [request] = mock.requests;
  assert.equal(request?.method, "GET");
  const url = new URL(request.url ?? "", mock.url);
  assert.deepEqual([url.pathname, url.searchParams.get("query")], ["/api/v1/query", expression]);
  assert.deepEqual(Object.keys(request.headers).toSorted(), [
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "host",
    "user-agent",
  ]);
  await t.test("a token that is not accepted is no answer, and is in no text", async () => {
    const answer = await ask("up", objects, { headers: { Authorization: "Bearer other-secret" } });
    assert.partialDeepStrictEqual(answer, { kind: "failed", reason: "Unauthorized" });
    assert.ok(!JSON.stringify(answer).includes("other-secret"));
  });
  await t.test("without a token nothing is sent", async () => {
    const count = mock.requests.length;
    const message = /^the context here has no token, .*: log in with "oc login"$/;
    for (const authorization of [undefined, { Authorization: "Basic dTpw" }]) {
      const answer = await ask("up", objects, { headers: { ...authorization } });
      assert.partialDeepStrictEqual(answer, { kind: "failed", reason: "Unauthorized" });
      assert.match(answer.kind === "failed" ? answer.message : "", message);
    }
    const acting = { Authorization: `Bearer ${TOKEN}`, "Impersonate-User": "somebody" };
    assert.partialDeepStrictEqual(await ask("up", objects, { headers: acting }), { reason: "Unauthorized" });
    assert.equal(mock.requests.length, count);
  });
  await t.test("only the cluster's own authority vouches for the Service's name", async () => {
    const { ca } = createAuthority(createFolder(t));
    const count = mock.requests.length;
    const answer = await ask("up", buildMonitoringObjects(mock.port, ca.cert));
    assert.partialDeepStrictEqual(answer, { kind: "failed", reason: "Unreachable" });
    assert.match(JSON.stringify(answer), /svc: its certificate is not trusted .* by ConfigMap openshift-monitoring\//);
    const other = await serve(t, (_, response) => sendJson(response, buildVector("0")), authority.issue("other"));
    assert.match(
      JSON.stringify(await ask("up", buildMonitoringObjects(other.port, authority.ca.cert))),
      /another name/,
    );
    assert.deepEqual([mock.requests.length, other.requests.length], [count, 0]);
  });
});

test("asks the Route's host over the environment's proxy", { skip: noOpenssl }, async (t) => {
  const { mock, authority, cert } = await startMonitoring(t, (_, response) => sendJson(response, buildVector("0")));
  const proxy = await startConnectProxy(t, undefined, undefined, mock.port);
  const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
  const objects = buildMonitoringObjects(mock.port, authority.ca.cert);
  assert.deepEqual(await ask("up", objects, { access: "route", env }), { kind: "vector", values: [0] });
  assert.deepEqual([proxy.requests, proxy.logins], [[`${ROUTE_HOST}:443`], [""]]);
  // A cluster may publish the certificate without its authority.
  const published = buildMonitoringObjects(mock.port, cert);
  assert.deepEqual(await ask("up", published, { access: "route", env }), { kind: "vector", values: [0] });
  const { [INGRESS_CA_PATH]: _, ...untrusted } = objects;
  const answer = JSON.stringify(await ask("up", untrusted, { access: "route", env }));
  assert.match(answer, /NODE_EXTRA_CA_CERTS; the cluster has no ConfigMap openshift-config-managed/);
  assert.equal(mock.requests.length, 2);
});

test("follows no redirect, so that no other host gets the token", { skip: noOpenssl }, async (t) => {
  const other = await serve(t, (_, response) => sendJson(response, buildVector("1")));
  const { mock, authority } = await startMonitoring(t, (_, response) =>
    response.writeHead(302, { location: `${other.url}/api/v1/query` }).end(),
  );
  const answer = await ask("up", buildMonitoringObjects(mock.port, authority.ca.cert));
  assert.partialDeepStrictEqual(answer, { kind: "failed", reason: "NotUnderstood" });
  assert.deepEqual([mock.requests.length, other.requests.length], [1, 0]);
});

test("bounds what it sends, what it reads and how long it waits", { skip: noOpenssl }, async (t) => {
  const silence = new AbortController();
  const { mock, authority } = await startMonitoring(t, (request, response) => {
    if (request.url?.includes("silent") === true) silence.abort(new DOMException("late", "TimeoutError"));
    if (request.url?.includes("endless") !== true) return;
    response.writeHead(200);
    const write = (): void => {
      if (!response.destroyed) response.write("x".repeat(1 << 16), () => setImmediate(write));
    };
    write();
  });
  const objects = buildMonitoringObjects(mock.port, authority.ca.cert);
  assert.partialDeepStrictEqual(await ask("endless", objects), {
    kind: "noVector",
    message: "its result has more than 1 MiB",
  });
  assert.partialDeepStrictEqual(await ask("silent", objects, { signal: silence.signal }), {
    kind: "failed",
    reason: "TimedOut",
    message: `${SERVER_NAME} took too long`,
  });
  assert.partialDeepStrictEqual(await ask("up", objects, { signal: AbortSignal.timeout(100), hangs: true }), {
    kind: "failed",
    reason: "TimedOut",
    message: "the token took too long",
  });
  const count = mock.requests.length;
  assert.partialDeepStrictEqual(await ask("x".repeat(20_000), objects), { kind: "failed", reason: "TooLarge" });
  assert.equal(mock.requests.length, count);
});

test("says what leads to no monitoring", async () => {
  const objects = buildMonitoringObjects(1, "");
  const { [SERVICE_PATH]: service } = objects;
  const badPort = { clusterIP: "127.0.0.1", ports: [{ name: "web", port: 99_999 }] };
  const forbidden = { kind: "failed", reason: "Forbidden", message: "no right" } as const;
  const cases = [
    ["route", {}, "Unreachable", /^the cluster has no Route openshift-monitoring\/thanos-querier$/],
    [
      "route",
      { [ROUTE_PATH]: forbidden },
      "Forbidden",
      /^no right to read Route \S+: "preflight rbac --promql route" prints it$/,
    ],
    ["service", {}, "Unreachable", /^the cluster has no Service openshift-monitoring\/thanos-querier$/],
    ["service", { [SERVICE_PATH]: { ...service, spec: { clusterIP: "None" } } }, "NotUnderstood", /no address/],
    ["service", { [SERVICE_PATH]: { ...service, spec: badPort } }, "NotUnderstood", /no port web$/],
    ["service", { ...objects, [SERVICE_CA_PATH]: forbidden }, "Forbidden", /^no right to read ConfigMap \S+: /],
    ["service", objects, "NotUnderstood", /^ConfigMap \S+\/openshift-service-ca.crt has no certificate$/],
  ] as const;
  for (const [access, given, reason, message] of cases) {
    const answer = await ask("up", given, { access });
    assert.partialDeepStrictEqual(answer, { kind: "failed", reason });
    assert.match(answer.kind === "failed" ? answer.message : "", message);
  }
});

test("a Route's host is a name and nothing else", async () => {
  const { [ROUTE_PATH]: route } = buildMonitoringObjects(1, "");
  const hosts = [
    "user@evil.example",
    "evil.example/a",
    "evil.example:1",
    "127.0.0.1",
    "0x7f.1",
    "1.2.3.256",
    "a b.c",
    "",
  ];
  for (const host of hosts) {
    const answer = await ask("up", { [ROUTE_PATH]: { ...route, spec: { host } } }, { access: "route" });
    assert.partialDeepStrictEqual(answer, { kind: "failed", reason: "NotUnderstood" }, host);
    assert.match(answer.kind === "failed" ? answer.message : "", /^Route \S+ names no host$/);
  }
});

test("a port that nobody listens at is no monitoring", { skip: noOpenssl }, async (t) => {
  const { ca } = createAuthority(createFolder(t));
  const answer = await ask("up", buildMonitoringObjects(1, ca.cert));
  assert.deepEqual(answer, {
    kind: "failed",
    reason: "Unreachable",
    message: `${SERVER_NAME} refused the connection`,
  });
});

test("what leads to the monitoring is read once in a cycle, and anew in the next", async () => {
  const reader = createMonitoredReader(buildMonitoringObjects(1, ""));
  const { signal } = new AbortController();
  for (let cycle = 1; cycle <= 2; cycle += 1) {
    const query = reader.forCycle?.().query;
    await query?.("a", signal);
    await query?.("b", signal);
    assert.equal(reader.paths.filter((path) => path === SERVICE_PATH).length, cycle);
  }
});
