import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type PreflightState,
  describeCompleted,
  describeFailed,
  describeRunning,
  buildPreflightConditions,
} from "../../../src/lift/progress/preflight-conditions.ts";
import type { DocumentVerdict, RejectionReason } from "../../../src/lift/progress/document-verdict.ts";
import { buildSampleDocument } from "../../../verify/operator/status-sample.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const LATE = new Date("2026-03-01T11:49:59Z");
const IN_TIME = new Date("2026-03-01T11:50:00Z");
const VERSIONS = { source: "5.0.3", target: "5.2.0" };

const ACCEPTED: DocumentVerdict = { kind: "accepted", document: buildSampleDocument([]), versions: VERSIONS };

const STATE: PreflightState = {
  payload: { kind: "offered", version: "5.2.0", image: "example/a" },
  runner: { kind: "up", since: IN_TIME },
  allowsUnverified: false,
  verdict: ACCEPTED,
  risks: [],
  problems: [],
  patienceSeconds: 600,
  now: NOW,
};

type Row = readonly [Partial<PreflightState>, string];

function check(
  describeState: (state: PreflightState) => { status: string; reason: string; message: string },
  rows: readonly Row[],
): void {
  const texts = rows.map(([change]) => {
    const { status, reason, message } = describeState({ ...STATE, ...change });
    return `${status} ${reason}: ${message}`;
  });
  assert.deepEqual(
    texts,
    rows.map(([, text]) => text),
  );
}

function reject(reason: RejectionReason, message = "It is so"): { readonly verdict: DocumentVerdict } {
  return { verdict: { kind: "rejected", reason, message } };
}

const REFUSED = { kind: "refused", reason: "TargetNotPinned", message: "It has no digest." } as const;
const UNOFFERED = " ClusterVersion does not offer example/b.";
const UNVERIFIED = " The request allows the release image to run without a verified signature.";

describe("the condition", () => {
  test("Running says in which state the runner is, and what the request left open", () => {
    const payload = {
      kind: "notOffered",
      image: "example/b",
      reason: "TargetNotOffered",
      message: UNOFFERED.trim(),
    } as const;
    check(describeRunning, [
      [{}, "True Checking: The runner checks the cluster continuously."],
      [{ runner: { kind: "starting", since: NOW } }, "True Starting: The runner is starting."],
      [{ payload }, `True Checking: The runner checks the cluster continuously.${UNOFFERED}`],
      [{ allowsUnverified: true }, `True Checking: The runner checks the cluster continuously.${UNVERIFIED}`],
      [
        { payload, allowsUnverified: true, runner: { kind: "starting", since: NOW } },
        `True Starting: The runner is starting.${UNOFFERED}${UNVERIFIED}`,
      ],
      [{ runner: { kind: "stopped" } }, "False NotStarted: The runner has not started."],
      [
        { runner: { kind: "stopped", predecessor: "old" } },
        "False NotStarted: The runner starts once pod old of the runner before it has ended.",
      ],
      [{ runner: { kind: "stopped" }, payload: REFUSED }, "False TargetNotPinned: It has no digest."],
      [{ payload: REFUSED }, "True Checking: The runner checks the cluster continuously."],
      [
        { runner: { kind: "verifying" } },
        "False NotStarted: The runner starts once the signature of the release image is verified.",
      ],
      [
        { runner: { kind: "waiting", notBefore: NOW } },
        "False WindowNotBegun: The runner starts at 2026-03-01T12:00:00.000Z.",
      ],
      [
        { runner: { kind: "windowOver", until: NOW } },
        "False WindowOver: The maintenance window ended at 2026-03-01T12:00:00.000Z.",
      ],
      [
        { runner: { kind: "down", reason: "OutOfMemory", message: "It\u0007 died." } },
        "False OutOfMemory: ItU+0007 died.",
      ],
    ]);
  });

  test("Completed counts the risks, names five of them, and says what keeps them from being shown", () => {
    const names = ["A", "B", "C", "D", "E", "F", "G"];
    const partial = { verdict: { ...ACCEPTED, document: buildSampleDocument([], { complete: false }) } };
    const unstored = { reason: "RiskFieldsAbsent", message: "A field is absent." } as const;
    const crowded = { reason: "NoRoom", message: "There is no room." } as const;
    check(describeCompleted, [
      [{}, "True NoRisks: No risks were found."],
      [{ risks: ["A"] }, "True RisksFound: 1 risk was found: A."],
      [{ risks: names.slice(0, 5) }, "True RisksFound: 5 risks were found: A, B, C, D, E."],
      [{ risks: names.slice(0, 6) }, "True RisksFound: 6 risks were found: A, B, C, D, E and 1 more."],
      [{ risks: names }, "True RisksFound: 7 risks were found: A, B, C, D, E and 2 more."],
      [{ ...partial, risks: ["A"] }, "True Incomplete: 1 risk was found: A. At least one check could not complete."],
      [partial, "True Incomplete: No risks were found. At least one check could not complete."],
      [{ risks: ["A"], problems: [unstored] }, "True RisksFound: 1 risk was found: A. A field is absent."],
      [
        { ...partial, problems: [unstored, crowded] },
        "True NoRoom: No risks were found. At least one check could not complete. A field is absent. There is no room.",
      ],
    ]);
  });

  test("Completed says why a document doesn't count, and which result does", () => {
    const earlier = "The last completed result counts until there is a new one.";
    const { risks: _, ...first } = STATE;
    const rows: readonly Row[] = [
      [reject("CycleFailed", "It failed"), `False CycleFailed: It failed. ${earlier} No risks were found.`],
      [reject("CycleFailed", "It failed."), `False CycleFailed: It failed. ${earlier} No risks were found.`],
      [reject("CycleFailed", "Why? No!"), `False CycleFailed: Why? No! ${earlier} No risks were found.`],
      [reject("CycleFailed", "Why."), `False CycleFailed: Why. ${earlier} No risks were found.`],
      [reject("CycleFailed", "Is it?"), `False CycleFailed: Is it? ${earlier} No risks were found.`],
      [
        { ...reject("DocumentMissing"), risks: ["A"] },
        `False DocumentMissing: The runner's document is missing. ${earlier} 1 risk was found: A.`,
      ],
    ];
    check(describeCompleted, rows);
    const fresh = [
      describeCompleted({ ...first, ...reject("DocumentMissing", "There is none.") }),
      describeCompleted({ ...first, ...reject("DocumentMissing"), runner: { kind: "windowOver", until: NOW } }),
      describeCompleted({ ...first, ...reject("OtherTarget") }),
    ];
    assert.deepEqual(
      fresh.map(({ message }) => message),
      [
        "There is none. No earlier result exists.",
        "The runner wrote no document before the window ended. No earlier result exists.",
        "It is so. No earlier result exists.",
      ],
    );
  });

  test("Failed tells faults of the preflight alone", () => {
    const down = { kind: "down", reason: "Unschedulable", message: "No node fits." } as const;
    check(describeFailed, [
      [{}, "False AsExpected: The runner's last cycle completed."],
      [{ runner: { kind: "stopped" } }, "False AsExpected: The runner has not started."],
      [{ runner: { kind: "stopped" }, payload: REFUSED }, "True TargetNotPinned: It has no digest."],
      [{ runner: { kind: "verifying" }, payload: REFUSED }, "False AsExpected: The runner has not started."],
      [{ payload: REFUSED }, "False AsExpected: The runner's last cycle completed."],
      [{ runner: { kind: "waiting", notBefore: NOW } }, "False AsExpected: No runner is expected to run now."],
      [{ runner: { kind: "windowOver", until: NOW } }, "False AsExpected: No runner is expected to run now."],
      [{ runner: down }, "True Unschedulable: No node fits."],
      [reject("DocumentUnreadable"), "True VolumeUnavailable: It is so."],
      [reject("CycleFailed"), "True CycleFailed: It is so."],
      [reject("DocumentInvalid"), "True DocumentInvalid: It is so."],
    ]);
  });

  test("Failed gives a runner its time before it is late", () => {
    const rows = (["DocumentStale", "DocumentOlder", "DocumentBeforeRequest", "OtherTarget"] as const).map((reason) => {
      const late = reason === "OtherTarget" ? "NoDocumentInTime" : reason;
      const lacks = reason === "OtherTarget" ? "The runner has published no result within 600 seconds. " : "";
      return [
        [reject(reason), "False AsExpected: The runner has been up for less than 600 seconds. It is so."],
        [{ ...reject(reason), runner: { kind: "up", since: LATE } }, `True ${late}: ${lacks}It is so.`],
      ] as const;
    });
    check(describeFailed, rows.flat());
    check(describeFailed, [
      [
        { ...reject("OtherTarget"), runner: { kind: "starting", since: IN_TIME } },
        "False AsExpected: The runner has been starting for less than 600 seconds. It is so.",
      ],
      [
        { ...reject("OtherTarget"), runner: { kind: "starting", since: LATE } },
        "True NoDocumentInTime: The runner has not started within 600 seconds. It is so.",
      ],
    ]);
  });
});

test("the conditions of a request are three, with their prefix, and no longer than the API allows", () => {
  const before = { type: "PreflightRunning", status: "True", lastTransitionTime: "2026-03-01T09:00:00Z" };
  const clusterVersion = { status: { conditions: [null, before] } };
  const runner = { kind: "down", reason: "OutOfMemory", message: "x".repeat(40_000) } as const;
  const built = [STATE, { ...STATE, runner }].map((state) =>
    buildPreflightConditions(state, "5.2.0: ", clusterVersion),
  );
  assert.deepEqual(
    built
      .flat()
      .map(({ type, status, lastTransitionTime, message }) => [type, status, lastTransitionTime, message.length]),
    [
      ["PreflightRunning", "True", "2026-03-01T09:00:00Z", 50],
      ["PreflightCompleted", "True", "2026-03-01T12:00:00Z", 27],
      ["PreflightFailed", "False", "2026-03-01T12:00:00Z", 41],
      ["PreflightRunning", "False", "2026-03-01T12:00:00Z", 32_768],
      ["PreflightCompleted", "True", "2026-03-01T12:00:00Z", 27],
      ["PreflightFailed", "True", "2026-03-01T12:00:00Z", 32_768],
    ],
  );
});
