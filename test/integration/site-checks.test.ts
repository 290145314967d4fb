import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { at, type Json, type JsonObject, listAt, textAt } from "../../src/model/json.ts";
import { runCheck } from "../support/check-run.ts";
import {
  type ControlPlane,
  createSmallPayload,
  noControlPlane,
  startCluster,
  startControllers,
} from "../../verify/api-server/control-plane.ts";
import { applyObjects } from "../../verify/api-server/apply-objects.ts";
import { patchObject } from "../../verify/api-server/objects.ts";
import { createAccount } from "../../verify/api-server/service-account.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import {
  BUNDLE,
  CART,
  EDITED,
  GREEDY,
  HIDDEN,
  LEAKED,
  OPERATOR_OBJECTS,
  TENANT,
  buildOperator,
} from "../support/integration/operator-checks.ts";
import { tryShipping } from "../support/integration/shipped-checks.ts";
import { mountFiles } from "../support/integration/mounted-files.ts";
import { runPreflight, startPreflightService } from "../../verify/shared/preflight.ts";
import { objectsOf, parseObjects } from "../support/deploy/bases.ts";
import { nightly } from "../support/cases/sample.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const NAME = "cluster-version-operator-preflight";
const ACCOUNT = `system:serviceaccount:openshift-cluster-version:${NAME}`;
const CANARY = "canary-of-a-secret";
/** Of a kind that the shipped role does not grant. */
const CHECK = `apiVersion: preflight.openshift.io/v1alpha1
kind: PreflightCheck
metadata: {name: frozen-quotas}
spec:
  title: No quota is frozen
  applies: {updates: [patch, minor, rollback]}
  reads:
    quotas: {list: v1/resourcequotas}
  risks:
    - name: QuotaFrozen
      effect: stuck
      title: A quota is frozen
      url: https://wiki.example.com/quotas
      message: "\${objects} is frozen, so new pods of the update to \${target.version} may not fit."
      remediation: Remove the label frozen from the quota once its owner agrees.
      findings:
        - forEach: quotas.items
          when: object.metadata.?labels[?"frozen"].orValue("") == "true"
          path: metadata.labels
          message: Its label frozen is true.
`;
const QUOTA = "/api/v1/namespaces/shop/resourcequotas/compute";
const OBJECTS: readonly JsonObject[] = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } },
  { apiVersion: "v1", kind: "Secret", metadata: { namespace: "shop", name: "login" }, stringData: { any: CANARY } },
  {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { namespace: "shop", name: "compute", labels: { frozen: "true" } },
    spec: { hard: { pods: "10" } },
  },
];

describe("checks of others on a real control plane", { skip: noControlPlane }, () => {
  let cluster: ControlPlane;
  let target: string;
  const folder = createTemporaryFolder();
  const file = join(folder, "quotas.yaml");
  const kubeconfig = join(folder, "account.kubeconfig");

  before(async () => {
    target = await createSmallPayload(join(folder, "target"), "4.20", "4.20.9");
    cluster = await startCluster("4.20");
    await applyObjects(cluster, objectsOf("runner/account"));
    await writeFile(kubeconfig, await createAccount(cluster, "openshift-cluster-version", NAME));
    await writeFile(file, CHECK);
    await applyObjects(cluster, OBJECTS);
  });
  after(async () => {
    await cluster?.down();
  });

  const flags = (...more: readonly string[]) => ["--kubeconfig", kubeconfig, "--target", target, ...more];

  /** Every other risk of the cluster is accepted, so that the check decides on the exit code. */
  async function acceptOthers(): Promise<readonly string[]> {
    const { out } = await runPreflight(["check", ...flags("-o", "json")]);
    const names = listAt(JSON.parse(out), "risks").flatMap((risk) => textAt(risk, "name") ?? []);
    return ["--accept", ["None", ...names].join(",")];
  }

  test("is unknown without the right that it needs, and decides with what rbac --checks prints", async () => {
    let others: readonly string[] = [];
    await eventually(async () => {
      others = await acceptOthers();
      const refused = await runCheck(flags("--checks", file, ...others));
      assert.deepEqual([refused.unknowns, refused.code], [["site-frozen-quotas Forbidden resourcequotas"], 4]);
    });
    const table = await runPreflight(["check", ...flags("--checks", file, ...others)]);
    const role = await runPreflight(["rbac", "--checks", file]);
    assert.deepEqual([table.code, role.code, role.err], [4, 0, ""]);
    assert.match(table.out, /list resourcequotas/);
    assert.ok(table.out.includes(`preflight rbac --checks ${file} --bind-to ${ACCOUNT} | oc apply -f -`), table.out);
    await applyObjects(cluster, parseObjects(role.out));
    await eventually(async () => {
      const decided = await runCheck(flags("--checks", file, ...others));
      assert.deepEqual([decided.unknowns, decided.code, decided.outcomes["site-frozen-quotas"]], [[], 3, "risk"]);
      assert.ok(
        decided.findings.includes("site-frozen-quotas SiteQuotaFrozen ResourceQuota shop/compute metadata.labels"),
      );
    });
    await patchObject(cluster, QUOTA, { metadata: { labels: { frozen: null } } });
    const clear = await runCheck(flags("--checks", file, ...others));
    assert.deepEqual([clear.outcomes["site-frozen-quotas"], clear.code], ["clear", 0]);
    await patchObject(cluster, QUOTA, { metadata: { labels: { frozen: "true" } } });
  });

  test("reads what it declares, and no Secret is in any output", async () => {
    const start = (await cluster.audit()).length;
    const outputs = await Promise.all(
      ["json", "wide", "preflight-v1-json"].map((format) =>
        runPreflight(["check", ...flags("--checks", file, "--only", "site-frozen-quotas", "-o", format)]),
      ),
    );
    for (const { out, err } of outputs) {
      assert.match(out, /SiteQuotaFrozen/);
      assert.ok(!`${out}${err}`.includes(CANARY));
    }
    const lines = (await cluster.audit()).slice(start).filter(({ user }) => user === ACCOUNT);
    assert.deepEqual([...new Set(lines.map(({ verb }) => verb))].toSorted(), ["get", "list"]);
    const lists = lines.filter(({ verb }) => verb === "list").map(({ uri }) => uri.replace(/\?.*/, ""));
    assert.deepEqual([...new Set(lists)], ["/api/v1/resourcequotas"]);
    assert.deepEqual(
      lines.filter(({ uri }) => uri.includes("/secrets")),
      [],
    );
    const recording = join(folder, "recording");
    const recorded = await runPreflight(["record", ...flags("--checks", file, "--dest-dir", recording)]);
    assert.equal(recorded.code, 0, recorded.err);
    assert.ok(!(await readFile(join(recording, "cluster.json"), "utf8")).includes(CANARY));
    const replayed = await runCheck(["--recorded", recording, "--target", target, "--checks", file]);
    assert.equal(replayed.outcomes["site-frozen-quotas"], "risk");
  });

  test("comes into the runner's document with its file, and goes with it", async () => {
    const mounted = join(folder, "mounted");
    const document = join(folder, "document.json");
    const runner = startPreflightService([
      "--format=preflight-v1-json",
      ...flags("--checks", mounted, "--interval", "1s", "--document", document),
    ]);
    const read = async (): Promise<Json> => JSON.parse(await readFile(document, "utf8"));
    const risks = async () => listAt(await read(), "risks").map((risk) => textAt(risk, "name"));
    const ids = async () => listAt(await read(), "checks").map((check) => textAt(check, "id"));
    await eventually(async () => assert.ok((await ids()).length > 10));
    assert.ok(!(await ids()).includes("site-frozen-quotas"));
    await mountFiles(mounted, "2026_1", { "quotas.yaml": CHECK });
    await eventually(async () => assert.ok((await risks()).includes("SiteQuotaFrozen")));
    const own = listAt(await read(), "checks").find((check) => textAt(check, "id") === "site-frozen-quotas");
    assert.deepEqual(at(own, "origin"), {
      kind: "site",
      file: join(mounted, "quotas.yaml"),
      digest: `sha256:${hash("sha256", CHECK)}`,
    });
    await mountFiles(mounted, "2026_2", { "quotas.yaml": CHECK.replace('== "true"', '== "never"') });
    await eventually(async () => assert.ok(!(await risks()).includes("SiteQuotaFrozen")));
    assert.ok((await ids()).includes("site-frozen-quotas"));
    await mountFiles(mounted, "2026_3", {});
    await rm(join(mounted, "quotas.yaml"));
    await eventually(async () => assert.ok(!(await ids()).includes("site-frozen-quotas")));
    runner.kill("SIGTERM");
    assert.equal((await runner.result).code, 0, runner.err());
  });

  const OLM_CHECKS = ["olm-shop-operator-carts", "olm-shop-operator-greedy", "olm-shop-operator-checks"];
  const ofOperators = (...more: readonly string[]) =>
    flags("--checks-from", "payload,operators", "--only", OLM_CHECKS.join(","), ...more);

  /** As somebody who may edit the namespace. */
  const asTenant = (args: readonly string[], object?: object) =>
    cluster.kubectl(["--as", TENANT, ...args], object && JSON.stringify(object));

  test("an operator's check sees what its operator owns, and nothing else", async () => {
    await startControllers(cluster, ["clusterrole-aggregation"]);
    await applyObjects(cluster, OPERATOR_OBJECTS);
    await eventually(() => applyObjects(cluster, [CART]));
    const refused = await runCheck(ofOperators());
    assert.deepEqual(refused.unknowns, ["olm-shop-operator-checks Forbidden ConfigMap shop/shop-checks"]);
    const admin = ["--kubeconfig", cluster.kubeconfig];
    const role = await runPreflight(["rbac", ...admin, "--checks-from", "payload,operators"]);
    assert.equal(role.code, 0, role.err);
    await applyObjects(cluster, parseObjects(role.out));
    await eventually(async () => assert.equal((await runCheck(ofOperators())).outcomes[OLM_CHECKS[0] ?? ""], "risk"));
    const start = (await cluster.audit()).length;
    const { out } = await runPreflight(["check", ...ofOperators("-o", "json")]);
    assert.ok(!out.includes(HIDDEN), out);
    const seen = await runCheck(ofOperators());
    assert.deepEqual(seen.findings, [
      "olm-shop-operator-carts OlmShopOperatorCartStale Cart default/cart",
      "olm-shop-operator-carts OlmShopOperatorCartStale Deployment shop/shop-operator",
      "olm-shop-operator-greedy OlmShopOperatorNodeSeen Cart default/cart",
      "olm-shop-operator-greedy OlmShopOperatorNodeSeen Deployment shop/shop-operator",
    ]);
    const foreign = [`deployments.apps default/${LEAKED}`, "nodes", "serviceaccounts"];
    for (const where of foreign)
      assert.ok(seen.unknowns.includes(`olm-shop-operator-greedy ReadNotAllowed ${where}`), seen.unknowns.join("\n"));
    const lines = (await cluster.audit()).slice(start).filter(({ user }) => user === ACCOUNT);
    const paths = (verb: string): readonly string[] =>
      [...new Set(lines.filter((line) => line.verb === verb).map(({ uri }) => uri.replace(/\?.*/, "")))].toSorted();
    assert.deepEqual(paths("list"), [
      "/apis/apps/v1/deployments",
      "/apis/olm.operatorframework.io/v1/clusterextensions",
      "/apis/operators.coreos.com/v1alpha1/clusterserviceversions",
      "/apis/shop.example.com/v1/carts",
    ]);
    assert.deepEqual(
      paths("get").filter((path) => path.includes("configmaps") || path.includes(LEAKED)),
      ["/api/v1/namespaces/shop/configmaps/shop-checks"],
    );
  });

  test("who may edit the namespace can neither change a check nor add one", async () => {
    const can = async (...words: readonly string[]) =>
      (await asTenant(["auth", "can-i", "-n", "shop", ...words]).catch(() => "no")).trim();
    await eventually(async () => assert.equal(await can("update", "configmaps"), "yes"));
    for (const verb of ["create", "update", "patch"])
      assert.equal(await can(verb, "clusterserviceversions.operators.coreos.com"), "no", verb);
    const changed = buildOperator(EDITED);
    await assert.rejects(asTenant(["replace", "-f", "-"], changed), /forbidden/i);
    const added = { ...changed, metadata: { namespace: "shop", name: "own.v1.0.0" } };
    await assert.rejects(asTenant(["create", "-f", "-"], added), /forbidden/i);
    await asTenant(["create", "configmap", "-n", "shop", "more-checks", `--from-literal=a.yaml=${GREEDY}`]);
    await asTenant(["label", "configmap", "-n", "shop", "more-checks", "preflight.openshift.io/checks=v1alpha1"]);
    assert.deepEqual(
      Object.keys((await runCheck(ofOperators())).outcomes).filter((id) => id.startsWith("olm-")),
      ["olm-shop-operator-carts", "olm-shop-operator-greedy"],
    );
    await asTenant(["apply", "-f", "-"], EDITED);
    const mismatch = await runCheck(ofOperators());
    assert.deepEqual(
      [mismatch.findings, mismatch.unknowns],
      [[], ["olm-shop-operator-checks DigestMismatch ConfigMap shop/shop-checks"]],
    );
    await asTenant(["apply", "-f", "-"], BUNDLE);
    assert.equal((await runCheck(ofOperators())).outcomes["olm-shop-operator-carts"], "risk");
  });

  // Each way has tests of its own without an API server, in test/cli and test/model.
  test(
    "comes from the empty folder of each vendor into check and the runner's document, and goes again",
    { skip: nightly },
    async () => {
      await tryShipping({ cluster, folder: join(folder, "ways") }, flags);
    },
  );
});
