import assert from "node:assert/strict";
import { test } from "node:test";
import type { Expect } from "../../src/cases/expectation.ts";
import { loadChecks } from "../../src/data-checks/load.ts";
import { buildContext } from "../../src/model/check.ts";
import { SEEN, judgeCluster, writeCheck } from "../support/data-checks/judge-check.ts";
import { release, version } from "../support/fixtures.ts";

const DEPLOYMENT = `{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: demo-a, name: shop}, spec: {replicas: 2}}`;

type Rules = { readonly read?: string; readonly rule?: string };

function writeSpec({ read = "list: apps/v1/deployments", rule = "- forEach: next.items" }: Rules = {}): string {
  return `reads:\n  next: {${read}, of: target}\n${SEEN}\n  ${rule}\n    message: It is there.`;
}

/** What a check of the deployments of the target says, by default of every one. */
function judge(manifests: string, rules?: Rules): Promise<Expect> {
  const target = `{version: 4.19.2, manifests: [${manifests}]}`;
  return judgeCluster(writeSpec(rules), `source: 4.18.5\ntarget: ${target}\ncluster: {}`);
}

function name({ outcome, findings = [], unknowns = [] }: Expect): string {
  const found = findings.map(({ object }) => `${object.kind} ${object.namespace ?? ""}/${object.name}`);
  return [outcome, ...found, ...unknowns.map(({ where, message }) => `${where}: ${message}`)].join("; ");
}

test("the target's manifests are read, in the order of their names, and nothing of the cluster", async () => {
  const other = DEPLOYMENT.replace("shop", "cart");
  assert.equal(name(await judge(`${DEPLOYMENT}, ${other}`)), "risk; Deployment demo-a/cart; Deployment demo-a/shop");
});

test("one manifest is found by its name, and one that is not there is absent", async () => {
  const get = (name: string) => ({
    read: `get: apps/v1/deployments, name: ${name}`,
    rule: "- when: next.hasValue()\n    object: next.value()",
  });
  assert.equal(name(await judge(DEPLOYMENT, get("demo-a/shop"))), "risk; Deployment demo-a/shop");
  assert.equal(name(await judge(DEPLOYMENT, get("demo-b/shop"))), "clear");
});

test("where and index see the manifests", async () => {
  const where = { read: "list: apps/v1/deployments, where: object.spec.?replicas.orValue(1) > 2" };
  assert.equal(name(await judge(DEPLOYMENT, where)), "clear");
  const index = {
    read: "list: apps/v1/deployments, index: {space: object.metadata.namespace}",
    rule: '- forEach: next.by.space["demo-a"]',
  };
  assert.equal(name(await judge(DEPLOYMENT, index)), "risk; Deployment demo-a/shop");
});

test("a kind that the target neither has nor defines is unknown: it may be misspelt", async () => {
  const read = "list: shop.example.com/v1/cart";
  assert.equal(
    name(await judge(DEPLOYMENT, { read })),
    "unknown; cart.shop.example.com: the target neither has nor defines objects of it, and the check does not say what that means",
  );
  assert.equal(
    name(await judge(`{apiVersion: shop.example.com/v1, kind: Cart, metadata: {name: a}}`, { read })),
    "risk; Cart /a",
  );
});

test("objects of a defined kind are found by the kind that its definition names, in its group alone", async () => {
  const ox = (group: string): string => `{apiVersion: ${group}/v1, kind: Ox, metadata: {name: a}}`;
  const crd = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: oxen.farm.example.com},
    spec: {group: farm.example.com, scope: Cluster, names: {kind: Ox, plural: oxen, singular: ox, listKind: OxList},
    versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}`;
  const read = "list: farm.example.com/v1/oxen";
  assert.equal(
    name(await judge(`${crd}, ${ox("farm.example.com")}, ${ox("zoo.example.com")}`, { read })),
    "risk; Ox /a",
  );
  assert.equal(name(await judge(`${crd}, ${ox("zoo.example.com")}`, { read })), "clear");
});

test("a kind that the target defines may have no objects", async () => {
  const crd = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: carts.shop.example.com},
    spec: {group: shop.example.com, scope: Cluster, names: {kind: Cart, plural: carts, singular: cart, listKind: CartList},
    versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}`;
  assert.equal(name(await judge(crd, { read: "list: shop.example.com/v1/carts" })), "clear");
});

test("a manifest of another version is unknown: its fields may be others", async () => {
  assert.equal(
    name(await judge(DEPLOYMENT.replace("apps/v1", "apps/v1beta2"))),
    "unknown; Deployment demo-a/shop: the target's manifest has apps/v1beta2, and the check reads apps/v1/deployments",
  );
});

test("what is more than is kept of a payload is unknown, and what came before it is judged", async () => {
  const large = DEPLOYMENT.replace("replicas: 2", `template: {metadata: {name: ${"a".repeat(9 << 20)}}}`);
  assert.equal(
    name(await judge(`${large}, ${large.replace("shop", "cart")}`)),
    "unknown; Deployment demo-a/shop; Deployment demo-a/cart: the target's manifests are too many to keep this one",
  );
});

test("a manifest whose file has changed since the target was read is unknown", async () => {
  const { checks } = await loadChecks([{ name: "a.yaml", text: writeCheck(writeSpec()) }], { kind: "site" }, new Set());
  const ref = { apiVersion: "apps/v1", kind: "Deployment", namespace: "demo-a", name: "shop" };
  const manifests = [{ ...ref, file: "a.yaml", capabilities: [], read: () => undefined }];
  const context = buildContext(version("4.18.5"), release("4.19.2", { manifests }), new Date(0));
  const message = "the target's a.yaml is no longer what was read";
  assert.deepEqual(checks[0]?.evaluate({}, context, {}).unknowns, [
    { reason: "Unreadable", where: "Deployment demo-a/shop", message },
  ]);
});

test("a file of the target that can't be read as manifests may hold what the check looks for", async () => {
  const { checks } = await loadChecks([{ name: "a.yaml", text: writeCheck(writeSpec()) }], { kind: "site" }, new Set());
  const [check] = checks;
  if (check === undefined) assert.fail();
  const leftOut = [{ reason: "UnrenderedTemplate", where: "manifests/a.yaml", message: "it is a template" } as const];
  const context = buildContext(version("4.18.5"), release("4.19.2", { leftOut }), new Date(0));
  assert.deepEqual(check.evaluate({}, context, {}).unknowns, leftOut);
  const excluded = `${writeSpec()}\nnotApplicable: [{when: next.items.size() == 0, reason: There are none.}]`;
  const { checks: others } = await loadChecks(
    [{ name: "b.yaml", text: writeCheck(excluded) }],
    { kind: "site" },
    new Set(),
  );
  assert.deepEqual(others[0]?.evaluate({}, context, {}).unknowns, leftOut);
});
