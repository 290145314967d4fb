import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { JsonObject } from "../../src/model/json.ts";
import { type AdminApi, connectAdminApi } from "../../verify/api-server/admin-api.ts";
import { applyObjects } from "../../verify/api-server/apply-objects.ts";
import { type CheckRun, runCheck } from "../support/check-run.ts";
import {
  type ControlPlane,
  createPayload,
  createSmallPayload,
  noControlPlane,
  startCluster,
} from "../../verify/api-server/control-plane.ts";
import { readSource, RELATED_OBJECTS } from "../support/must-gather/sources.ts";
import { writeMustGather } from "../support/must-gather/writer.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { hasAllCases, sampleEach } from "../support/cases/sample.ts";

const MERGE = "application/merge-patch+json";

/** What 4.21 and 4.22 object to: some of it in namespaces that a must-gather holds, some in one that it doesn't. */
const BUDGET_NAMESPACES = ["openshift-ingress-operator", "planted"];
const BUDGET_STATUS = {
  observedGeneration: 1,
  expectedPods: 1,
  desiredHealthy: 1,
  currentHealthy: 1,
  disruptionsAllowed: 0,
};
const PLANTED: readonly JsonObject[] = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "planted" } },
  ...BUDGET_NAMESPACES.map((namespace) => ({
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { namespace, name: "strict" },
    spec: { maxUnavailable: 0, selector: { matchLabels: { app: "planted" } } },
  })),
  {
    apiVersion: "config.openshift.io/v1",
    kind: "Build",
    metadata: { name: "planted-build" },
    spec: { buildDefaults: { defaultProxy: { httpsProxy: "https://proxy.example.com" } } },
  },
  {
    apiVersion: "machineconfiguration.openshift.io/v1",
    kind: "MachineConfigPool",
    metadata: { name: "planted-pool" },
    spec: { paused: true, nodeSelector: { matchLabels: { planted: "true" } } },
  },
];

const PLANTED_CRDS = ["_builds", "_machineconfigpools"];

describe("a must-gather of a seeded cluster", { skip: noControlPlane }, () => {
  let cluster: ControlPlane;
  let api: AdminApi;
  const folder = createTemporaryFolder();
  let archive: string;
  before(async () => {
    archive = join(folder, "must-gather.local.1");
    cluster = await startCluster("4.20");
    api = await connectAdminApi(cluster);
    await applyObjects(cluster, PLANTED);
    const operators = "/apis/config.openshift.io/v1/clusteroperators";
    const patch = { status: { relatedObjects: RELATED_OBJECTS } };
    await api.call("PATCH", `${operators}/kube-apiserver/status`, patch, MERGE);
    for (const namespace of BUDGET_NAMESPACES) {
      const budget = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets/strict`;
      await api.call("PATCH", `${budget}/status`, { status: BUDGET_STATUS }, MERGE);
    }
    const startedAt = new Date(Date.now() - 1_000);
    await writeMustGather(await readSource(api), archive, { startedAt, endedAt: new Date() });
  });
  after(async () => {
    api?.close();
    await cluster?.down();
  });

  const targets = [
    ["4.21", "4.21.2"],
    ["4.22", "4.22.2"],
  ] as const;
  for (const [release, version] of sampleEach(targets, 2))
    test(`has the cluster's risks for ${version}, of all that it holds, and no other`, async (t) => {
      const payload = hasAllCases
        ? await createPayload(join(folder, version), release, version)
        : await createSmallPayload(join(folder, version), release, version, ...PLANTED_CRDS);
      const target = ["--target", payload];
      const live = await runCheck(["--kubeconfig", cluster.kubeconfig, ...target]);
      const archived = await runCheck(["--must-gather", archive, ...target]);
      assert.deepEqual(
        archived.findings.filter((finding) => !live.findings.includes(finding)),
        [],
      );
      assert.deepEqual(
        live.findings.filter(isHeld).filter((finding) => !archived.findings.includes(finding)),
        [],
      );
      assert.ok(archived.findings.some((finding) => finding.includes("openshift-ingress-operator/strict")));
      for (const [id, outcome] of Object.entries(archived.outcomes))
        if (outcome !== "unknown") assert.equal(outcome, live.outcomes[id], id);
      assert.ok(archived.unknowns.includes("drain-blocked NotRecorded poddisruptionbudgets.policy"));
      t.diagnostic(describeCounts(live, archived));
    });

  test("says what it is, of which cluster and when it was taken", async () => {
    const target = ["--target-version", "4.20.9"];
    const table = await runPreflight(["check", "--must-gather", archive, ...target]);
    assert.match(table.out.replaceAll(/\s+/g, " "), /Must-gather of cluster [0-9a-f-]{36}: \S+, taken 20\d\d-\S+Z/);
    const json: { readonly cluster: object } = JSON.parse(
      (await runPreflight(["check", "--must-gather", archive, ...target, "-o", "json"])).out,
    );
    assert.deepEqual(Object.keys(json.cluster), ["kind", "path", "takenAt"]);
  });
});

/** These namespaces are no operator's, so their objects are not in the archive. */
function isHeld(finding: string): boolean {
  return !/ (?:planted|demo-a)\//.test(finding);
}

function describeCounts(live: CheckRun, archived: CheckRun): string {
  const isComplete = (run: CheckRun): number => Object.values(run.outcomes).filter((one) => one !== "unknown").length;
  return `findings ${archived.findings.length} of ${live.findings.length}, checks ${isComplete(archived)} of ${isComplete(live)}`;
}
