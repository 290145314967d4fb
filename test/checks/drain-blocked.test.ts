import assert from "node:assert/strict";
import { test } from "node:test";
import { keepBudget } from "../../src/checks/drain-blocked/budget.ts";
import { findOverlaps } from "../../src/checks/drain-blocked/overlap.ts";
import { judgeBudget } from "../../src/checks/drain-blocked/verdict.ts";
import type { JsonObject } from "../../src/model/json.ts";

const NOW = new Date("2026-03-01T12:00:00Z");

function budget(spec: JsonObject, status: JsonObject, generation = 1) {
  return keepBudget({
    metadata: { namespace: "demo", name: "web", generation },
    spec,
    status: { observedGeneration: 1, ...status },
  });
}

test("decides whether a budget never allows an eviction by its required pods, not its healthy pods", () => {
  const table: readonly (readonly [expected: number, desired: number, allowed: number, verdict: string])[] = [
    [0, 0, 0, "free"],
    [0, 3, 0, "free"],
    [1, 1, 0, "never"],
    [2, 3, 0, "never"],
    [3, 2, 1, "free"],
    [3, 2, 0, "notNow"],
    [3, 0, 3, "free"],
    [1, 1, 1, "free"],
  ];
  for (const [expectedPods, desiredHealthy, disruptionsAllowed, verdict] of table)
    assert.equal(judgeBudget(budget({}, { expectedPods, desiredHealthy, disruptionsAllowed }), NOW), verdict);
});

test("reports that a budget never allows an eviction if its pods have no controller", () => {
  const bare = { expectedPods: 0, desiredHealthy: 0, disruptionsAllowed: 0 };
  assert.equal(judgeBudget(budget({ maxUnavailable: 1 }, { ...bare, currentHealthy: 2 }), NOW), "never");
  assert.equal(judgeBudget(budget({ maxUnavailable: 1 }, { ...bare, currentHealthy: 0 }), NOW), "free");
});

test("uses the new spec and the last known number of pods if the status is for an earlier spec", () => {
  const last = { expectedPods: 3, desiredHealthy: 2, disruptionsAllowed: 1 };
  const table: readonly (readonly [JsonObject, string])[] = [
    [{ maxUnavailable: 0 }, "never"],
    [{ maxUnavailable: "0%" }, "never"],
    [{ maxUnavailable: "1%" }, "stale"],
    [{ minAvailable: "67%" }, "never"],
    [{ minAvailable: "66%" }, "stale"],
    [{ minAvailable: 3 }, "never"],
    [{ minAvailable: 2 }, "stale"],
    [{ minAvailable: "all" }, "stale"],
    [{}, "stale"],
  ];
  for (const [spec, verdict] of table)
    assert.equal(judgeBudget(budget(spec, last, 2), NOW), verdict, JSON.stringify(spec));
  assert.equal(judgeBudget(budget({ maxUnavailable: 0 }, { expectedPods: 0 }, 2), NOW), "stale");
});

test("allows the disruption controller ten minutes to compute a budget", () => {
  const failed = (lastTransitionTime: string) => {
    const condition = { type: "DisruptionAllowed", status: "False", reason: "SyncFailed", lastTransitionTime };
    return judgeBudget(budget({}, { observedGeneration: 0, conditions: [condition] }), NOW);
  };
  assert.equal(failed("2026-03-01T11:50:01Z"), "notComputedYet");
  assert.equal(failed("2026-03-01T11:50:00Z"), "notComputed");
  assert.equal(failed("yesterday"), "notComputed");
});

test("recognizes a requirement in both spellings, and compares all requirements of a selector", () => {
  const of = (name: string, namespace: string, selector: JsonObject) => ({
    ...keepBudget({ metadata: { name, namespace }, spec: { selector }, status: { expectedPods: 2 } }),
  });
  const label = of("label", "demo", { matchLabels: { app: "web" } });
  const expression = of("expression", "demo", { matchExpressions: [{ key: "app", operator: "In", values: ["web"] }] });
  const narrower = of("narrower", "demo", { matchLabels: { app: "web", tier: "front" } });
  const other = of("other", "demo", { matchLabels: { tier: "back" } });
  const elsewhere = of("elsewhere", "demo-2", { matchLabels: { app: "web" } });
  const all = of("all", "demo", {});
  const found = findOverlaps([label, expression, narrower, other, elsewhere, all]).map(
    ({ budget, other: second }) => `${budget.name} in ${second.name}`,
  );
  assert.deepEqual(found, ["label in expression", "expression in label", "narrower in expression"]);
});
