import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorkLimit } from "../../../src/cli/process/work-limit.ts";
import { each } from "../../../src/model/read.ts";
import { runCycle } from "../../../src/runner/cycle.ts";
import { fakeReader } from "../../../verify/api-server/fake-reader.ts";
import { checkWith, clusterRunning, object, release, version } from "../../support/fixtures.ts";

function computeForEver(): never {
  for (;;) {
    try {
      "a".repeat(100).replaceAll("a", "b");
    } finally {
      Math.random();
    }
  }
}

/** Backtracks for longer than anybody waits. */
function matchForEver(): never {
  throw new Error(String(/^(?:a|a|aa)+$/.test(`${"a".repeat(100)}b`)));
}

const reads = () => ({ nodes: each("v1/nodes", () => 1) });

test("a check that doesn't come back is unknown, and the others' verdicts stand", { timeout: 120_000 }, async () => {
  const checks = [
    checkWith({ id: "Before" }),
    checkWith({ id: "Endless", evaluate: computeForEver }),
    checkWith({ id: "EndlessPattern", evaluate: matchForEver }),
    checkWith({ id: "EndlessPlan", reads, follow: computeForEver }),
    checkWith({ id: "Throws", evaluate: () => JSON.parse("{") }),
    checkWith({ id: "After", reads }),
  ];
  const result = await runCycle({
    selection: { checks },
    reader: fakeReader({ ...clusterRunning("4.18.8"), "/api/v1/nodes": [object("v1", "Node", "a")] }),
    target: { kind: "read", version: version("4.19.3"), select: () => release("4.19.3") },
    now: new Date("2026-01-02T03:04:05Z"),
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 1_000, cycleTimeout: 1_500, startWorkLimit },
  });
  if (result.kind !== "completed") assert.fail(JSON.stringify(result));
  const told = result.report.checks.map(({ id, outcome }) => [
    id,
    outcome.kind === "unknown" ? outcome.unknowns.map(({ reason }) => reason).join() : outcome.kind,
  ]);
  assert.deepEqual(Object.fromEntries(told), {
    Before: "clear",
    Endless: "CostLimit",
    EndlessPattern: "CostLimit",
    EndlessPlan: "CostLimit",
    Throws: "CheckFailed",
    After: "clear",
  });
  const message = /it was still computing after 1 second and was ended: raise --check-timeout if it needs longer/;
  assert.match(JSON.stringify(result.report.risks), message);
});
