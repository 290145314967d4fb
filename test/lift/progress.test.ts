import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findResultTime } from "../../src/lift/progress/document-verdict.ts";
import { describeMergeProblems } from "../../src/lift/progress/preflight-conditions.ts";
import { type RunnerState, isLate, settleRestart } from "../../src/lift/progress/runner-state.ts";

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));

test("patience ends after its last second", () => {
  assert.deepEqual(
    [9, 10, 11].map((seconds) => isLate(at(0), 10, at(seconds))),
    [false, false, true],
  );
});

describe("a runner that started again", () => {
  const current = { kind: "up", since: at(20) } as const;
  const failure = { kind: "down", reason: "RunnerCrashed", message: "it crashed" } as const;
  const restarted: RunnerState = { kind: "restarted", current, failure, failedAt: at(10) };

  test("is still failing until a result is newer than its failure", () => {
    const results = [undefined, at(9), at(10), at(11)];
    assert.deepEqual(
      results.map((time) => settleRestart(restarted, time, 10, at(25)).kind),
      ["down", "down", "down", "up"],
    );
  });

  test("is still failing until it has run for long enough", () => {
    assert.deepEqual(
      [at(30), at(31)].map((now) => settleRestart(restarted, undefined, 10, now)),
      [failure, current],
    );
  });

  test("is told from one that did not", () => {
    assert.equal(settleRestart(current, undefined, 10, at(25)), current);
  });
});

test("the time of the last result is that of what was kept, unless it is in the future", () => {
  const verdict = { kind: "rejected", reason: "DocumentStale", message: "" } as const;
  const versions = { source: "4.18.8", target: "4.19.3" };
  const timesOf = (observedAt?: string) =>
    findResultTime(verdict, { ...versions, risks: [], ...(observedAt === undefined ? {} : { observedAt }) }, at(10));
  assert.deepEqual(timesOf("2026-01-01T00:00:09Z"), at(9));
  assert.deepEqual(timesOf("2026-01-01T00:00:10Z"), at(10));
  assert.equal(timesOf("2026-01-01T00:00:11Z"), undefined);
  assert.equal(timesOf(), undefined);
  assert.equal(findResultTime(verdict, undefined, at(10)), undefined);
});

test("each problem of a merge is a sentence of its own", () => {
  const sentences = describeMergeProblems([
    { kind: "invalidName", risk: "a b" },
    { kind: "divergent", risk: "A" },
    { kind: "divergent", risk: "A", version: "4.19.3" },
    { kind: "unknownVersion", risk: "A", version: "4.19.4" },
    { kind: "unknownRisk", risk: "B" },
  ]);
  assert.deepEqual(
    sentences.map(({ message }) => message),
    [
      'ClusterVersion does not allow the risk name "a b".',
      "Another risk is also named A but differs. Only the document shows the preflight's risk.",
      "Another risk of 4.19.3 is also named A but differs. Only the document shows the preflight's risk.",
      "A names 4.19.4, which is not offered.",
      "B is listed but not defined.",
    ],
  );
});
