import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Json, listAt, parseObject, textAt } from "../../src/model/json.ts";
import { annotate, buildChecksConfigMap, buildCsv, CSVS } from "../support/cli/operator-checks.ts";
import { buildSiteCheck } from "../support/cli/site-check.ts";
import { addPayloadChecks, buildChecksManifest } from "../support/payload-checks.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const folder = createTemporaryFolder("every-origin");
const target = join(folder, "target");
cpSync("demo/release", target, { recursive: true });
const ofPayload = buildSiteCheck("nodes", "master", "NodeOfPayload");
const ofLater = buildSiteCheck("later", "master", "NodeOfLater").replace(/updates: .*\}/, 'crosses: "5.1"}');
addPayloadChecks(target, buildChecksManifest({ "later.yaml": ofLater, "nodes.yaml": ofPayload }));
const own = join(folder, "own.yaml");
writeFileSync(own, buildSiteCheck("nodes", "worker", "NodeOfSite"));

const CHECK = `apiVersion: preflight.openshift.io/v1alpha1
kind: PreflightCheck
metadata: {name: carts}
spec:
  title: No cart is stale
  applies: {updates: [patch, minor, rollback]}
  reads: {carts: {list: shop.example.com/v1/carts}}
  risks:
    - name: CartStale
      effect: broken
      title: Carts are stale
      url: https://example.com/carts
      message: \${objects} can't be read after the update.
      remediation: Migrate them before the update.
      findings: [{forEach: carts.items, message: It is stale.}]
`;

const OF_NAMESPACE = "/api/v1/namespaces/web/configmaps?labelSelector=preflight.openshift.io%2Fchecks";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** The demo cluster with an operator and a namespace whose checks find something, too. */
function writeCluster(): string {
  const cluster = parseObject(readFileSync("demo/cluster.json", "utf8")) ?? {};
  const configMap = buildChecksConfigMap("shop", { "carts.yaml": CHECK });
  const cart = {
    apiVersion: "shop.example.com/v1",
    kind: "Cart",
    metadata: { namespace: "shop", name: "first" },
  };
  const labels = { "preflight.openshift.io/checks": "v1alpha1" };
  const ofNamespace = {
    ...buildChecksConfigMap("web", { "carts.yaml": CHECK }),
    metadata: { namespace: "web", name: "web-checks", labels },
  };
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "carts.shop.example.com", annotations: { "preflight.openshift.io/checks-namespace": "web" } },
  };
  const recorded = join(folder, "cluster");
  mkdirSync(recorded);
  const changed = {
    ...cluster,
    [CSVS]: { items: [...listAt(cluster, CSVS, "items"), buildCsv({ annotation: annotate(configMap) })] },
    "/api/v1/namespaces/shop/configmaps/shop-checks": configMap,
    [OF_NAMESPACE]: { items: [ofNamespace] },
    [CRDS]: { items: [...listAt(cluster, CRDS, "items"), crd] },
    "/apis/shop.example.com/v1/carts": { items: [cart] },
  };
  writeFileSync(join(recorded, "cluster.json"), JSON.stringify(changed));
  return recorded;
}

const cluster = writeCluster();
const FLAGS = ["--recorded", cluster, "--target", target, "--checks", own];

async function check(...more: readonly string[]): Promise<string> {
  return (await runPreflight(["check", ...FLAGS, ...more])).out;
}

/** Two runs are never at the same time, and each has an id of its own. */
function withoutTimes(out: string): string {
  return out
    .replaceAll(/"20\d\d-\d\d-\d\dT[\d:.]+Z"/g, '"TIME"')
    .replace(/"preflightID": "[^"]*"/, '"preflightID": "ID"');
}

test("two cycles over one state are equal but for times, with checks of every origin", async () => {
  const from = ["--checks-from", "payload,operators,configmaps=web", "-o", "json"];
  const first = await check(...from);
  const second = await check(...from);
  assert.equal(withoutTimes(first), withoutTimes(second));
  const result: Json = JSON.parse(first);
  const brought = listAt(result, "checks").filter((one) => textAt(one, "origin", "kind") !== undefined);
  assert.deepEqual(
    brought.map((one) => [textAt(one, "id"), textAt(one, "origin", "kind"), textAt(one, "outcome")]),
    [
      ["ns-web-carts", "namespace", "risk"],
      ["olm-shop-operator-carts", "operator", "risk"],
      ["payload-later", "payload", "notApplicable"],
      ["payload-nodes", "payload", "risk"],
      ["site-nodes", "site", "risk"],
    ],
  );
  for (const one of brought) assert.match(textAt(one, "origin", "digest") ?? "", /^sha256:/);
  const names = listAt(result, "risks").map((one) => textAt(one, "name"));
  for (const name of ["NsWebCartStale", "OlmShopOperatorCartStale", "NodeOfPayload", "SiteNodeOfSite"])
    assert.ok(names.includes(name));
});

test("the operators whose checks did not run are named", async () => {
  const result: Json = JSON.parse(await check("-o", "json"));
  const ids = listAt(result, "checks").map((one) => textAt(one, "id") ?? "");
  assert.ok(!ids.some((id) => id.startsWith("olm-")));
  const notices = listAt(result, "checks").flatMap((one) => listAt(one, "notices"));
  assert.ok(
    notices.some((one) => typeof one === "string" && /shop.*--checks-from/.test(one)),
    JSON.stringify(notices),
  );
});

test("every page says of each who brings it, and how many objects it judged", async () => {
  for (const format of ["table", "wide", "markdown", "html"]) {
    const out = await check("--checks-from", "payload,operators,configmaps=web", "-o", format);
    for (const words of [
      /operator shop-operator/,
      /namespace web/,
      /release 4\.18\.6/,
      /nodes: 5 objects/,
      /carts: 1 object\b/,
    ])
      assert.match(out.replaceAll(/\s+/g, " "), words, format);
    // A release may bring many that are about other updates.
    assert.equal(out.includes("payload-later"), format !== "table");
  }
});
