import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { type TestContext, test } from "node:test";
import type { JsonObject } from "../../src/model/json.ts";
import type { Reader } from "../../src/model/reader.ts";
import { parseResource } from "../../src/model/resource.ts";
import {
  createCollector,
  type MockServer,
  neverAborted,
  openReader,
  serve,
  writeKubeconfig,
} from "../support/cluster/mock-server.ts";

const PAGE = "404 page not found\n";
const GROUPS = listGroups("apiextensions.k8s.io/v1", "example.org/v1", "example.org/v1beta1");
const KINDS = listKinds("example.org/v1", "widgets", "gadgets/status");

function listGroups(...groupVersions: readonly string[]): JsonObject {
  const groups = groupVersions.map((one) => ({ name: one.split("/")[0] ?? "", versions: [{ groupVersion: one }] }));
  return { kind: "APIGroupList", apiVersion: "v1", groups };
}

function listKinds(groupVersion: string, ...names: readonly string[]): JsonObject {
  return { kind: "APIResourceList", apiVersion: "v1", groupVersion, resources: names.map((name) => ({ name })) };
}

/** A Status for an object that does not exist; without a name, for a kind. */
function buildNotFound(name?: string, reason = "NotFound"): JsonObject {
  const message = name === undefined ? "the server could not find the requested resource" : `"${name}" not found`;
  const details: JsonObject = name === undefined ? {} : { name };
  return { kind: "Status", apiVersion: "v1", status: "Failure", code: 404, reason, message, details };
}

type Answers = Readonly<Record<string, JsonObject | string | number>>;

/** A server that answers what is given, a number as the code of a Status, and everything else with `other` and 404. */
async function openCluster(
  t: TestContext,
  answers: Answers,
  other: JsonObject | string = PAGE,
): Promise<{ readonly reader: Reader; readonly mock: MockServer }> {
  const mock = await serve(t, (request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    const answer = answers[path];
    if (answer === undefined) return send(response, 404, other);
    if (typeof answer === "number") return send(response, answer, { kind: "Status", code: answer });
    return send(response, 200, answer);
  });
  return { ...(await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }))), mock };
}

function send(response: ServerResponse, code: number, body: JsonObject | string): void {
  response.writeHead(code).end(typeof body === "string" ? body : JSON.stringify(body));
}

const list = (reader: Reader, resource: string) =>
  reader.list(parseResource(resource), createCollector().begin, neverAborted);
const ABSENT_KIND = { kind: "absent", what: "resource" };

const ABSENT: readonly (readonly [string, string, Answers])[] = [
  ["the group", "other.example.org/v1/things", { "/apis": GROUPS }],
  ["this version of the group", "example.org/v2/widgets", { "/apis": GROUPS }],
  ["the kind", "example.org/v1/gadgets", { "/apis": GROUPS, "/apis/example.org/v1": KINDS }],
  ["the kind, although /apis can't be read", "example.org/v1/gadgets", { "/apis": 403, "/apis/example.org/v1": KINDS }],
];

for (const [what, resource, answers] of ABSENT) {
  test(`a kind that is answered with 404 is absent if discovery lacks ${what}`, async (t) => {
    for (const other of [PAGE, buildNotFound()]) {
      const { reader } = await openCluster(t, answers, other);
      assert.deepEqual(await list(reader, resource), ABSENT_KIND);
      assert.deepEqual(await reader.get({ resource: parseResource(resource), name: "a" }, neverAborted), ABSENT_KIND);
    }
  });
}

const UNKNOWN: readonly (readonly [string, string, Answers, RegExp])[] = [
  [
    "every API server has it",
    "v1/nodes",
    { "/apis": GROUPS },
    /but every API server serves nodes: check the server's URL/,
  ],
  ["every API server has it", "apps/v1/deployments", { "/apis": GROUPS }, /every API server serves deployments\.apps/],
  ["every API server has it", "policy/v1/poddisruptionbudgets", { "/apis": GROUPS }, /every API server serves/],
  ["every API server has it", "apiextensions.k8s.io/v1/customresourcedefinitions", {}, /every API server serves/],
  [
    "discovery lists it",
    "example.org/v1/widgets",
    { "/apis": GROUPS, "/apis/example.org/v1": KINDS },
    /but \/apis\/example\.org\/v1 lists widgets\.example\.org: check the server's URL, and any proxy/,
  ],
  ["discovery answers 404 too", "example.org/v1/widgets", {}, /but \/apis does not show what is served \(/],
  ["discovery is forbidden", "example.org/v1/widgets", { "/apis": 403 }, /\/apis does not show what is served/],
  ["discovery fails", "example.org/v1/widgets", { "/apis": 500 }, /\/apis does not show what is served/],
  ["discovery is a login page", "example.org/v1/widgets", { "/apis": "<html>log in</html>" }, /\/apis does not show/],
  [
    "the list of groups is not that of an API server",
    "example.org/v1/widgets",
    { "/apis": { kind: "APIGroupList", groups: [] } },
    /\/apis does not show what is served \(it was answered with something else\)/,
  ],
  [
    "the version's kinds are those of another version",
    "example.org/v1/gadgets",
    { "/apis": GROUPS, "/apis/example.org/v1": listKinds("example.org/v2", "widgets") },
    /\/apis\/example\.org\/v1 does not show what is served/,
  ],
  [
    "the version's kinds can't be read",
    "example.org/v1/gadgets",
    { "/apis": GROUPS },
    /\/apis\/example\.org\/v1 does not show what is served/,
  ],
];

for (const [why, resource, answers, expected] of UNKNOWN) {
  test(`a 404 does not make ${resource} absent if ${why}`, async (t) => {
    for (const other of [PAGE, buildNotFound()]) {
      const { reader } = await openCluster(t, answers, other);
      const results = [
        await list(reader, resource),
        await reader.get({ resource: parseResource(resource), name: "a" }, neverAborted),
      ];
      for (const result of results) {
        assert.ok(result.kind === "failed" && result.reason === "NotUnderstood", JSON.stringify(result));
        assert.match(result.message, expected);
      }
    }
  });
}

test("a named object is absent only if the API server says that this object is not found", async (t) => {
  const location = { resource: parseResource("v1/configmaps"), namespace: "n", name: "a" };
  const read = async (other: JsonObject | string) =>
    (await openCluster(t, { "/apis": GROUPS }, other)).reader.get(location, neverAborted);
  assert.deepEqual(await read(buildNotFound("a")), { kind: "absent", what: "object" });
  for (const other of [PAGE, buildNotFound(), buildNotFound("b"), buildNotFound("a", "Unknown")])
    assert.partialDeepStrictEqual(await read(other), { kind: "failed", reason: "NotUnderstood" });
});

test("discovery is read only after a 404, and each path once a cycle", async (t) => {
  const answers = {
    "/apis": GROUPS,
    "/apis/example.org/v1": KINDS,
    "/apis/example.org/v1/widgets": { kind: "WidgetList", apiVersion: "example.org/v1", items: [] },
  };
  const { reader, mock } = await openCluster(t, answers);
  const takePaths = (): readonly string[] =>
    mock.requests.splice(0).flatMap(({ url = "" }) => (url.includes("?") ? [] : [url]));
  for (const _ of ["first cycle", "second cycle"]) {
    const cycle = reader.forCycle?.() ?? reader;
    await list(cycle, "example.org/v1/widgets");
    assert.deepEqual(takePaths(), []);
    await Promise.all(["gadgets", "gizmos"].map((plural) => list(cycle, `example.org/v1/${plural}`)));
    await list(cycle, "other.example.org/v1/things");
    await cycle.raw("/apis", () => () => true, neverAborted);
    assert.deepEqual(takePaths(), ["/apis", "/apis/example.org/v1"]);
  }
});

test("a read whose discovery was requested by one that ran out of time requests it again", async (t) => {
  const gone = new AbortController();
  let isSilent = true;
  const mock = await serve(t, ({ url = "" }, response) => {
    if (url !== "/apis") return send(response, 404, PAGE);
    if (!isSilent) return send(response, 200, GROUPS);
    isSilent = false;
    return gone.abort();
  });
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const cycle = reader.forCycle?.() ?? reader;
  const resource = parseResource("other.example.org/v1/things");
  const [abandoned, patient] = await Promise.all([
    cycle.list(resource, createCollector().begin, gone.signal),
    cycle.list(resource, createCollector().begin, neverAborted),
  ]);
  assert.partialDeepStrictEqual(abandoned, { kind: "failed", reason: "Cancelled" });
  assert.deepEqual(patient, ABSENT_KIND);
});

test("a text is absent only if discovery lacks its version", async (t) => {
  const { reader } = await openCluster(t, { "/apis": GROUPS });
  const read = (path: string) => reader.raw(path, () => () => true, neverAborted);
  assert.deepEqual(await read("/apis/other.example.org/v1"), ABSENT_KIND);
  for (const path of ["/apis/example.org/v1", "/metrics", "/version"])
    assert.partialDeepStrictEqual(await read(path), { kind: "failed", reason: "NotUnderstood" });
  const { reader: broken } = await openCluster(t, {});
  for (const path of ["/apis", "/apis/example.org/v1"])
    assert.partialDeepStrictEqual(await broken.raw(path, () => () => true, neverAborted), { kind: "failed" });
});
