import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { keepControlPlaneNode } from "../../src/checks/control-plane-nodes/check.ts";

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
