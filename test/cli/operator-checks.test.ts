import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { at, type Json, type JsonObject, listAt, parseObject, textAt } from "../../src/model/json.ts";
import { CSVS, annotate, buildChecksConfigMap, buildCsv } from "../support/cli/operator-checks.ts";
import { buildSiteCheck } from "../support/cli/site-check.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const folder = createTemporaryFolder("operator-checks");
const CARTS = "/apis/shop.example.com/v1/carts";
const CART = { apiVersion: "shop.example.com/v1", kind: "Cart", metadata: { namespace: "a", name: "master-cart" } };
/** Of carts, which the operator owns. */
const OWN = buildSiteCheck("frozen-carts", "master", "CartFrozen")
  .replace("nodes: {list: v1/nodes}", "nodes: {list: shop.example.com/v1/carts}")
  .replace(/\n {4}quotas:.*/, "");
/** Of nodes, which it doesn't own. */
const FOREIGN = buildSiteCheck("frozen-nodes").replace(/\n {4}quotas:.*/, "");

/** The demo cluster with a shop operator whose bundle has these checks, and `actual` in the cluster. */
function createCluster(name: string, bundle: JsonObject, actual: JsonObject = bundle): string {
  const cluster = join(folder, name);
  cpSync("demo", cluster, { recursive: true });
  const file = join(cluster, "cluster.json");
  const recorded = parseObject(readFileSync(file, "utf8"));
  const csv = buildCsv({ annotation: annotate(buildChecksConfigMap("shop", bundle)) });
  const added = {
    [CSVS]: { items: [...listAt(recorded, CSVS, "items"), csv] },
    "/api/v1/namespaces/shop/configmaps/shop-checks": buildChecksConfigMap("shop", actual),
    [CARTS]: { items: [CART] },
  };
  writeFileSync(file, JSON.stringify({ ...recorded, ...added }));
  return cluster;
}

const cluster = createCluster("sound", { "carts.yaml": OWN, "nodes.yaml": FOREIGN });
const FROM = ["--checks-from", "payload,operators"];

async function check(recorded: string, ...more: readonly string[]): Promise<Json> {
  const args = ["check", "--recorded", recorded, "--target", "demo/release", "-o", "json", ...more];
  const ended = await runPreflight(args);
  assert.equal(ended.err, "");
  return JSON.parse(ended.out);
}

function find(result: Json, list: string, key: string, value: string): Json | undefined {
  return listAt(result, list).find((one) => textAt(one, key) === value);
}

function listIds(result: Json): readonly string[] {
  return listAt(result, "checks").flatMap((one) => textAt(one, "id") ?? []);
}

test("without --checks-from, a notice names the operator and nothing of it runs", async () => {
  const result = await check(cluster);
  assert.deepEqual(
    listIds(result).filter((id) => id.startsWith("olm")),
    [],
  );
  const { notices } = Object(find(result, "checks", "id", "operator-max-version"));
  const notice =
    "Checks that installed operators bring did not run: shop-operator. To run them, add --checks-from payload,operators.";
  assert.deepEqual(notices, [notice]);
  const table = await runPreflight(["check", "--recorded", cluster, "--target", "demo/release", "-o", "wide"]);
  assert.ok(table.out.replaceAll(/\s+/g, " ").includes(notice), table.out);
});

test("with it, the check says whose it is, and the notice goes", async () => {
  const result = await check(cluster, ...FROM);
  const own = find(result, "checks", "id", "olm-shop-operator-frozen-carts");
  assert.deepEqual(
    [textAt(own, "outcome"), at(own, "judged"), textAt(own, "origin", "kind"), textAt(own, "origin", "file")],
    ["risk", { nodes: 1 }, "operator", "ConfigMap shop/shop-checks carts.yaml"],
  );
  const risk = find(result, "risks", "name", "OlmShopOperatorCartFrozen");
  assert.ok(textAt(risk, "message")?.startsWith("From operator shop-operator 1.2.3: "), textAt(risk, "message"));
  assert.equal(at(find(result, "checks", "id", "operator-max-version"), "notices"), undefined);
});

test("what the operator does not own is unknown, unless the administrator grants it", async () => {
  const only = ["--only", "olm-shop-operator-frozen-nodes", ...FROM];
  const result = await check(cluster, ...only);
  const refused = find(result, "checks", "id", "olm-shop-operator-frozen-nodes");
  assert.deepEqual(
    [textAt(refused, "outcome"), textAt(refused, "reason"), listAt(refused, "findings")],
    ["unknown", "ReadNotAllowed", []],
  );
  assert.ok(textAt(refused, "message")?.includes("the operator does not own v1/nodes"), textAt(refused, "message"));
  const risk = textAt(find(result, "risks", "name", "OlmShopOperatorFrozenNodesUnknown"), "message");
  assert.ok(risk?.includes('"checks: [{origin: olm/shop-operator, reads: [...]}]" to the file of --config'), risk);
  const config = join(folder, "config.yaml");
  writeFileSync(config, "checks: [{origin: olm/shop-operator, reads: [v1/nodes]}]");
  const granted = find(
    await check(cluster, ...only, "--config", config),
    "checks",
    "id",
    "olm-shop-operator-frozen-nodes",
  );
  assert.deepEqual([textAt(granted, "outcome"), at(granted, "judged")], ["risk", { nodes: 5 }]);
});

test("a ConfigMap that somebody edited is unknown, and a check that he adds is not run", async () => {
  const edited = createCluster("edited", { "carts.yaml": OWN }, { "carts.yaml": OWN, "more.yaml": FOREIGN });
  const result = await check(edited, ...FROM);
  assert.deepEqual(
    listIds(result).filter((id) => id.startsWith("olm")),
    ["olm-shop-operator-checks"],
  );
  const unknown = find(result, "checks", "id", "olm-shop-operator-checks");
  assert.deepEqual([textAt(unknown, "outcome"), textAt(unknown, "reason")], ["unknown", "DigestMismatch"]);
});

test("rbac prints what it takes to find them, and what they may read", async () => {
  const { out, err } = await runPreflight(["rbac", "--recorded", cluster, ...FROM]);
  assert.equal(err, "");
  assert.match(out, /kind: Role\nmetadata:\n {2}namespace: shop\n(?:.*\n)*.*resourceNames:\n +- shop-checks\n/);
  assert.match(out, /resources:\n +- carts\n/);
  assert.doesNotMatch(out, /- nodes\n/);
  const bound = await runPreflight([
    "rbac",
    "--recorded",
    cluster,
    ...FROM,
    "--bind-to",
    "system:serviceaccount:ci:updater",
  ]);
  assert.match(
    bound.out,
    /kind: RoleBinding\nmetadata:\n {2}namespace: shop\n(?:.*\n)*subjects:\n(?:.*\n)* +name: updater\n/,
  );
  assert.match(bound.out, /- clusterserviceversions\n/);
});

test("list and explain show them where operators may bring checks", async () => {
  const listed = await runPreflight(["list", "--recorded", cluster, ...FROM]);
  assert.match(
    listed.out,
    /^olm-shop-operator-frozen-carts +No node is frozen +OpenShift +OlmShopOperatorCartFrozen$/m,
  );
  assert.doesNotMatch((await runPreflight(["list", "--recorded", cluster])).out, /olm-/);
  const explained = await runPreflight(["explain", "OlmShopOperatorCartFrozen", "--recorded", cluster, ...FROM]);
  assert.ok(explained.out.includes("\nFile:      ConfigMap shop/shop-checks carts.yaml\n"), explained.out);
});

test("only a file that somebody named grants a read, and only one of a kind", async () => {
  const written: readonly (readonly [string, RegExp])[] = [
    ["checks: [{origin: site, reads: [v1/nodes]}]", /origin/],
    ["checks: [{origin: olm/shop-operator, reads: [nodes]}]", /reads/],
  ];
  for (const [text, said] of written) {
    const config = join(folder, "wrong.yaml");
    writeFileSync(config, text);
    const { code, err } = await runPreflight([
      "check",
      "--recorded",
      cluster,
      "--target",
      "demo/release",
      "--config",
      config,
    ]);
    assert.equal(code, 2);
    assert.match(err, said);
  }
});
