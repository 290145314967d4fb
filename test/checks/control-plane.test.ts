import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { keepControlPlaneNode } from "../../src/checks/control-plane-nodes/check.ts";
import { keepEtcd } from "../../src/checks/etcd-health/check.ts";

const PREFIX = "machineconfiguration.openshift.io/";

function node(
  notes: Readonly<Record<string, string>>,
  spec: Readonly<Record<string, boolean>> = { unschedulable: true },
) {
  const annotations = Object.fromEntries(Object.entries(notes).map(([key, note]) => [`${PREFIX}${key}`, note]));
  const labels = { "node-role.kubernetes.io/control-plane": "" };
  const conditions = [{ type: "Ready", status: "True" }];
  return keepControlPlaneNode({ metadata: { name: "a", labels, annotations }, spec, status: { conditions } });
}

describe("a control-plane node", () => {
  test("has either role, and other nodes are dropped", () => {
    assert.equal(keepControlPlaneNode({ metadata: { labels: { "node-role.kubernetes.io/worker": "" } } }), undefined);
    assert.equal(keepControlPlaneNode({}), undefined);
    assert.deepEqual(node({}, {})?.state, { kind: "usable" });
  });

  test("is updating while the machine-config daemon works on it, but not once it is degraded", () => {
    const updating = (notes: Readonly<Record<string, string>>) => {
      const state = node(notes)?.state;
      return state?.kind === "unusable" && state.isUpdating;
    };
    assert.equal(updating({ state: "Working" }), true);
    assert.equal(updating({ state: "Done", currentConfig: "a", desiredConfig: "b" }), true);
    assert.equal(updating({ state: "Done", currentConfig: "a", desiredConfig: "a" }), false);
    assert.equal(updating({ state: "Degraded", currentConfig: "a", desiredConfig: "b" }), false);
    assert.equal(updating({}), false);
  });
});

describe("etcd's conditions", () => {
  test("are faults unless they have the expected status", () => {
    const conditions = [
      { type: "EtcdMembersAvailable", status: "Unknown" },
      { type: "EtcdMembersDegraded", status: "False" },
      { type: "EtcdEndpointsDegraded", status: "True", reason: "Why" },
      { type: "constructor", status: "True" },
    ];
    const { faults, isReported } = keepEtcd({ status: { conditions } });
    assert.deepEqual(
      faults.map(({ type }) => type),
      ["EtcdMembersAvailable", "EtcdEndpointsDegraded"],
    );
    assert.equal(isReported, true);
  });

  test("are not reported if the operator reports none", () => {
    for (const object of [{}, { status: {} }, { status: { conditions: "none" } }])
      assert.deepEqual(keepEtcd(object), { isReported: false, faults: [], isRollingOut: false });
  });

  test("are independent of the revisions that show a rollout", () => {
    const rollingOut = (...nodeStatuses: readonly Readonly<Record<string, number>>[]) =>
      keepEtcd({ status: { latestAvailableRevision: 4, nodeStatuses } }).isRollingOut;
    assert.equal(rollingOut({ currentRevision: 4, targetRevision: 0 }, { currentRevision: 4 }), false);
    assert.equal(rollingOut({ currentRevision: 4, targetRevision: 4 }), false);
    assert.equal(rollingOut({ currentRevision: 4 }, { currentRevision: 3, targetRevision: 4 }), true);
    assert.equal(rollingOut({ currentRevision: 3 }), true);
  });
});
