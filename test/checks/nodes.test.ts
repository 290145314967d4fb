import assert from "node:assert/strict";
import { test } from "node:test";
import { type Node, buildPodsRead, findCrowded } from "../../src/checks/nodes/node.ts";
import type { JsonObject } from "../../src/model/json.ts";

const OWNER = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", controller: true };

function buildPod(nodeName: string, cpu: string): JsonObject {
  return {
    metadata: { namespace: "demo", name: "web", ownerReferences: [OWNER] },
    spec: { nodeName, containers: [{ name: "web", resources: { requests: { cpu, memory: "1Gi" } } }] },
    status: { phase: "Running" },
  };
}

test("sums up the requests of each node once, and anew if the list is read anew", () => {
  const read = buildPodsRead();
  read.begin?.();
  assert.ok(read.keep(buildPod("worker-0", "7")));
  read.begin?.();
  const kept = [buildPod("worker-0", "500m"), buildPod("worker-0", "1"), buildPod("worker-1", "2")].map(read.keep);
  assert.equal(kept[1], undefined, "a node is kept once");
  assert.deepEqual(kept[0]?.used, { cpu: 1.5, memory: 2 * 1024 ** 3, pods: 2 });
  assert.deepEqual(kept[2]?.movable, { cpu: 2, memory: 1024 ** 3, pods: 1 });
});

test("calls a node crowded only if its pods request more than all others have left", () => {
  const buildNode = (name: string): Node => ({
    name,
    isReported: true,
    isControlPlane: false,
    isUpdating: false,
    isDegraded: false,
    isTainted: false,
    allocatable: { cpu: 0.3, memory: 100, pods: 10 },
  });
  const nodes = [buildNode("worker-0"), buildNode("worker-1")];
  const buildSum = (node: string, cpu: number) => {
    const requests = { cpu, memory: 1, pods: 1 };
    return { node, used: requests, movable: requests };
  };
  assert.deepEqual(findCrowded(nodes, [buildSum("worker-0", 0.1 + 0.2), buildSum("worker-1", 0)]), []);
  assert.deepEqual(findCrowded(nodes, [buildSum("worker-0", 0.2), buildSum("worker-1", 0.11)]), [
    { node: "worker-0", resource: "cpu" },
    { node: "worker-1", resource: "cpu" },
  ]);
});
