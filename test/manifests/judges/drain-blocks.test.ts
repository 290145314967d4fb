import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeDrainBlocks } from "../../../src/manifests/judges/drain-blocks.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";

function budget(spec: Readonly<Record<string, Json>>, name = "shop", namespace = "a"): JsonObject {
  const selector = { matchLabels: { app: "shop" } };
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name, namespace },
    spec: { selector, ...spec },
  };
}

function workload(replicas?: number, kind = "Deployment", app = "shop"): JsonObject {
  const template = { metadata: { labels: { app } } };
  const spec: JsonObject = replicas === undefined ? { template } : { replicas, template };
  return { apiVersion: "apps/v1", kind, metadata: { name: "shop", namespace: "a" }, spec };
}

const SCALER = {
  apiVersion: "autoscaling/v2",
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "shop", namespace: "a" },
  spec: { scaleTargetRef: { kind: "Deployment", name: "shop" } },
};

function describe(...objects: readonly JsonObject[]): readonly string[] {
  const found = judgeDrainBlocks(objects);
  return objects.map((object) =>
    (found.get(object) ?? []).map(({ risk, path }) => `${risk} ${path.join(".")}`).join(", "),
  );
}

const BLOCKS = (field: string): string => `DrainBlockedByDisruptionBudget spec.${field}`;

test("finds budgets that never let a pod of their workload go", () => {
  const table: readonly (readonly [
    limit: Readonly<Record<string, Json>>,
    replicas: number | undefined,
    field: string,
  ])[] = [
    [{ maxUnavailable: 0 }, undefined, "maxUnavailable"],
    [{ maxUnavailable: "0%" }, 3, "maxUnavailable"],
    [{ maxUnavailable: 1 }, 1, ""],
    [{ maxUnavailable: "1%" }, 1, ""],
    [{ minAvailable: "100%" }, undefined, "minAvailable"],
    [{ minAvailable: 2 }, 2, "minAvailable"],
    [{ minAvailable: 2 }, 3, ""],
    [{ minAvailable: 2 }, undefined, ""],
    [{ minAvailable: "50%" }, 1, "minAvailable"],
    [{ minAvailable: "50%" }, 2, ""],
    [{ minAvailable: 1 }, 0, ""],
    [{}, 1, ""],
  ];
  for (const [limit, replicas, field] of table)
    assert.deepEqual(
      describe(budget(limit), workload(replicas)),
      [field === "" ? "" : BLOCKS(field), ""],
      JSON.stringify([limit, replicas]),
    );
});

test("leaves to the cluster what the manifests don't decide", () => {
  assert.deepEqual(describe(budget({ maxUnavailable: 0 })), [""]);
  assert.deepEqual(describe(budget({ maxUnavailable: 0 }, "shop", "b"), workload(1)), ["", ""]);
  assert.deepEqual(describe(budget({ maxUnavailable: 0 }), workload(1, "DaemonSet")), ["", ""]);
  assert.deepEqual(describe(budget({ maxUnavailable: 0 }), workload(1, "Deployment", "other")), ["", ""]);
  assert.deepEqual(describe(budget({ minAvailable: 2 }), workload(2), SCALER), ["", "", ""]);
  assert.deepEqual(describe(budget({ minAvailable: 2 }), workload(1), workload(1)), [BLOCKS("minAvailable"), "", ""]);
});

test("finds two budgets of the same pods", () => {
  const second = "PodsInSeveralDisruptionBudgets spec.selector";
  const one = budget({ maxUnavailable: 1 });
  const other = budget({ maxUnavailable: 1, selector: {} }, "all");
  assert.deepEqual(describe(one, other, workload(3)), [second, second, ""]);
  assert.deepEqual(describe(one, other), ["", ""]);
});
