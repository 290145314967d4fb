import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { PreflightInput } from "../../src/lift/lift.ts";
import type { DocumentState, RunnerState } from "../../src/lift/progress/runner-state.ts";
import {
  clusterVersion,
  buildSampleDocument,
  liftSample,
  NOW,
  release,
  RETRIEVED,
  risk,
  formatConditions,
  withStatus,
} from "../../verify/operator/status-sample.ts";

const LONG_AGO = new Date("2026-03-01T11:00:00Z");
const UP: RunnerState = { kind: "up", since: LONG_AGO };
const RISK_FOUND: DocumentState = { kind: "read", document: buildSampleDocument([risk("A")]) };

function formatAfterLift(runner: RunnerState, document: DocumentState): readonly string[] {
  return formatConditions(liftSample({ preflight: preflight(runner, document) })).map((one) =>
    one.replace("Preflight", ""),
  );
}

function preflight(runner: RunnerState, document: DocumentState): PreflightInput {
  return { target: { kind: "version", version: "5.2.0" }, runner, document };
}

const TABLE: readonly (readonly [string, RunnerState, DocumentState, string, string, string])[] = [
  ["a result", UP, RISK_FOUND, "True Checking", "True RisksFound", "False AsExpected"],
  [
    "no risk",
    UP,
    { kind: "read", document: buildSampleDocument([]) },
    "True Checking",
    "True NoRisks",
    "False AsExpected",
  ],
  [
    "incomplete checks",
    UP,
    { kind: "read", document: buildSampleDocument([], { complete: false }) },
    "True Checking",
    "True Incomplete",
    "False AsExpected",
  ],
  [
    "no Deployment",
    { kind: "stopped" },
    { kind: "missing" },
    "False NotStarted",
    "False DocumentMissing",
    "False AsExpected",
  ],
  [
    "a window that has not begun",
    { kind: "waiting", notBefore: NOW },
    { kind: "missing" },
    "False WindowNotBegun",
    "False DocumentMissing",
    "False AsExpected",
  ],
  [
    "a window that is over",
    { kind: "windowOver", until: NOW },
    RISK_FOUND,
    "False WindowOver",
    "True RisksFound",
    "False AsExpected",
  ],
  [
    "a start",
    { kind: "starting", since: NOW },
    { kind: "missing" },
    "True Starting",
    "False DocumentMissing",
    "False AsExpected",
  ],
  [
    "a first cycle",
    UP,
    { kind: "read", document: buildSampleDocument([], { executionStatus: "running" }) },
    "True Checking",
    "False FirstCycleRunning",
    "True NoDocumentInTime",
  ],
  [
    "no document in time",
    { kind: "starting", since: LONG_AGO },
    { kind: "missing" },
    "True Starting",
    "False DocumentMissing",
    "True NoDocumentInTime",
  ],
  [
    "only a leftover document",
    UP,
    { kind: "read", document: buildSampleDocument([], { sourceVersion: "5.0.1" }) },
    "True Checking",
    "False OtherSource",
    "True NoDocumentInTime",
  ],
  [
    "a stale document",
    UP,
    { kind: "read", document: buildSampleDocument([], { validUntil: "2026-03-01T11:59:00Z" }) },
    "True Checking",
    "False DocumentStale",
    "True DocumentStale",
  ],
  [
    "a stale document after a restart",
    { kind: "up", since: NOW },
    { kind: "read", document: buildSampleDocument([], { validUntil: "2026-03-01T11:59:00Z" }) },
    "True Checking",
    "False DocumentStale",
    "False AsExpected",
  ],
  [
    "an invalid document",
    UP,
    { kind: "invalid", problems: ["document: is empty"] },
    "True Checking",
    "False DocumentInvalid",
    "True DocumentInvalid",
  ],
  [
    "a lost volume",
    UP,
    { kind: "unreadable", message: "Input/output error" },
    "True Checking",
    "False DocumentUnreadable",
    "True VolumeUnavailable",
  ],
  [
    "a failed cycle",
    UP,
    { kind: "read", document: buildSampleDocument([], { executionStatus: "failed" }) },
    "True Checking",
    "False CycleFailed",
    "True CycleFailed",
  ],
];

describe("the three conditions", () => {
  for (const [what, runner, document, running, completed, failed] of TABLE) {
    test(`report ${what}`, () => {
      assert.deepEqual(formatAfterLift(runner, document), [
        `Running=${running}`,
        `Completed=${completed}`,
        `Failed=${failed}`,
      ]);
    });
  }

  for (const reason of [
    "DeploymentRefused",
    "ImagePullFailed",
    "OutOfMemory",
    "RunnerCrashed",
    "Unschedulable",
    "VolumeUnavailable",
  ] as const) {
    test(`distinguish ${reason} from risks, whatever the last document reports`, () => {
      const runner: RunnerState = { kind: "down", reason, message: "The cluster says why." };
      assert.deepEqual(formatAfterLift(runner, RISK_FOUND), [
        `Running=False ${reason}`,
        "Completed=True RisksFound",
        `Failed=True ${reason}`,
      ]);
    });
  }

  test("report a target that may not run, but not one that is withdrawn while it runs", () => {
    const start = clusterVersion({ available: [release("5.1.0")], conditions: [RETRIEVED] });
    const stopped = liftSample({
      clusterVersion: start,
      preflight: preflight({ kind: "stopped" }, { kind: "missing" }),
    });
    assert.deepEqual(formatConditions(stopped), [
      "PreflightRunning=False TargetNotOffered",
      "PreflightCompleted=False DocumentMissing",
      "PreflightFailed=True TargetNotOffered",
    ]);
    const running = liftSample({ clusterVersion: start, preflight: preflight(UP, RISK_FOUND) });
    assert.equal(formatConditions(running)[0], "PreflightRunning=True Checking");
  });

  test("begin with source and target, keep their times, and leave the conditions of others", () => {
    const available = { type: "Available", status: "True", lastTransitionTime: "2025-12-01T01:00:00Z" };
    const start = clusterVersion({ conditions: [available] });
    const first = liftSample({ clusterVersion: start, document: buildSampleDocument([]) });
    const later = new Date("2026-03-01T12:03:00Z");
    const next = liftSample({
      clusterVersion: withStatus(start, first),
      document: buildSampleDocument([risk("A")]),
      now: later,
    });
    assert.deepEqual(next.status["conditions"], [available, ...next.conditions]);
    for (const { message, lastTransitionTime } of next.conditions) {
      assert.match(message, /^5\.0\.3 -> 5\.2\.0: /);
      assert.equal(lastTransitionTime, "2026-03-01T12:00:00Z");
    }
    const stale = liftSample({
      clusterVersion: withStatus(start, next),
      document: buildSampleDocument([risk("A")]),
      now: new Date("2026-03-01T13:00:00Z"),
    });
    assert.equal(stale.conditions[1]?.lastTransitionTime, "2026-03-01T13:00:00Z");
  });
});
