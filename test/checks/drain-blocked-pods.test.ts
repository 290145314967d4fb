import assert from "node:assert/strict";
import { test } from "node:test";
import { type Budget, type BudgetState, parseBudget, areDisjoint } from "../../src/checks/drain-blocked/budget.ts";
import {
  type DrainVerdict,
  findOverlaps,
  canEvictUnhealthy,
  isNever,
  judgeBudget,
} from "../../src/checks/drain-blocked/verdict.ts";
import {
  type BudgetPod,
  type SelectedPods,
  buildPodsRead,
  countSelectedPods,
  findSelectedPods,
} from "../../src/checks/drain-blocked/pods.ts";
import type { JsonObject } from "../../src/model/json.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const PODS: SelectedPods = {
  managed: 3,
  bare: 0,
  drained: 3,
  healthy: 3,
  unhealthy: 0,
  siblings: 0,
  hasGone: false,
  explainsFailure: false,
};
const STATE: BudgetState = { currentHealthy: 3, isStale: false, alwaysAllows: false };
const AMOUNT = { limit: { field: "minAvailable", amount: 2, isPercent: false } } as const;

function buildBudget(state: Partial<BudgetState> | undefined): Budget {
  const budget = { namespace: "demo", name: "web", selector: ["app In web"] };
  return state === undefined ? budget : { ...budget, state: { ...STATE, ...state } };
}

const numbers = (expectedPods: number, desiredHealthy: number) => ({ numbers: { expectedPods, desiredHealthy } });

test("judges a budget by its limit and its pods", () => {
  const table: readonly (readonly [state: Partial<BudgetState>, pods: Partial<SelectedPods>, DrainVerdict])[] = [
    [{}, {}, "notUnderstood"],
    [numbers(3, 2), { drained: 0 }, "free"],
    [numbers(3, 2), {}, "notNow"],
    [numbers(3, 3), {}, "requiresAll"],
    [numbers(3, 3), { hasGone: true }, "requiresGone"],
    [numbers(0, 0), {}, "countsNone"],
    [numbers(1, 0), { healthy: 0 }, "free"],
    [numbers(3, 2), { healthy: 0 }, "free"],
    [numbers(3, 2), { healthy: 0, unhealthy: 1, managed: 3 }, "free"],
    [{ ...numbers(3, 2), currentHealthy: 1 }, { healthy: 0, unhealthy: 1 }, "notNow"],
    [{ ...numbers(3, 2), currentHealthy: 1, alwaysAllows: true }, { healthy: 0, unhealthy: 1 }, "free"],
    [numbers(5, 3), { siblings: 2 }, "selectsPart"],
    [numbers(5, 2), { siblings: 2 }, "notNow"],
    [numbers(5, 5), { siblings: 2 }, "requiresAll"],
    [numbers(5, 4), { siblings: 0 }, "notNow"],
    [numbers(5, 4), { bare: 1 }, "notNow"],
    [{ ...AMOUNT, ...numbers(3, 2) }, {}, "notNow"],
    [{ ...AMOUNT, ...numbers(3, 3) }, {}, "requiresAll"],
    [{ ...AMOUNT, ...numbers(3, 3) }, { bare: 1 }, "notNow"],
    [{ ...AMOUNT, ...numbers(3, 4) }, { bare: 1, hasGone: true }, "requiresGone"],
    [{ ...AMOUNT, isStale: true }, {}, "stale"],
    [{ ...AMOUNT, isStale: true }, { managed: 2 }, "requiresAll"],
    [{ isStale: true, ...numbers(3, 3) }, {}, "stale"],
    [{ ...numbers(3, 2), refusedSince: NOW.getTime() - 7_199_999 }, {}, "notNow"],
    [{ ...numbers(3, 2), refusedSince: NOW.getTime() - 7_200_000 }, {}, "exhausted"],
    [{ failure: "x" }, {}, "notComputed"],
    [{ failure: "x", refusedSince: NOW.getTime() - 599_999 }, {}, "notComputedYet"],
    [{ failure: "x", refusedSince: NOW.getTime() - 600_000 }, {}, "notComputed"],
    [{ failure: "x" }, { drained: 0 }, "ofDaemonSet"],
    [{ failure: "x" }, { drained: 0, managed: 0 }, "free"],
    [{ failure: "x", isStale: true }, {}, "notComputed"],
    [{ failure: "a.b does not implement the scale", isStale: true }, {}, "stale"],
    [{ failure: "a.b does not implement the scale", isStale: true }, { explainsFailure: true }, "notComputed"],
    [{ ...AMOUNT, failure: "x", isStale: true }, {}, "stale"],
  ];
  for (const [i, [state, pods, verdict]] of table.entries())
    assert.equal(judgeBudget(buildBudget(state), { ...PODS, ...pods }, NOW), verdict, `row ${i}`);
  assert.equal(judgeBudget(buildBudget(undefined), PODS, NOW), "free");
});

test("judges a budget by its status alone if the pods are not those of the status", () => {
  const table: readonly (readonly [state: Partial<BudgetState> | undefined, DrainVerdict])[] = [
    [undefined, "free"],
    [{}, "notUnderstood"],
    [{ isStale: true }, "stale"],
    [{ failure: "x" }, "notComputed"],
    [numbers(0, 0), "countsNone"],
    [{ ...numbers(0, 0), currentHealthy: 0 }, "free"],
    [{ ...numbers(0, 0), ...AMOUNT, currentHealthy: 0 }, "free"],
    [{ ...numbers(1, 1), currentHealthy: 0 }, "requiresAll"],
    [numbers(3, 3), "requiresAll"],
    [numbers(3, 4), "requiresAll"],
    [numbers(3, 2), "notNow"],
    [{ ...numbers(3, 2), currentHealthy: 0 }, "notNow"],
    [{ ...numbers(3, 0), currentHealthy: 0 }, "notNow"],
    [{ ...numbers(3, 2), currentHealthy: 0, alwaysAllows: true }, "free"],
  ];
  for (const [i, [state, verdict]] of table.entries())
    assert.equal(judgeBudget(buildBudget(state), undefined, NOW), verdict, `row ${i}`);
  const never = ["requiresAll", "requiresGone", "selectsPart", "countsNone", "notNow", "free"] as const;
  assert.deepEqual(never.map(isNever), [true, true, true, true, false, false]);
});

test("lets an unhealthy pod go while as many are healthy as the budget requires", () => {
  const can = (desired: number, currentHealthy: number, alwaysAllows = false): boolean =>
    canEvictUnhealthy({ ...STATE, ...numbers(3, desired), currentHealthy, alwaysAllows });
  assert.deepEqual(
    [can(2, 1), can(2, 2), can(2, 3), can(0, 0), can(1, 0), can(1, 0, true)],
    [false, true, true, false, false, true],
  );
  assert.equal(canEvictUnhealthy(STATE), false);
});

function buildPod(name: string, more: Partial<BudgetPod> = {}): BudgetPod {
  const pod = { namespace: "demo", name, budgets: [0], state: "healthy", isDrained: true, controller: "1" } as const;
  return { ...pod, explainsFailure: false, ...more };
}

test("counts the pods that a budget selects, and those of their controllers that it doesn't", () => {
  const pods = [
    buildPod("a"),
    buildPod("b", { state: "unhealthy" }),
    buildPod("c", { state: "pending", isDrained: false }),
    buildPod("d", { state: "gone" }),
    buildPod("e", { controller: "", explainsFailure: true }),
    buildPod("f", { budgets: [] }),
    buildPod("g", { budgets: [1], controller: "2" }),
    buildPod("h", { budgets: [], state: "gone" }),
  ];
  const of = countSelectedPods(pods);
  const all = { managed: 3, bare: 1, drained: 3, healthy: 2, unhealthy: 1, siblings: 1, hasGone: true };
  assert.deepEqual(of(0), { ...all, explainsFailure: true });
  const one = { managed: 1, bare: 0, drained: 1, healthy: 1, unhealthy: 0, siblings: 0, hasGone: false };
  assert.deepEqual(of(1), { ...one, explainsFailure: false });
  const table: readonly (readonly [state: Partial<BudgetState> | undefined, isKept: boolean])[] = [
    [undefined, true],
    [{ currentHealthy: 4 }, true],
    [{ currentHealthy: 5 }, false],
    [{ currentHealthy: 5, isStale: true }, true],
    [{ currentHealthy: 5, failure: "x" }, true],
  ];
  for (const [state, isKept] of table)
    assert.equal(findSelectedPods(buildBudget(state), of(0)) !== undefined, isKept, JSON.stringify(state));
});

test("keeps of a pod what the eviction API and a drain see", () => {
  const status = { observedGeneration: 1, disruptionsAllowed: 0, expectedPods: 1, desiredHealthy: 1 };
  const spec = { selector: { matchLabels: { app: "web" } }, maxUnavailable: 1 };
  const budget = parseBudget({ metadata: { namespace: "demo", name: "web" }, spec, status });
  const ready = { conditions: [{ type: "Ready", status: "True" }] };
  const owner = (kind: string, controller = true) => ({ ownerReferences: [{ kind, uid: "1", controller }] });
  const table: readonly (readonly [metadata: JsonObject, podStatus: JsonObject, kept: string])[] = [
    [{}, { phase: "Running", ...ready }, "healthy true "],
    [{}, { phase: "Running" }, "unhealthy true "],
    [{}, { phase: "Pending", ...ready }, "pending true "],
    [{}, { phase: "Succeeded", ...ready }, "gone true "],
    [{}, { phase: "Failed" }, "gone true "],
    [{ deletionTimestamp: "2026-03-01T12:00:00Z" }, { phase: "Running", ...ready }, "gone true "],
    [owner("ReplicaSet"), ready, "healthy true 1"],
    [owner("ReplicaSet", false), ready, "healthy true "],
    [owner("DaemonSet"), ready, "healthy false 1"],
    [owner("Node"), ready, "healthy false 1"],
  ];
  const read = buildPodsRead([budget]);
  for (const [metadata, podStatus, expected] of table) {
    const kept = read?.keep({
      metadata: { namespace: "demo", name: "a", labels: { app: "web" }, ...metadata },
      status: podStatus,
    });
    assert.equal(`${kept?.state} ${kept?.isDrained} ${kept?.controller}`, expected);
  }
  const other = (namespace: string, more: JsonObject) =>
    read?.keep({ metadata: { namespace, name: "b", labels: { app: "api" }, ...more } });
  assert.equal(other("demo", {}), undefined);
  assert.deepEqual(other("demo", owner("ReplicaSet"))?.budgets, []);
  assert.equal(other("shop", owner("ReplicaSet")), undefined);
  const free = parseBudget({ metadata: { namespace: "demo", name: "free" }, spec, status: { disruptionsAllowed: 1 } });
  const pod = { metadata: { namespace: "demo", name: "b", labels: { app: "api" }, ...owner("ReplicaSet") } };
  assert.deepEqual(buildPodsRead([budget, free])?.keep(pod)?.budgets, []);
});

test("finds the pods that two budgets select and a drain evicts", () => {
  const [a, b, c] = ["a", "b", "c"].map((name) => ({ namespace: "demo", name, selector: undefined }));
  assert.ok(a && b && c);
  const find = (...pods: readonly BudgetPod[]) =>
    findOverlaps([a, b, c], pods).map(
      ({ budget, other, pods: names }) => `${budget.name}+${other.name}: ${names.join()}`,
    );
  const two = { budgets: [0, 1] };
  assert.deepEqual(find(buildPod("y", two), buildPod("x", two)), ["a+b: x,y", "b+a: x,y"]);
  assert.deepEqual(
    find(buildPod("x", { ...two, state: "gone" }), buildPod("y", { ...two, isDrained: false }), buildPod("z")),
    [],
  );
  assert.deepEqual(find(buildPod("x", { budgets: [0, 2] }), buildPod("y", two)), ["a+b: y", "b+a: y", "c+a: x"]);
  assert.deepEqual(findOverlaps([a], [buildPod("x", two)]), []);
});

test("tells requirements that contradict each other", () => {
  const table: readonly (readonly [one: string, other: string, areApart: boolean])[] = [
    ["a In x", "a In y", true],
    ["a In x", "a In x,y", false],
    ["a In x", "b In y", false],
    ["a DoesNotExist ", "a In x", true],
    ["a DoesNotExist ", "a Exists ", true],
    ["a DoesNotExist ", "a NotIn x", false],
    ["a DoesNotExist ", "a DoesNotExist ", false],
    ["a In x", "a NotIn x", false],
    ["a In x", "a Exists ", false],
    ["a NotIn x", "a NotIn y", false],
  ];
  for (const [one, other, areApart] of table)
    assert.deepEqual(
      [areDisjoint([one], [other]), areDisjoint([other], [one])],
      [areApart, areApart],
      `${one}, ${other}`,
    );
});
