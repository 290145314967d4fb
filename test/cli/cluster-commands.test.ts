import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CLUSTER_VERSION,
  CLUSTER_VERSION_CRD,
  CONTROLLER_LEASE,
  LEASES,
  OPERATOR_LEASE_PATH,
  REQUEST,
  RESULT,
} from "../../src/controller/api/api-paths.ts";
import { buildResultConfigMap } from "../../src/lift/preflight-result.ts";
import { type JsonObject, objectAt } from "../../src/model/json.ts";
import { buildSampleDocument, clusterVersion, liftSample, risk } from "../../verify/operator/status-sample.ts";
import { runPreflight, startPreflight } from "../../verify/shared/preflight.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { startFakeCluster } from "../support/cli/fake-cluster.ts";

const CONTROLLER_LEASE_PATH = `${LEASES}/${CONTROLLER_LEASE}`;
const CRD_PATH = `${CLUSTER_VERSION_CRD.collection}/${CLUSTER_VERSION_CRD.name}`;
const NAMESPACE = "openshift-cluster-version";
const REQUESTED: JsonObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "preflight-request", namespace: NAMESPACE },
  data: { to: "5.2.0" },
};
const CRD: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: CLUSTER_VERSION_CRD.name },
};

function buildLease(path: string): JsonObject {
  const metadata = { name: path.split("/").at(-1) ?? "", namespace: NAMESPACE };
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata,
    spec: { holderIdentity: "x", leaseDurationSeconds: 3_600, renewTime: new Date().toISOString() },
  };
}

function respondWith(objects: Readonly<Record<string, JsonObject>>) {
  return (path: string) => {
    const body = objects[path];
    return body === undefined ? undefined : { code: 200, body };
  };
}

test("accept rejects an unknown risk name and suggests the nearest one", async (t) => {
  const base = clusterVersion();
  const offered = {
    name: "OfferedRisk",
    message: "m",
    url: "https://example.com",
    matchingRules: [{ type: "Always" }],
  };
  const status = { ...objectAt(base, "status"), conditionalUpdateRisks: [offered] };
  const objects = { [CLUSTER_VERSION]: { ...base, status }, [CRD_PATH]: CRD };
  const kubeconfig = await startFakeCluster(t, respondWith(objects));
  const refused = await runPreflight(["accept", "CustomResourceFieldsFroze", "--kubeconfig", kubeconfig]);
  assert.deepEqual([refused.code, refused.out], [1, ""]);
  assert.match(
    refused.err,
    /CustomResourceFieldsFroze is not the name of a known risk: did you mean CustomResourceFieldsFrozen\?/,
  );
  const misspelt = await runPreflight(["accept", "OferedRisk", "--kubeconfig", kubeconfig]);
  assert.match(misspelt.err, /did you mean OfferedRisk\?/);
  for (const names of ["OfferedRisk", "CrdSkewUnknown", "NoSuchRisk-"]) {
    const known = await runPreflight(["accept", names, "--kubeconfig", kubeconfig]);
    assert.doesNotMatch(known.err, /is not the name of a known risk/, names);
  }
});

test("cancel warns about a mode set by somebody else, even if there is also a request", async (t) => {
  const base = clusterVersion();
  const spec = { ...objectAt(base, "spec"), desiredUpdate: { mode: "Preflight", version: "5.2.0" } };
  const reads = respondWith({
    [CLUSTER_VERSION]: { ...base, spec },
    [REQUEST]: REQUESTED,
    [OPERATOR_LEASE_PATH]: buildLease(OPERATOR_LEASE_PATH),
  });
  const kubeconfig = await startFakeCluster(t, (path, method) =>
    method === "DELETE" ? { code: 200, body: { kind: "Status", status: "Success" } } : reads(path),
  );
  const { code, out, err } = await runPreflight(["cancel", "--kubeconfig", kubeconfig]);
  assert.deepEqual([code, out], [0, "Cancelled the preflight.\n"]);
  assert.match(err, /^warning: spec\.desiredUpdate has the mode Preflight, which somebody else set\./);
  assert.match(err, /does not support the mode: it ignores it and starts an update to 5\.2\.0\./);
});

test("status --wait shows progress, and exits with the result and its exit code", async (t) => {
  const objects: Record<string, JsonObject> = {
    [CLUSTER_VERSION]: clusterVersion(),
    [REQUEST]: REQUESTED,
    [CONTROLLER_LEASE_PATH]: buildLease(CONTROLLER_LEASE_PATH),
  };
  const kubeconfig = await startFakeCluster(t, (path) => respondWith(objects)(path));
  const waiting = startPreflight(["status", "--wait", "--kubeconfig", kubeconfig]);
  t.after(() => waiting.kill("SIGKILL"));
  await eventually(async () => assert.match(waiting.err(), /^Waiting for the preflight\./));
  const soon = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, "");
  const document = { ...buildSampleDocument([risk("A")]), validUntil: soon };
  objects[RESULT] = buildResultConfigMap(liftSample({ document }), document);
  const { code, out } = await waiting.result;
  assert.equal(code, 3);
  assert.match(out, /^Not accepted: A$/m);
});

test("status --wait=DURATION exits when the time is up, or immediately if nothing is requested", async (t) => {
  const requested = await startFakeCluster(
    t,
    respondWith({ [CLUSTER_VERSION]: clusterVersion(), [REQUEST]: REQUESTED }),
  );
  const late = await runPreflight(["status", "--wait=1ms", "-o", "json", "--kubeconfig", requested]);
  assert.equal(late.code, 4);
  assert.match(late.err, /^preflight: the wait timed out before the preflight had a result$/m);
  assert.equal(JSON.parse(late.out).request.target, "5.2.0");
  const unrequested = await startFakeCluster(t, respondWith({ [CLUSTER_VERSION]: clusterVersion() }));
  const { code, err } = await runPreflight(["status", "--wait=1m", "--kubeconfig", unrequested]);
  assert.deepEqual([code, err], [1, "preflight: there is nothing to wait for: no preflight is requested\n"]);
});
