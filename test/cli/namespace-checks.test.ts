import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Json, type JsonObject, at, listAt, parseObject, textAt } from "../../src/model/json.ts";
import { toYaml } from "../../src/encoding/yaml.ts";
import { buildSiteCheck } from "../support/cli/site-check.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const folder = createTemporaryFolder("namespace-checks");
const LABEL = "preflight.openshift.io/checks";
const SELECTED = `/api/v1/namespaces/shop/configmaps?labelSelector=${encodeURIComponent(`${LABEL},app=carts`)}`;
const FROM = ["--checks-from", "payload,configmaps=shop/app=carts"];
const NODES = buildSiteCheck("frozen-nodes").replace(/\n {4}quotas:.*/, "");
const MAP: JsonObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "shop", name: "carts", labels: { [LABEL]: "v1alpha1", app: "carts" } },
  data: { "nodes.yaml": NODES },
};

/** The demo cluster with a ConfigMap of a chart. */
function createCluster(): string {
  const cluster = join(folder, "cluster");
  cpSync("demo", cluster, { recursive: true });
  const file = join(cluster, "cluster.json");
  writeFileSync(file, JSON.stringify({ ...parseObject(readFileSync(file, "utf8")), [SELECTED]: { items: [MAP] } }));
  return cluster;
}

const cluster = createCluster();

async function check(...more: readonly string[]): Promise<Json> {
  const args = ["check", "--recorded", cluster, "--target", "demo/release", "-o", "json", ...FROM, ...more];
  const { out, err } = await runPreflight(args);
  assert.equal(err, "");
  return JSON.parse(out);
}

function find(result: Json, list: string, key: string, value: string): Json | undefined {
  return listAt(result, list).find((one) => textAt(one, key) === value);
}

test("what is not the namespace's is unknown and says how to grant it, and is read once it is granted", async () => {
  const only = ["--only", "ns-shop-frozen-nodes"];
  const result = await check(...only);
  const refused = find(result, "checks", "id", "ns-shop-frozen-nodes");
  assert.deepEqual([textAt(refused, "outcome"), textAt(refused, "reason")], ["unknown", "ReadNotAllowed"]);
  const risk = textAt(find(result, "risks", "name", "NsShopFrozenNodesUnknown"), "message") ?? "";
  for (const words of [
    "From namespace shop: ",
    "namespace shop does not own v1/nodes",
    '"checks: [{origin: ns/shop, reads: [...]}]" to the file of --config',
    '"kubectl annotate crd CRD preflight.openshift.io/checks-namespace=shop"',
  ])
    assert.ok(risk.includes(words), risk);
  const config = join(folder, "config.yaml");
  writeFileSync(config, "checks: [{origin: ns/shop, reads: [v1/nodes]}]");
  const granted = find(await check(...only, "--config", config), "checks", "id", "ns-shop-frozen-nodes");
  assert.deepEqual([textAt(granted, "outcome"), at(granted, "judged")], ["risk", { nodes: 5 }]);
  const { digest: _digest, ...origin } = { digest: "", ...Object(at(granted, "origin")) };
  assert.deepEqual(origin, {
    kind: "namespace",
    namespace: "shop",
    selector: "app=carts",
    file: "ConfigMap shop/carts nodes.yaml",
  });
});

test("rbac prints a Role to list the ConfigMaps of the namespace, and no right for all of them", async () => {
  const bound = await runPreflight(["rbac", "--recorded", cluster, ...FROM, "--bind-to", "updater"]);
  assert.deepEqual([bound.code, bound.err], [0, ""]);
  const role = /kind: Role\nmetadata:\n {2}namespace: shop\n {2}name: preflight-reader\nrules:\n([\s\S]*?)---/.exec(
    bound.out,
  );
  assert.equal(role?.[1]?.replaceAll(/\s+/g, " "), " - apiGroups: - '' resources: - configmaps verbs: - list ");
  assert.match(bound.out, /kind: RoleBinding\nmetadata:\n {2}namespace: shop\n/);
  assert.match(bound.out, /- customresourcedefinitions\n/);
  const [clusterRole = ""] = bound.out.split("kind: Role\n");
  assert.doesNotMatch(clusterRole, /- configmaps\n(?! +resourceNames)/);
});

test("list and explain show them", async () => {
  const listed = await runPreflight(["list", "--recorded", cluster, ...FROM]);
  assert.match(listed.out, /^ns-shop-frozen-nodes +No node is frozen +OpenShift +NsShopNodeFrozen$/m);
  const explained = await runPreflight(["explain", "NsShopNodeFrozen", "--recorded", cluster, ...FROM]);
  assert.match(explained.out, /^From: +namespace shop$/m);
});

test("the manifest of a chart is judged as what it is", async () => {
  const manifest = join(folder, "rendered.yaml");
  const text = NODES.replace("      findings:", `      see: [{run: oc get nodes}]\n      findings:`);
  writeFileSync(manifest, toYaml({ ...MAP, data: { "nodes.yaml": text } }));
  const { code, out } = await runPreflight(["checks", "lint", "--as", "configmap", manifest]);
  assert.equal(code, 3, out);
  assert.match(out, /rendered\.yaml:\d+:\d+: spec\.risks\[0\]\.see\[0\]\.run: /);
  writeFileSync(manifest, toYaml(MAP));
  assert.equal((await runPreflight(["checks", "lint", "--as", "configmap", manifest])).code, 0);
});

const WRONG: readonly (readonly [source: string, message: RegExp])[] = [
  ["configmap=shop", /"configmap=shop" is not known: choose from payload, operators, configmaps=NAMESPACE\/KEY=VALUE/],
  ["configmaps=shop/app", /"configmaps=shop\/app" is not configmaps=NAMESPACE or configmaps=NAMESPACE\/KEY=VALUE/],
  ["configmaps=shop/app=a,operator", /"operator" is not known/],
];
for (const [source, message] of WRONG)
  test(`wrong usage: ${source}`, async () => {
    const { code, err } = await runPreflight(["list", "--recorded", cluster, "--checks-from", source]);
    assert.deepEqual([code, message.test(err)], [2, true], err);
  });
