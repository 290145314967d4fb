import assert from "node:assert/strict";
import { test } from "node:test";
import nodes, { judgeNodes } from "../../src/checks/nodes/check.ts";
import type { Node } from "../../src/checks/nodes/node.ts";
import { buildCapacity, buildPodsRead, findCrowded, isUsedUp, keepNode } from "../../src/checks/nodes/node.ts";
import { buildContext, type Context } from "../../src/model/check.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { release, version } from "../support/fixtures.ts";
import type { Platform } from "../../src/model/version.ts";

const NOW = new Date("2026-03-01T12:00:00Z");

function buildUpdate(on: Platform = "openshift", checks: readonly string[] = []): Context {
  const [source, target] = on === "openshift" ? ["4.18.5", "4.19.2"] : ["1.31.5", "1.32.2"];
  return { ...buildContext(version(source), release(target), NOW, on), checks };
}

const OPERATOR = "machineconfiguration.openshift.io/";
const READY = { type: "Ready", status: "True" };

function buildNode(name: string, conditions: readonly JsonObject[] = [READY], more: JsonObject = {}, role = "worker") {
  const labels = { [`node-role.kubernetes.io/${role}`]: "" };
  const annotations = { [`${OPERATOR}desiredConfig`]: `rendered-${role}-1a` };
  const allocatable = { cpu: "4", memory: "8Gi", pods: "100" };
  return { metadata: { name, labels, annotations }, status: { conditions, allocatable }, ...more };
}

const build = (...args: Parameters<typeof buildNode>): Node => keepNode(buildNode(...args));
const notReady = (time: string): JsonObject => ({
  type: "Ready",
  status: "False",
  lastTransitionTime: `2026-03-01T${time}Z`,
});

test("keeps of a node why it is unavailable, or under pressure", () => {
  const pressure = (type: string, status = "True") => [READY, { type, status }];
  const table: readonly (readonly [node: Node, fault: string | undefined, pressure: string | undefined])[] = [
    [build("a"), undefined, undefined],
    [build("a", [notReady("11:00:00")]), "not ready", undefined],
    [build("a", [READY], { spec: { unschedulable: true } }), "cordoned", undefined],
    [build("a", pressure("DiskPressure")), "under disk pressure", undefined],
    [build("a", pressure("DiskPressure", "False")), undefined, undefined],
    [build("a", pressure("NetworkUnavailable")), "without network", undefined],
    [build("a", pressure("MemoryPressure")), undefined, "under memory pressure"],
    [build("a", pressure("PIDPressure", "Unknown")), undefined, undefined],
    [build("a", pressure("PIDPressure")), undefined, "under PID pressure"],
  ];
  for (const [node, fault, under] of table) assert.deepEqual([node.fault?.kind, node.pressure?.kind], [fault, under]);
  assert.deepEqual([build("a", []).isReported, build("a").isReported], [false, true]);
  const tainted = (...effects: readonly string[]) =>
    build("a", [READY], { spec: { taints: effects.map((effect) => ({ effect })) } }).isTainted;
  assert.deepEqual(
    [tainted(), tainted("PreferNoSchedule"), tainted("NoSchedule"), tainted("PreferNoSchedule", "NoExecute")],
    [false, false, true, true],
  );
  const annotate = (key: string, value: string) =>
    keepNode({ metadata: { annotations: { [`${OPERATOR}${key}`]: value } } });
  const pools = ["rendered-worker-1a", "rendered-infra-x-1a", "rendered-worker", "my-rendered-worker-1a"];
  assert.deepEqual(
    pools.map((one) => annotate("desiredConfig", one).pool),
    ["worker", "infra-x", undefined, undefined],
  );
  const states = ["Degraded", "Unreconcilable", "Done"].map((one) => annotate("state", one).isDegraded);
  assert.deepEqual(states, [true, true, false]);
});

const POOL = { name: "worker", isRequired: false, isPaused: false, maxUnavailable: 1 };

function judge(
  all: readonly Node[],
  context = buildUpdate(),
  pool: Partial<typeof POOL> = {},
  isHighlyAvailable = true,
) {
  const cluster = {
    nodes: all,
    pools: [{ ...POOL, ...pool }],
    isHighlyAvailable,
    unpausedHealthChecks: [],
    requests: [],
  };
  const { findings = [], notices = [], unknowns = [] } = judgeNodes(cluster, context);
  return [...findings, ...unknowns]
    .map(({ message }) => message)
    .concat(notices)
    .join("|");
}

test("a pool whose nodes have been unavailable for ten minutes blocks the update", () => {
  const lasting = build("a", [notReady("11:50:00")]);
  const brief = build("a", [notReady("11:50:01")]);
  const all = "As many of its nodes are unavailable as spec.maxUnavailable allows: a is not ready.";
  const wait =
    /^MachineConfigPool worker has as many unavailable nodes as spec\.maxUnavailable allows \(a is not ready\): /;
  const fault = /^Node a is not ready: .* "oc describe node NAME" shows /;
  assert.equal(judge([lasting, build("b")]), all);
  assert.equal(judge([lasting, build("b", [notReady("11:50:01")])]), all);
  assert.match(judge([brief, build("b")]), wait);
  assert.match(judge([lasting, build("b")], buildUpdate(), { maxUnavailable: 2 }), fault);
  assert.match(judge([lasting, build("b")], buildUpdate(), { isPaused: true }), fault);
  assert.match(judge([lasting, build("b")], buildUpdate(), { name: "infra" }), fault);
  assert.match(judge([{ ...lasting, isUpdating: true }]), /^MachineConfigPool worker /);
  assert.match(judge([{ ...lasting, isDegraded: true }]), /^MachineConfigPool worker /);
  assert.match(judge([{ ...build("a"), isUpdating: true }]), / \(a is being updated\): /);
  assert.equal(judge([build("a"), build("b")]), "");
  assert.equal(judge([build("a", [])], buildUpdate(), { name: "infra" }), "its status has no condition Ready");
  const two = [lasting, build("b", [notReady("11:00:00")])];
  assert.match(judge(two, buildUpdate(), { name: "infra" }), /^Nodes a and b are not ready: /);
});

test("leaves the nodes of a control plane to the check that judges them, if it runs", () => {
  const master = (name: string, conditions: readonly JsonObject[] = [READY]) => build(name, conditions, {}, "master");
  const others = [master("b"), master("c")];
  const down = master("a", [notReady("11:00:00")]);
  const pressed = master("a", [READY, { type: "PIDPressure", status: "True" }]);
  const run = (node: Node, checks: readonly string[], isHighlyAvailable = true) =>
    judge([node, ...others], buildUpdate("openshift", checks), { name: "master" }, isHighlyAvailable)
      .split(":", 1)
      .join();
  const all = "As many of its nodes are unavailable as spec.maxUnavailable allows";
  assert.equal(run(down, ["control-plane-nodes"]), "");
  assert.equal(run(down, []), all);
  assert.equal(run(down, ["control-plane-nodes"], false), all);
  assert.equal(run(pressed, ["control-plane-nodes"]), "Node a is under PID pressure");
  const disk = master("a", [READY, { type: "DiskPressure", status: "True" }]);
  assert.equal(
    judge([disk, ...others, master("d")], buildUpdate("openshift", ["control-plane-nodes"]), { name: "master" }),
    `${all}: a is under disk pressure.`,
  );
});

test("without OpenShift, reports a control-plane node that has not been ready for ten minutes", () => {
  const context = buildUpdate("kubernetes");
  const plane = (conditions: readonly JsonObject[], more: JsonObject = {}) =>
    judge([build("a", conditions, more, "control-plane")], context);
  assert.equal(plane([notReady("11:50:00")]), "This control-plane node is not ready.");
  assert.match(plane([notReady("11:50:01")]), /^Node a is not ready: .* "kubectl describe node NAME"/);
  assert.match(plane([READY], { spec: { unschedulable: true } }), /^Node a is cordoned: /);
  assert.match(judge([build("a", [notReady("11:00:00")])], context, { name: "none" }), /^Node a is not ready: /);
});

test("a pool is used up once as many nodes are unavailable as may be", () => {
  const down = (name: string) => build(name, [notReady("11:00:00")]);
  const isFull = (maxUnavailable: Json, ...all: readonly Node[]) =>
    isUsedUp(buildCapacity({ ...POOL, maxUnavailable }, all));
  assert.deepEqual(
    [isFull(1, build("a")), isFull(1, down("a")), isFull(2, down("a")), isFull(2, down("a"), down("b"))],
    [false, true, false, true],
  );
  assert.deepEqual([isFull("50%", down("a"), build("b")), isFull("odd", down("a"))], [true, false]);
  assert.equal(isFull(1, { ...down("a"), pool: "infra" }), false);
});

test("counts the pods that move from a drained node, and leaves out the others", () => {
  const owner = (kind: string, controller = true) => ({ ownerReferences: [{ kind, controller }] });
  const count = (metadata: JsonObject, spec: JsonObject = {}, status: JsonObject = {}) => {
    const containers: readonly JsonObject[] = [{ resources: { requests: { cpu: "500m", memory: 1024 } } }, {}];
    const kept = buildPodsRead().keep({ metadata, spec: { nodeName: "a", containers, ...spec }, status });
    return kept && [kept.used.cpu, kept.used.memory, kept.used.pods, kept.movable.pods];
  };
  const tolerate = (key?: string): JsonObject => ({
    tolerations: [key === undefined ? { operator: "Exists" } : { key }],
  });
  const moves = [0.5, 1024, 1, 1];
  const stays = [0.5, 1024, 1, 0];
  const set = owner("ReplicaSet");
  const table: readonly (readonly [kept: ReturnType<typeof count>, expected: readonly number[] | undefined])[] = [
    [count(set), moves],
    [count(set, tolerate("node.kubernetes.io/not-ready")), moves],
    [count(set, tolerate("example.com/node.kubernetes.io/a")), stays],
    [count(set, tolerate()), stays],
    [count(owner("ReplicaSet", false)), stays],
    [count(owner("DaemonSet")), stays],
    [count(owner("Node")), stays],
    [count({}), stays],
    [count(set, { nodeName: "" }), undefined],
    [count(set, {}, { phase: "Succeeded" }), undefined],
    [count(set, {}, { phase: "Failed" }), undefined],
    [count({ ...set, deletionTimestamp: "2026-03-01T12:00:00Z" }), undefined],
  ];
  for (const [i, [kept, expected]] of table.entries()) assert.deepEqual(kept, expected, `row ${i}`);
  const sum = (node: string, cpu: number) => ({
    node,
    used: { cpu, memory: 1, pods: 1 },
    movable: { cpu, memory: 1, pods: 1 },
  });
  const crowded = (...all: readonly Node[]) =>
    findCrowded(all, [sum("a", 3), sum("b", 2)])
      .map(({ node }) => node)
      .join();
  const tainted: JsonObject = { spec: { taints: [{ effect: "NoSchedule" }] } };
  assert.equal(crowded(build("a"), build("b")), "a,b");
  assert.equal(crowded(build("a"), build("b"), build("c")), "");
  assert.equal(crowded(build("a"), build("b"), build("c", [READY], tainted)), "a,b");
  assert.equal(crowded(build("a"), build("b"), build("c", [notReady("11:00:00")])), "a,b");
  assert.equal(crowded(build("a"), build("b"), build("c", [READY, { type: "PIDPressure", status: "True" }])), "a,b");
  assert.equal(crowded(build("a"), build("b"), build("c", [READY], { status: { conditions: [READY] } })), "");
});

test("reads pods only if there is another node to which they can move", () => {
  const follow = (count: number) => {
    const found = { kind: "found", values: Array.from({ length: count }, (_, i) => build(`n${i}`)) } as const;
    const reads = {
      nodes: found,
      pools: { kind: "found", values: [] },
      topology: { kind: "found", value: "HighlyAvailable" },
    } as const;
    return Object.keys(nodes.follow?.(reads, buildUpdate()) ?? {});
  };
  assert.deepEqual([follow(0), follow(1), follow(2)], [[], ["healthChecks"], ["healthChecks", "pods"]]);
});
