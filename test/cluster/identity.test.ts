import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { JsonObject } from "../../src/model/json.ts";
import type { ListPart } from "../../src/model/reader.ts";
import { type Resource, parseResource } from "../../src/model/resource.ts";
import {
  buildStatus,
  createCollector,
  neverAborted,
  openReader,
  serve,
  writeKubeconfig,
} from "../support/cluster/mock-server.ts";
import { sendJson } from "../../verify/api-server/api-responses.ts";

const BUDGETS = parseResource("policy/v1/poddisruptionbudgets");
const BUDGET: JsonObject = {
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: { name: "a", namespace: "n" },
};
const LIST = { apiVersion: "policy/v1", kind: "PodDisruptionBudgetList", metadata: {} };
const bare = { metadata: { name: "a", namespace: "n" } };

async function list(t: TestContext, body: object, resource: Resource, part?: ListPart): Promise<unknown> {
  const mock = await serve(t, (_, response) => sendJson(response, body));
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  return reader.list(resource, createCollector().begin, neverAborted, part);
}

const mice: Resource = { group: "a.io", version: "v1", resource: "mice", kind: "Mouse", listKind: "MouseHerd" };

const ACCEPTED: readonly (readonly [string, object, Resource, ListPart?])[] = [
  ["the kind's list", { ...LIST, items: [bare] }, BUDGETS],
  ["a generic list", { apiVersion: "v1", kind: "List", metadata: {}, items: [BUDGET] }, BUDGETS],
  [
    "a list with its items first",
    { items: [bare, { ...BUDGET, metadata: { name: "b", namespace: "n" } }], ...LIST },
    BUDGETS,
  ],
  ["a list with null items", { ...LIST, items: null }, BUDGETS],
  [
    "a list of metadata",
    { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadataList", metadata: {}, items: [bare] },
    BUDGETS,
    "metadata",
  ],
  ["whole objects for metadata", { ...LIST, items: [bare] }, BUDGETS, "metadata"],
  [
    "a plural with dashes",
    { apiVersion: "k8s.cni.cncf.io/v1", kind: "NetworkAttachmentDefinitionList", metadata: {}, items: [] },
    parseResource("k8s.cni.cncf.io/v1/network-attachment-definitions"),
  ],
  [
    "a plural that equals the kind",
    { apiVersion: "v1", kind: "EndpointsList", metadata: {}, items: [] },
    parseResource("v1/endpoints"),
  ],
  [
    "the plural of a kind that ends in y",
    { apiVersion: "a.io/v1", kind: "ProxyList", metadata: {}, items: [] },
    parseResource("a.io/v1/proxies"),
  ],
  [
    "the plural of a kind that ends in s",
    { apiVersion: "a.io/v1", kind: "DNSList", metadata: {}, items: [] },
    parseResource("a.io/v1/dnses"),
  ],
];

for (const [what, body, resource, part] of ACCEPTED) {
  test(`accepts ${what}`, async (t) => {
    assert.partialDeepStrictEqual(await list(t, body, resource, part), { kind: "listed" });
  });
}

test("recognizes an irregular kind from its definition", async (t) => {
  const empty: readonly JsonObject[] = [];
  const untyped = [{ metadata: { name: "a" } }];
  const mouse = { apiVersion: "a.io/v1", kind: "Mouse", metadata: { name: "a" } };
  for (const [kind, items, expected] of [
    ["MouseHerd", empty, { kind: "listed" }],
    ["MouseHerd", [mouse], { kind: "listed" }],
    ["MouseList", empty, { reason: "NotUnderstood" }],
    ["MouseHerd", untyped, { reason: "NotUnderstood" }],
  ] as const)
    assert.partialDeepStrictEqual(await list(t, { apiVersion: "a.io/v1", kind, metadata: {}, items }, mice), expected);
});

const REFUSED: readonly (readonly [string, object, string])[] = [
  ["another kind's empty list", { kind: "FooList", apiVersion: "v1", items: [] }, "FooList of v1"],
  ["another kind's list of the group", { ...LIST, kind: "FooList", items: [] }, "FooList of policy/v1"],
  ["another version's list", { ...LIST, apiVersion: "policy/v1beta1", items: [] }, "of policy/v1beta1"],
  [
    "metadata that was not requested",
    { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadataList", items: [] },
    "Partial",
  ],
  ["a list with another item", { ...LIST, items: [bare, { ...BUDGET, kind: "Pod" }] }, "Pod of policy/v1"],
  ["another list, items first", { items: [bare], kind: "PodList", apiVersion: "v1" }, "Pod of v1"],
  [
    "a generic list of another kind",
    { kind: "List", apiVersion: "v1", items: [{ ...BUDGET, apiVersion: "v1" }] },
    "of v1",
  ],
  ["a generic list without kinds", { kind: "List", apiVersion: "v1", items: [bare] }, "an object without a kind"],
];

for (const [what, body, received] of REFUSED) {
  test(`rejects ${what} in place of the requested list`, async (t) => {
    const result = await list(t, body, BUDGETS);
    assert.partialDeepStrictEqual(result, { kind: "failed", reason: "NotUnderstood" });
    const message = JSON.stringify(result);
    assert.ok(message.includes(received) && message.includes("not with poddisruptionbudgets of policy/v1"), message);
  });
}

const OBJECTS: readonly (readonly [string, JsonObject, string])[] = [
  ["another name", { ...BUDGET, metadata: { name: "b", namespace: "n" } }, "with n/b, not with the requested object"],
  ["another namespace", { ...BUDGET, metadata: { name: "a", namespace: "m" } }, "with m/a,"],
  ["no namespace", { ...BUDGET, metadata: { name: "a" } }, "with a,"],
  ["no name", { ...BUDGET, metadata: {} }, "with an object without a name,"],
  ["another kind", { ...BUDGET, kind: "Pod" }, "with Pod of policy/v1, not with poddisruptionbudgets of policy/v1"],
  ["another version", { ...BUDGET, apiVersion: "v1" }, "with PodDisruptionBudget of v1, not with"],
];

for (const [what, object, received] of OBJECTS) {
  test(`rejects an object with ${what} in place of the requested one`, async (t) => {
    const mock = await serve(t, (_, response) => sendJson(response, object));
    const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
    const result = await reader.get({ resource: BUDGETS, namespace: "n", name: "a" }, neverAborted);
    assert.partialDeepStrictEqual(result, { kind: "failed", reason: "NotUnderstood" });
    assert.ok(JSON.stringify(result).includes(`was answered ${received}`), JSON.stringify(result));
  });
}

const NOT_FOUND = buildStatus(404, "NotFound", "the server could not find the requested resource");

for (const [later, expected, requests] of [
  ["always", { kind: "failed", reason: "ServerError" }, 4],
  ["once", { kind: "listed", objects: 2 }, 4],
  ["and then on the first page too", { kind: "failed", reason: "NotUnderstood" }, 3],
] as const) {
  test(`a 404 on a later page, ${later}, alone does not make a kind absent`, async (t) => {
    const mock = await serve(t, (request, response) => {
      const isLater = request.url?.includes("continue=");
      const isMissing = isLater ? later !== "once" || mock.requests.length < 3 : later.startsWith("and");
      if (isMissing && mock.requests.length > 1) return sendJson(response, NOT_FOUND, 404);
      const item = { metadata: { name: isLater ? "b" : "a", namespace: "n" } };
      return sendJson(response, { ...LIST, metadata: isLater ? {} : { continue: "c" }, items: [item] });
    });
    const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
    const seen = createCollector();
    const result = await reader.list(BUDGETS, seen.begin, neverAborted);
    assert.partialDeepStrictEqual(result, expected);
    assert.equal(mock.requests.length, requests);
  });
}

test("a 404 on the retry of a partly read page alone does not make a kind absent", async (t) => {
  const mock = await serve(t, (request, response) => {
    if (mock.requests.length === 2) return sendJson(response, NOT_FOUND, 404);
    if (mock.requests.length > 2) return sendJson(response, { ...LIST, items: [bare] });
    response.writeHead(200, { "content-length": 1_000 }).write(`{"kind":"${LIST.kind}","items":[`);
    return setTimeout(() => request.socket.destroy(), 10);
  });
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const result = await reader.list(BUDGETS, createCollector().begin, neverAborted);
  assert.partialDeepStrictEqual(result, { kind: "listed", objects: 1 });
});

test("refuses Secrets, and kinds and names that would change the path", async (t) => {
  const mock = await serve(t, (_, response) => sendJson(response, {}));
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const secrets = parseResource("v1/secrets");
  await assert.rejects(reader.list(secrets, createCollector().begin, neverAborted), /Secrets are never read/);
  await assert.rejects(
    reader.get({ resource: secrets, namespace: "a", name: "b" }, neverAborted),
    /Secrets are never read/,
  );
  for (const resource of [
    { group: "a", version: "../../../api/v1", resource: "secrets" },
    { group: "..", version: "v1", resource: "x" },
    { group: "a.b", version: "v1", resource: "pods/log" },
    { group: "a.b", version: "v1", resource: "pods?watch=1" },
  ]) {
    assert.partialDeepStrictEqual(await reader.list(resource, createCollector().begin, neverAborted), {
      reason: "NotUnderstood",
    });
  }
  assert.partialDeepStrictEqual(await reader.get({ resource: BUDGETS, name: ".." }, neverAborted), {
    reason: "NotUnderstood",
  });
  assert.equal(mock.requests.length, 0);
});
