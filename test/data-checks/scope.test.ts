import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { Result } from "../../src/cases/expectation.ts";
import { parseCase } from "../../src/cases/parser.ts";
import { judgeCase } from "../../src/cases/runner.ts";
import { loadChecks } from "../../src/data-checks/load.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { findingsOf } from "../../src/model/report.ts";
import { SEEN, writeCheck } from "../support/data-checks/judge-check.ts";
import { type FakeResponse, fakeReader } from "../../verify/api-server/fake-reader.ts";

const SCOPE = {
  kinds: ["carts.shop.example.com"],
  namespaces: ["shop"],
};

function build(kind: string, apiVersion: string, namespace: string, name: string): JsonObject {
  return { apiVersion, kind, metadata: { namespace, name } };
}

const OPERATOR = "/apis/apps/v1/namespaces/openshift-cluster-version/deployments/cluster-version-operator";

const OBJECTS: Readonly<Record<string, FakeResponse>> = {
  [OPERATOR]: build("Deployment", "apps/v1", "openshift-cluster-version", "cluster-version-operator"),
  "/apis/config.openshift.io/v1/clusterversions/version": {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version" },
    status: { history: [{ state: "Completed", version: "4.18.5" }], desired: { version: "4.18.5" } },
  },
  "/apis/apps/v1/deployments": [
    build("Deployment", "apps/v1", "other", "leaked"),
    build("Deployment", "apps/v1", "shop", "own"),
  ],
  "/apis/shop.example.com/v1/carts": [build("Cart", "shop.example.com/v1", "anywhere", "cart")],
  "/api/v1/nodes": [build("Node", "v1", "", "leaked")],
  "/apis/apps/v1/namespaces/other/deployments/leaked": build("Deployment", "apps/v1", "other", "leaked"),
  "/apis/apps/v1/namespaces/shop/deployments/own": build("Deployment", "apps/v1", "shop", "own"),
  "/apis/config.openshift.io/v1/infrastructures/cluster": {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster" },
    status: { platformStatus: { type: "AWS" } },
  },
};

async function judge(
  spec: string,
): Promise<{ readonly result: Result; readonly paths: readonly string[]; readonly seen: readonly string[] }> {
  const { checks, faults } = await loadChecks(
    [{ name: "a.yaml", text: writeCheck(spec) }],
    { kind: "site" },
    new Set(),
    { scope: SCOPE },
  );
  assert.deepEqual(faults, []);
  const [check] = checks;
  if (check === undefined) assert.fail();
  const reader = fakeReader(OBJECTS);
  const one = { name: "a", file: "a.yaml", check, ...parseCase("source: 4.18.5\ntarget: 4.19.2\n") };
  const result = await judgeCase(one, reader, []);
  const seen = findingsOf(result.outcome).map(
    ({ object }) => `${object.kind} ${object.namespace ?? ""}/${object.name}`,
  );
  const facts = new Set([
    "/apis/config.openshift.io/v1/clusterversions/version",
    "/apis/config.openshift.io/v1/featuregates/cluster",
    OPERATOR,
  ]);
  return { result, seen, paths: reader.paths.filter((path) => !facts.has(path)).toSorted() };
}

function listUnknowns({ outcome }: Result): readonly string[] {
  return outcome.kind === "unknown"
    ? outcome.unknowns.map(({ reason, where }) => `${reason} ${where}`)
    : [outcome.kind];
}

test("a check sees the kinds that its operator owns, and workloads of its namespace", async () => {
  const { result, paths, seen } = await judge(`reads:
  carts: {list: shop.example.com/v1/carts}
  deployments: {list: apps/v1/deployments, where: 'object.metadata.name != ""', index: {byName: object.metadata.name}}
  own: {get: apps/v1/deployments, name: shop/own}
${SEEN}
  - {forEach: carts.items, message: It is seen.}
  - {forEach: deployments.items, message: It is seen.}
  - {forEach: 'deployments.by.byName[?"leaked"].orValue([])', message: It is seen.}
  - {forEach: 'deployments.byNamespace[?"other"].orValue([])', message: It is seen.}
  - {when: own.hasValue(), object: own.value(), message: It is seen.}`);
  assert.equal(result.outcome.kind, "risk");
  assert.deepEqual(seen.toSorted(), ["Cart anywhere/cart", "Deployment shop/own"]);
  assert.deepEqual(paths, [
    "/apis/apps/v1/deployments",
    "/apis/apps/v1/namespaces/shop/deployments/own",
    "/apis/shop.example.com/v1/carts",
  ]);
});

const FOREIGN: readonly (readonly [read: string, where: string, rule: string])[] = [
  ["{list: v1/nodes}", "nodes", "{forEach: foreign.items, message: It is seen.}"],
  ["{list: v1/nodes, metadataOnly: true}", "nodes", "{forEach: foreign.items, message: It is seen.}"],
  [
    "{list: apps/v1/replicasets}",
    "replicasets.apps",
    "{when: foreign.items.size() > 0, object: cluster.infrastructure, message: It is seen.}",
  ],
  [
    "{get: apps/v1/deployments, name: other/leaked}",
    "deployments.apps other/leaked",
    "{when: foreign.hasValue(), object: foreign.value(), message: It is seen.}",
  ],
  [
    "{get: config.openshift.io/v1/infrastructures, name: cluster}",
    "infrastructures.config.openshift.io cluster",
    "{when: foreign.hasValue(), object: foreign.value(), message: It is seen.}",
  ],
  [
    "{list: v1/nodes}",
    "nodes",
    "{when: readable.foreign || served.foreign, object: cluster.infrastructure, message: It is seen.}",
  ],
];

for (const [read, where, rule] of FOREIGN)
  test(`a check that declares ${read} with ${rule.slice(0, 40)} sees nothing of it`, async () => {
    const { result, paths, seen } = await judge(`reads:\n  foreign: ${read}\n${SEEN}\n  - ${rule}`);
    assert.ok(listUnknowns(result).includes(`ReadNotAllowed ${where}`), listUnknowns(result).join());
    assert.deepEqual([seen, paths], [[], []]);
  });

test("a read with a condition is refused as any other, and what decides besides is still said", async () => {
  const { result, paths, seen } = await judge(`reads:
  carts: {list: shop.example.com/v1/carts}
  nodes: {list: v1/nodes, when: carts.items.size() > 0}
${SEEN}
  - {forEach: carts.items, message: It is seen.}
  - {forEach: nodes.items, message: It is seen.}`);
  assert.ok(listUnknowns(result).includes("ReadNotAllowed nodes"));
  assert.deepEqual(seen, ["Cart anywhere/cart"]);
  assert.deepEqual(paths, ["/apis/shop.example.com/v1/carts"]);
});

test("what a fact reads is seen as the fact alone", async () => {
  const { result, paths } = await judge(`${SEEN}
  - {when: cluster.platform == "AWS", object: cluster.infrastructure, message: It is seen.}`);
  assert.equal(result.outcome.kind, "risk");
  assert.deepEqual(paths, ["/apis/config.openshift.io/v1/infrastructures/cluster"]);
});

test("a read of the other platform is not missed", async () => {
  const { result } = await judge(`reads:
  nodes: {list: v1/nodes, only: kubernetes}
${SEEN}
  - {forEach: nodes.items, message: It is seen.}`);
  assert.deepEqual(listUnknowns(result), ["clear"]);
});
