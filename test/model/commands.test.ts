import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import {
  buildObjectCommand,
  buildPatchCommand,
  formatObjectArgument,
  quoteArgument,
} from "../../src/model/commands.ts";

const BUDGET = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", namespace: "shop", name: "checkout" } as const;
const NODE = { apiVersion: "v1", kind: "Node", name: "worker-0" } as const;

test("an object's argument names its group, except for the core group", () => {
  assert.equal(formatObjectArgument(BUDGET), "poddisruptionbudget.policy/checkout");
  assert.equal(formatObjectArgument(NODE), "node/worker-0");
});

test("commands use the platform's program and name the namespace", () => {
  assert.equal(
    buildObjectCommand("openshift", "get", BUDGET),
    "oc -n shop get poddisruptionbudget.policy/checkout -o yaml",
  );
  assert.equal(buildObjectCommand("kubernetes", "delete", NODE), "kubectl delete node/worker-0");
  assert.equal(
    buildPatchCommand("kubernetes", BUDGET, { spec: { maxUnavailable: 1 } }),
    `kubectl -n shop patch poddisruptionbudget.policy/checkout --type=merge -p '{"spec":{"maxUnavailable":1}}'`,
  );
});

for (const text of ["plain", "a b", "it's", "$(id)", "`id`", "a>b", "<version>", "", "a\\b", '"', "*", "a;b", "#x"])
  test(`a shell reads ${JSON.stringify(text)} as one argument`, () => {
    const printed = execFileSync("sh", ["-c", `printf %s ${quoteArgument(text)}`], { encoding: "utf8" });
    assert.equal(printed, text);
  });
