import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type PreflightDocument } from "../../../src/model/document.ts";
import {
  type DocumentExpectation,
  type DocumentVerdict,
  findResultTime,
  judgeDocument,
  rejectOlder,
} from "../../../src/lift/progress/document-verdict.ts";
import type { DocumentState } from "../../../src/lift/progress/runner-state.ts";
import { buildSampleDocument } from "../../../verify/operator/status-sample.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;
const OTHER_DIGEST = `sha256:${"b".repeat(64)}`;
const NOW = new Date("2026-03-01T12:00:00Z");
const EXPECTED: DocumentExpectation = {
  source: "5.0.3",
  version: "5.2.0",
  image: undefined,
  requestedAt: undefined,
  now: NOW,
};

function format(verdict: DocumentVerdict): string {
  return verdict.kind === "rejected"
    ? `${verdict.reason}: ${verdict.message}`
    : `${verdict.versions.source} -> ${verdict.versions.target}`;
}

type Row = readonly [string, Partial<PreflightDocument>, Partial<DocumentExpectation>, string];

function testRows(rows: readonly Row[]): void {
  for (const [what, change, expected, text] of rows) {
    test(what, () => {
      const state: DocumentState = { kind: "read", document: buildSampleDocument([], change) };
      assert.equal(format(judgeDocument(state, { ...EXPECTED, ...expected })), text);
    });
  }
}

const UNNAMED = { version: undefined } as const;
const BEFORE = "before this request of 2026-03-01T11:55:01Z.";
const MISSING = "DocumentMissing: The runner has not written a document yet.";

describe("a document about an update", () => {
  testRows([
    ["is accepted for it", {}, {}, "5.0.3 -> 5.2.0"],
    ["is accepted if the cluster reports no version", {}, { source: undefined }, "5.0.3 -> 5.2.0"],
    [
      "that is another one is not",
      { targetVersion: "5.1.0" },
      {},
      "OtherTarget: The document is about 5.1.0, not about 5.2.0.",
    ],
    ["is accepted for a target without a version", { targetVersion: "5.1.0" }, UNNAMED, "5.0.3 -> 5.1.0"],
    [
      "from another version is not",
      { sourceVersion: "5.0.2" },
      {},
      "OtherSource: The document is about an update from 5.0.2, but the cluster runs 5.0.3.",
    ],
    ["with its image is accepted", { targetImage: `a@${DIGEST}` }, { image: `a@${DIGEST}` }, "5.0.3 -> 5.2.0"],
    [
      "with its image of another registry is accepted",
      { targetImage: `a@${DIGEST}` },
      { image: `b@${DIGEST}` },
      "5.0.3 -> 5.2.0",
    ],
    [
      "with another image is not",
      { targetImage: `a@${DIGEST}` },
      { image: `a@${OTHER_DIGEST}` },
      `OtherPayload: The document is about a@${DIGEST}, not about a@${OTHER_DIGEST}.`,
    ],
    [
      "with another image that only has the digest inside is not",
      { targetImage: `a@${DIGEST}c` },
      { image: `b@${DIGEST}` },
      `OtherPayload: The document is about a@${DIGEST}c, not about b@${DIGEST}.`,
    ],
    [
      "with an image without a digest is accepted for the same one",
      { targetImage: "a:1" },
      { image: "a:1" },
      "5.0.3 -> 5.2.0",
    ],
    ["with an image is accepted if none is expected", { targetImage: "a:1" }, {}, "5.0.3 -> 5.2.0"],
    ["without an image is accepted by its version", {}, { image: "a:1" }, "5.0.3 -> 5.2.0"],
    [
      "without an image is not accepted for an image alone",
      {},
      { ...UNNAMED, image: "a:1" },
      "OtherPayload: The document is about an unnamed image, not about a:1.",
    ],
  ]);
});

describe("a document from before the request", () => {
  const late = { requestedAt: new Date("2026-03-01T11:55:01.999Z") };
  const { observedAt: _, ...unobserved } = buildSampleDocument([]);
  testRows([
    ["is rejected", {}, late, `DocumentBeforeRequest: The document was observed at 2026-03-01T11:55:00Z, ${BEFORE}`],
    ["is accepted in the same second", { observedAt: "2026-03-01T11:55:01Z" }, late, "5.0.3 -> 5.2.0"],
    ["about another target counts as none", { targetVersion: "5.1.0" }, late, MISSING],
    [
      "about another target is named once it is newer",
      { targetVersion: "5.1.0", observedAt: "2026-03-01T11:55:01Z" },
      late,
      "OtherTarget: The document is about 5.1.0, not about 5.2.0.",
    ],
    [
      "of a cycle that still runs is not rejected for that",
      { executionStatus: "running" },
      late,
      "FirstCycleRunning: The runner's first cycle is still running.",
    ],
  ]);

  test("is known by the start in its ID if it has no other time, and is earlier if it has none", () => {
    const judge = (preflightID: string): string =>
      format(judgeDocument({ kind: "read", document: { ...unobserved, preflightID } }, { ...EXPECTED, ...late }));
    const texts = ["2026-03-01T11:55:00Z-preflight-5.2.0", "2026-03-01T11:55:01Z-preflight-5.2.0", "somewhen"].map(
      judge,
    );
    assert.deepEqual(texts, [
      `DocumentBeforeRequest: The document's runner started at 2026-03-01T11:55:00Z, ${BEFORE}`,
      "5.0.3 -> 5.2.0",
      `DocumentBeforeRequest: The document's runner started at somewhen, ${BEFORE}`,
    ]);
  });
});

describe("a document that can't be used", () => {
  const { sourceVersion: _, targetVersion: __, ...nameless } = buildSampleDocument([]);

  test("is missing, unreadable or invalid", () => {
    const states: readonly DocumentState[] = [
      { kind: "missing" },
      { kind: "unreadable", message: "I/O error" },
      { kind: "invalid", problems: ["a", "b"] },
    ];
    assert.deepEqual(
      states.map((state) => format(judgeDocument(state, EXPECTED))),
      [
        MISSING,
        "DocumentUnreadable: The document can't be read: I/O error",
        "DocumentInvalid: The document is not valid: a; b",
      ],
    );
  });

  test("names no versions, and none is known otherwise", () => {
    const judge = (document: PreflightDocument, change: Partial<DocumentExpectation>): string =>
      format(judgeDocument({ kind: "read", document }, { ...EXPECTED, ...change }));
    const invalid = "DocumentInvalid: The document names no source or target version.";
    assert.equal(judge(nameless, {}), invalid);
    assert.equal(judge({ ...nameless, targetVersion: "5.2.0" }, { source: undefined }), invalid);
    assert.equal(judge({ ...nameless, targetVersion: "5.2.0" }, {}), "5.0.3 -> 5.2.0");
    assert.equal(judge({ ...nameless, sourceVersion: "5.0.3" }, {}), invalid);
  });

  testRows([
    [
      "has failed, and says why",
      { executionStatus: "failed", failure: { reason: "Unauthorized", message: "Denied." } },
      {},
      "CycleFailed: The runner's last cycle failed: Denied.",
    ],
    [
      "has failed without a reason",
      { executionStatus: "failed" },
      {},
      "CycleFailed: The runner's last cycle failed: the document gives no reason.",
    ],
    ["is valid up to the time that it names", { validUntil: "2026-03-01T12:00:00Z" }, {}, "5.0.3 -> 5.2.0"],
    [
      "is stale after it",
      { validUntil: "2026-03-01T11:59:59Z" },
      {},
      "DocumentStale: The document expired at 2026-03-01T11:59:59Z, and the runner has not renewed it.",
    ],
  ]);
});

describe("the last result", () => {
  const versions = { source: "5.0.3", target: "5.2.0" };
  const accept = (observedAt: string): DocumentVerdict => ({
    kind: "accepted",
    document: buildSampleDocument([], { observedAt }),
    versions,
  });
  const rejected: DocumentVerdict = { kind: "rejected", reason: "OtherTarget", message: "No." };
  const at = (observedAt: string) => ({ ...versions, observedAt, risks: [] });

  test("is never followed by an older one", () => {
    const older =
      "DocumentOlder: The document was observed at 2026-03-01T11:00:00Z, before the current result of 2026-03-01T11:00:01Z.";
    const rows = [
      [accept("2026-03-01T11:00:00Z"), at("2026-03-01T11:00:01Z"), older],
      [accept("2026-03-01T11:00:00Z"), at("2026-03-01T11:00:00Z"), "5.0.3 -> 5.2.0"],
      [accept("2026-03-01T11:00:00Z"), at("2026-03-01T12:00:01Z"), "5.0.3 -> 5.2.0"],
      [accept("2026-03-01T11:00:00Z"), undefined, "5.0.3 -> 5.2.0"],
      [accept("2026-03-01T11:00:00Z"), { ...versions, risks: [] }, "5.0.3 -> 5.2.0"],
      [rejected, at("2026-03-01T11:00:01Z"), "OtherTarget: No."],
    ] as const;
    assert.deepEqual(
      rows.map(([verdict, retained]) => format(rejectOlder(verdict, retained, NOW))),
      rows.map(([, , text]) => text),
    );
    const limit = rejectOlder(accept("2026-03-01T11:00:00Z"), at("2026-03-01T12:00:00Z"), NOW);
    assert.equal(limit.kind, "rejected");
  });

  test("has the time of the accepted document, or else of the retained result, unless it is in the future", () => {
    const times = [
      findResultTime(accept("2026-03-01T11:00:00Z"), at("2026-03-01T10:00:00Z"), NOW),
      findResultTime(rejected, at("2026-03-01T10:00:00Z"), NOW),
      findResultTime(rejected, undefined, NOW),
      findResultTime(accept("2026-03-01T12:00:00Z"), undefined, NOW),
      findResultTime(accept("2026-03-01T12:00:01Z"), undefined, NOW),
    ];
    assert.deepEqual(
      times.map((time) => time?.toISOString().slice(11, 19)),
      ["11:00:00", "10:00:00", undefined, "12:00:00", undefined],
    );
  });
});
