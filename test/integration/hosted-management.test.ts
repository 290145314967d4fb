import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type JsonObject, objectsAt, parseObject, textAt } from "../../src/model/json.ts";
import { applyObjects } from "../../verify/api-server/apply-objects.ts";
import { type ControlPlane, noControlPlane, startCluster } from "../../verify/api-server/control-plane.ts";
import { deleteObject } from "../../verify/api-server/objects.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { runCheck } from "../support/check-run.ts";
import {
  HYPERSHIFT_CRDS,
  buildHostedCluster,
  buildNamespace,
  buildNodePool,
  buildSupportedVersions,
} from "../support/integration/hypershift.ts";

const SUPPORTED = ["4.21", "4.20", "4.19", "4.18"];
const BASE = "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters";

/** The names of hosted clusters that are healthy and run 4.20. */
const HEALTHY = Array.from({ length: 19 }, (_, i) => `guest-${String(i + 1).padStart(2, "0")}`);
/** One beside them with a fault. */
const FAULTY = "guest-20";

describe("a management cluster", { skip: noControlPlane }, () => {
  let cluster: ControlPlane;
  before(async () => {
    cluster = await startCluster("4.20");
    await applyObjects(cluster, [...HYPERSHIFT_CRDS, ...["hypershift", "clusters"].map(buildNamespace)]);
    const objects = [
      buildSupportedVersions(SUPPORTED),
      ...HEALTHY.flatMap((name) => [
        buildHostedCluster(name, "4.20.3"),
        buildNodePool(name, `${name}-a`, "4.20.3"),
        buildNodePool(name, `${name}-b`, "4.18.9"),
      ]),
      buildHostedCluster(FAULTY, "4.20.3", { conditions: { EtcdAvailable: "False" } }),
      buildNodePool(FAULTY, `${FAULTY}-a`, "4.17.2", { spec: { pausedUntil: "true" } }),
    ];
    await eventually(() => applyObjects(cluster, objects));
  });
  after(async () => {
    await cluster?.down();
  });

  const checkHosted = (name: string, version: string) =>
    runCheck(["--kubeconfig", cluster.kubeconfig, "--hosted-cluster", `clusters/${name}`, "--target-version", version]);

  test("has each hosted cluster judged alone, as it runs", async () => {
    const { code, findings, unknowns } = await checkHosted("guest-01", "4.21.2");
    assert.deepEqual([code, findings, unknowns], [0, [], []]);
    const faulty = await checkHosted(FAULTY, "4.21.2");
    assert.deepEqual(faulty.findings, [
      `hosted-cluster HostedControlPlaneNotHealthy HostedCluster clusters/${FAULTY} status.conditions[EtcdAvailable]`,
      `node-pools NodePoolPaused NodePool clusters/${FAULTY}-a spec.pausedUntil`,
      `node-pools NodePoolBehindTarget NodePool clusters/${FAULTY}-a status.version`,
    ]);
  });

  test("has all of them judged as a fleet, from one kubeconfig", async () => {
    const results = ["--results", createTemporaryFolder(), "-o", "json"];
    const flags = ["--kubeconfig", cluster.kubeconfig, "--target-version", "4.21.2", ...results];
    const { code, out } = await runPreflight(["fleet", "--hosted-clusters", ...flags]);
    const verdicts = objectsAt(parseObject(out), "clusters").map((one) => [
      textAt(one, "name"),
      textAt(one, "verdict"),
    ]);
    assert.equal(code, 3);
    assert.deepEqual(verdicts, [
      [`clusters/${FAULTY}`, "risk"],
      ...HEALTHY.map((name) => [`clusters/${name}`, "clear"]),
    ]);
  });

  test("says what is wrong with the name, and which hosted clusters there are", async () => {
    const flags = ["--kubeconfig", cluster.kubeconfig, "--target-version", "4.21.2"];
    const { code, err } = await runPreflight(["check", "--hosted-cluster", "clusters/guest", ...flags]);
    assert.equal(code, 1);
    assert.match(err, /this management cluster has no HostedCluster clusters\/guest: it has clusters\/guest-01, /);
  });

  test("is itself judged by the operator's releases", async () => {
    const only = ["--only", "hosted-control-planes"];
    const run = (version: string) =>
      runCheck(["--kubeconfig", cluster.kubeconfig, "--target-version", version, ...only]);
    assert.deepEqual((await run("4.22.1")).findings, []);
    await applyObjects(cluster, [buildSupportedVersions(["4.19", "4.18"])]);
    const risk = "hosted-control-planes HyperShiftOperatorTooOldForTarget ConfigMap hypershift/supported-versions";
    assert.deepEqual((await run("4.21.2")).findings, [`${risk} data.supported-versions`]);
    await applyObjects(cluster, [buildSupportedVersions(SUPPORTED)]);
  });

  test("is never clear of what can't be known", async () => {
    const configMap = "/api/v1/namespaces/hypershift/configmaps/supported-versions";
    await deleteObject(cluster, configMap);
    const { code, unknowns } = await checkHosted("guest-01", "4.21.2");
    assert.deepEqual([code, unknowns], [4, ["hosted-cluster NotReported ConfigMap hypershift/supported-versions"]]);
    await applyObjects(cluster, [buildSupportedVersions(SUPPORTED)]);
  });

  test("leaves out NodePools of others, and a hosted cluster without any has none to judge", async () => {
    const empty: JsonObject = buildHostedCluster("empty", "4.20.3");
    await applyObjects(cluster, [empty]);
    const { code, findings } = await checkHosted("empty", "4.21.2");
    assert.deepEqual([code, findings], [0, []]);
    await deleteObject(cluster, `${BASE}/hostedclusters/empty`);
  });
});
