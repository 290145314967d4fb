import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { AuditRecord } from "../../verify/churn/audit-log.ts";
import { createFlipFinder } from "../../verify/churn/flips.ts";

type Write = Pick<AuditRecord, "receivedAt" | "at">;

function writeCondition(reason: string, span: Write): AuditRecord {
  const conditions = [{ type: "PreflightRunning", status: "False", reason }];
  return { ...record("controller", "update", "clusterversions/version", span), response: { status: { conditions } } };
}

function record(account: AuditRecord["account"], verb: string, path: string, span: Write): AuditRecord {
  return { ...span, account, verb, path, isLease: false, isOk: true, request: {}, response: {} };
}

const THERE = writeCondition("NotStarted", { receivedAt: 1_000, at: 1_010 });
const AWAY = writeCondition("Starting", { receivedAt: 3_000, at: 3_010 });
const BACK = writeCondition("NotStarted", { receivedAt: 4_000, at: 4_010 });
const FLIP = "1970-01-01T00:00:04.010Z PreflightRunning flips without an input: False NotStarted -> False Starting";

/** The log has requests in the order in which they were answered. */
const SPANS = [
  { when: "before it leaves", span: { receivedAt: 2_000, at: 2_010 }, isFlip: true },
  { when: "before it comes back", span: { receivedAt: 3_500, at: 3_510 }, isFlip: false },
  { when: "before it comes back, and is answered later", span: { receivedAt: 3_500, at: 5_000 }, isFlip: false },
  { when: "after it has come back", span: { receivedAt: 4_500, at: 4_510 }, isFlip: true },
] as const;

describe("a condition that comes back to what it was", () => {
  for (const { when, span, isFlip } of SPANS)
    test(`is ${isFlip ? "" : "not "}reported if somebody deletes the runner ${when}`, () => {
      const finder = createFlipFinder([]);
      const input = record("others", "delete", "deployments/openshift-cluster-version/runner", span);
      for (const one of [THERE, AWAY, BACK, input].toSorted((a, b) => a.at - b.at)) finder.add(one, []);
      assert.deepEqual(finder.list(), isFlip ? [`${FLIP} -> False NotStarted`] : []);
    });

  test("is not reported if a step of the schedule lies in between", () => {
    const finder = createFlipFinder([{ from: 3_200, to: 3_300, step: { kind: "sync" } }]);
    for (const one of [THERE, AWAY, BACK]) finder.add(one, []);
    assert.deepEqual(finder.list(), []);
  });
});
