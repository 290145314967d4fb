import assert from "node:assert/strict";
import { test } from "node:test";
import { parseBudget, areDisjoint, parseSelector, buildSelectorIndex } from "../../src/checks/drain-blocked/budget.ts";
import { canOverlap, buildPodsRead, countSelectedPods } from "../../src/checks/drain-blocked/pods.ts";
import { findOverlaps, judgeBudget } from "../../src/checks/drain-blocked/verdict.ts";
import { createUnknownCollector } from "../../src/checks/drain-blocked/findings.ts";
import type { JsonObject } from "../../src/model/json.ts";

const NOW = new Date("2026-03-01T12:00:00Z");

function buildBudget(spec: JsonObject, status: JsonObject, generation = 1): JsonObject {
  return {
    metadata: { namespace: "demo", name: "web", generation },
    spec: { selector: { matchLabels: { app: "web" } }, ...spec },
    status: { observedGeneration: 1, ...status },
  };
}

function buildPod(name: string, labels: JsonObject, controller?: string): JsonObject {
  const ownerReferences = controller ? [{ apiVersion: "apps/v1", kind: controller, uid: "1", controller: true }] : [];
  const status = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
  return { metadata: { namespace: "demo", name, labels, ownerReferences }, status };
}

/** The verdict on a budget by its status alone. */
function judgeStatus(spec: JsonObject, status: JsonObject, generation = 1): string {
  return judgeBudget(parseBudget(buildBudget(spec, status, generation)), undefined, NOW);
}

/** The verdict on a budget with pods that are all healthy. */
function judgeWithPods(budget: JsonObject, pods: readonly JsonObject[]): string {
  const parsed = parseBudget(budget);
  const kept = pods.map((pod) => buildPodsRead([parsed])?.keep(pod)).filter((pod) => pod !== undefined);
  return judgeBudget(parsed, countSelectedPods(kept)(0), NOW);
}

test("decides by the required pods whether a budget never allows an eviction, not by its healthy pods", () => {
  const table: readonly (readonly [expected: number, desired: number, allowed: number, verdict: string])[] = [
    [0, 0, 0, "free"],
    [0, 3, 0, "free"],
    [1, 1, 0, "requiresAll"],
    [2, 3, 0, "requiresAll"],
    [3, 2, 1, "free"],
    [3, 2, 0, "notNow"],
    [3, 0, 3, "free"],
    [1, 1, 1, "free"],
  ];
  for (const [expectedPods, desiredHealthy, disruptionsAllowed, verdict] of table)
    assert.equal(judgeStatus({ minAvailable: 1 }, { expectedPods, desiredHealthy, disruptionsAllowed }), verdict);
});

test("reports that a budget never allows an eviction if its pods have no controller", () => {
  const bare = { expectedPods: 0, desiredHealthy: 0, disruptionsAllowed: 0 };
  assert.equal(judgeStatus({ maxUnavailable: 1 }, { ...bare, currentHealthy: 2 }), "countsNone");
  assert.equal(judgeStatus({ maxUnavailable: 1 }, { ...bare, currentHealthy: 0 }), "free");
});

test("uses the new spec and its pods if the status is for an earlier spec", () => {
  const last = { expectedPods: 9, desiredHealthy: 8, currentHealthy: 9, disruptionsAllowed: 1 };
  const managed = [0, 1, 2].map((i) => buildPod(`web-${i}`, { app: "web" }, "ReplicaSet"));
  const bare = [buildPod("bare", { app: "web" })];
  const table: readonly (readonly [JsonObject, readonly JsonObject[], string])[] = [
    [{ maxUnavailable: 0 }, managed, "stale"],
    [{ maxUnavailable: 1 }, bare, "stale"],
    [{ minAvailable: 3 }, managed, "requiresAll"],
    [{ minAvailable: 3 }, [...managed, ...bare], "stale"],
    [{ minAvailable: "all" }, managed, "stale"],
    [{}, managed, "stale"],
    [{ maxUnavailable: 0 }, [], "free"],
  ];
  for (const [spec, pods, verdict] of table)
    assert.equal(judgeWithPods(buildBudget(spec, last, 2), pods), verdict, JSON.stringify(spec));
  assert.equal(judgeStatus({ maxUnavailable: 0 }, last, 2), "stale");
});

test("allows the disruption controller ten minutes to compute a budget, and a budget two hours to allow a disruption", () => {
  const judge = (reason: string, lastTransitionTime: string) => {
    const condition = { type: "DisruptionAllowed", status: "False", reason, lastTransitionTime };
    const numbers = { expectedPods: 3, desiredHealthy: 2, currentHealthy: 2, disruptionsAllowed: 0 };
    return judgeStatus({ maxUnavailable: 1 }, { ...numbers, conditions: [condition] });
  };
  assert.equal(judge("SyncFailed", "2026-03-01T11:50:01Z"), "notComputedYet");
  assert.equal(judge("SyncFailed", "2026-03-01T11:50:00Z"), "notComputed");
  assert.equal(judge("SyncFailed", "yesterday"), "notComputed");
  assert.equal(judge("InsufficientPods", "2026-03-01T10:00:01Z"), "notNow");
  assert.equal(judge("InsufficientPods", "2026-03-01T10:00:00Z"), "exhausted");
  assert.equal(judge("InsufficientPods", "yesterday"), "notNow");
});

test("matches labels as the API server does", () => {
  const expression = (operator: string, values: readonly string[] = []) =>
    parseSelector({ selector: { matchExpressions: [{ key: "app", operator, values }] } });
  const selectors = [
    parseSelector({ selector: { matchLabels: { app: "web", tier: "front" } } }),
    expression("In", ["web", "api"]),
    expression("NotIn", ["web"]),
    expression("Exists"),
    expression("DoesNotExist"),
    expression("Unheard"),
    parseSelector({ selector: {} }),
    parseSelector({}),
  ];
  const index = buildSelectorIndex(selectors);
  assert.deepEqual(index({ app: "web", tier: "front" }), [0, 1, 3, 6]);
  assert.deepEqual(index({ app: "api" }), [1, 2, 3, 6]);
  assert.deepEqual(index({}), [2, 4, 6]);
});

test("tells selectors that no pod can meet together", () => {
  const select = (matchLabels: JsonObject) => parseSelector({ selector: { matchLabels } });
  const web = select({ app: "web" });
  const api = select({ app: "api" });
  const none = select({});
  const without = parseSelector({ selector: { matchExpressions: [{ key: "app", operator: "DoesNotExist" }] } });
  assert.deepEqual(
    [
      [web, api],
      [web, without],
      [web, web],
      [web, none],
      [web, undefined],
    ].map(([one, other]) => areDisjoint(one, other)),
    [true, true, false, false, true],
  );
});

function buildOther(name: string, selector: JsonObject): JsonObject {
  const status = { observedGeneration: 1, disruptionsAllowed: 1 };
  return { metadata: { name, namespace: "demo" }, spec: { selector }, status };
}

test("compares all requirements of the selectors in both spellings if the budgets have no pods", () => {
  const budgets = [
    buildOther("label", { matchLabels: { app: "web" } }),
    buildOther("expression", { matchExpressions: [{ key: "app", operator: "In", values: ["web"] }] }),
    buildOther("narrower", { matchLabels: { app: "web", tier: "front" } }),
    buildOther("other", { matchLabels: { tier: "back" } }),
  ].map(parseBudget);
  const overlaps = findOverlaps(budgets, []).map(({ budget, other }) => `${budget.name} in ${other.name}`);
  assert.deepEqual(overlaps, ["expression in label", "label in expression", "narrower in expression"]);
});

test("reads no pods of namespaces in which each budget has other pods and allows a disruption", () => {
  const names = Array.from({ length: 60 }, (_, i) => `app-${i}`);
  const budgets = names.map((app) => buildOther(app, { matchLabels: { app, team: "a" } }));
  assert.equal(buildPodsRead(budgets.map(parseBudget)), undefined);
  assert.ok(canOverlap([...budgets, buildOther("team", { matchLabels: { team: "a" } })].map(parseBudget)));
});

test("keeps the first 10,000 unknowns, and counts the others", () => {
  const unknowns = createUnknownCollector();
  for (let i = 0; i < 10_003; i += 1) unknowns.add([{ reason: "StaleStatus", where: `b${i}`, message: "it is old" }]);
  assert.equal(unknowns.result().length, 10_001);
  assert.equal(unknowns.result().at(-1)?.message, "the same holds for 3 more");
});
