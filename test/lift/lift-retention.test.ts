import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type JsonObject, at, listAt } from "../../src/model/json.ts";
import { lift } from "../../src/lift/lift.ts";
import {
  ALL_FIELDS,
  clusterVersion,
  conditional,
  buildSampleDocument,
  findUpdate,
  foreign,
  imageOf,
  liftSample,
  NOW,
  release,
  risk,
  formatConditions,
  formatRecommended,
  withStatus,
} from "../../verify/operator/status-sample.ts";

describe("a document that replaces nothing", () => {
  const start = clusterVersion();
  const first = liftSample({ clusterVersion: start, document: buildSampleDocument([risk("A")]) });
  const retained = first.retained ?? assert.fail("nothing is kept");
  const kept: readonly (readonly [string, ReturnType<typeof buildSampleDocument>, string])[] = [
    ["is running", buildSampleDocument([], { executionStatus: "running" }), "FirstCycleRunning"],
    [
      "has failed",
      buildSampleDocument([], { executionStatus: "failed", failure: { reason: "Unauthorized", message: "Denied." } }),
      "CycleFailed",
    ],
    ["has expired", buildSampleDocument([], { validUntil: "2026-03-01T11:59:59Z" }), "DocumentStale"],
    ["is about another target", buildSampleDocument([], { targetVersion: "5.1.0" }), "OtherTarget"],
    ["is about another source", buildSampleDocument([], { sourceVersion: "5.0.2" }), "OtherSource"],
    ["is about another payload", buildSampleDocument([], { targetImage: "example/other@sha256:0" }), "OtherPayload"],
    ["is older than the last", buildSampleDocument([], { observedAt: "2026-03-01T11:00:00Z" }), "DocumentOlder"],
  ];
  for (const [what, document, reason] of kept) {
    test(`because it ${what} keeps the last result, and reports why`, () => {
      const before = withStatus(start, first);
      const now = liftSample({ clusterVersion: before, document, retained });
      assert.deepEqual(at(now.status, "conditionalUpdates"), at(first.status, "conditionalUpdates"));
      assert.deepEqual(now.retained, retained);
      assert.equal(formatConditions(now)[1], `PreflightCompleted=False ${reason}`);
      assert.match(
        now.conditions[1]?.message ?? "",
        /^5\.0\.3 -> 5\.2\.0: .*last completed result counts until there is a new one\. 1 risk was found: A\.$/s,
      );
      const forgotten = liftSample({ clusterVersion: start, document, retained });
      assert.deepEqual(at(forgotten.status, "conditionalUpdates"), at(first.status, "conditionalUpdates"));
    });
  }

  test("reports each reason as a sentence of its own, before what counts", () => {
    for (const problem of ["document: is empty", "document: is empty."]) {
      const preflight = {
        target: { kind: "version", version: "5.2.0" },
        runner: { kind: "up", since: NOW },
        document: { kind: "invalid", problems: [problem] },
      } as const;
      const now = liftSample({ clusterVersion: withStatus(start, first), retained, preflight });
      assert.match(
        now.conditions[1]?.message ?? "",
        /[^.]\. The last completed result counts until there is a new one\. /,
      );
    }
  });

  test("does not report clear if there was no earlier result", () => {
    const now = liftSample({ document: buildSampleDocument([], { executionStatus: "running" }) });
    assert.deepEqual(now.status["availableUpdates"], [release("5.2.0")]);
    assert.match(now.conditions[1]?.message ?? "", /No earlier result exists/);
  });

  test("is compared with ClusterVersion alone if the retained result was lost", () => {
    const now = liftSample({ clusterVersion: withStatus(start, first) });
    assert.deepEqual(at(now.status, "conditionalUpdates"), at(first.status, "conditionalUpdates"));
  });

  test("can't be blocked by a time in the future", () => {
    const ahead = { ...retained, observedAt: "2030-01-01T00:00:00Z" };
    assert.equal(
      formatConditions(liftSample({ document: buildSampleDocument([]), retained: ahead }))[1],
      "PreflightCompleted=True NoRisks",
    );
  });
});

describe("a preflight that ends", () => {
  const start = clusterVersion({ available: [release("5.2.0"), release("5.1.0")] });
  const first = liftSample({ clusterVersion: start, document: buildSampleDocument([risk("A")]) });
  const retained = first.retained ?? assert.fail("nothing is kept");

  test("with a cancelled request restores ClusterVersion", () => {
    const cancelled = lift({ clusterVersion: withStatus(start, first), fields: ALL_FIELDS, retained, now: NOW });
    assert.deepEqual(cancelled, { status: start["status"], conditions: [], problems: [] });
  });

  test("with an update that starts leaves nothing behind, and reports it", () => {
    const history = [
      {
        state: "Partial",
        version: "5.2.0",
        image: imageOf("5.2.0"),
        startedTime: "2026-03-01T11:59:00Z",
        completionTime: null,
        verified: true,
      },
    ];
    const before = { ...withStatus(start, first), status: { ...first.status, history } };
    const ended = liftSample({ clusterVersion: before, document: buildSampleDocument([risk("A")]), retained });
    assert.deepEqual(
      ended.problems.map(({ reason }) => reason),
      ["UpdateStarted"],
    );
    assert.deepEqual(ended.conditions, []);
    assert.equal("conditionalUpdates" in ended.status, false);
  });

  test("with an updated cluster removes the risks of the version before", () => {
    const before = withStatus(clusterVersion({ source: "5.0.4" }), first);
    const status = { ...first.status, history: listAt(clusterVersion({ source: "5.0.4" }), "status", "history") };
    const now = liftSample({ clusterVersion: { ...before, status }, retained });
    assert.equal("conditionalUpdates" in now.status, false);
  });
});

test("a new conditionalUpdateRisks stays as an operator would write it, with the entries of other sources", () => {
  const theirs = conditional("5.1.0", [foreign("Theirs")], { status: "False", reason: "Theirs", message: "x" });
  const start = clusterVersion({ conditional: [theirs] });
  const first = liftSample({ clusterVersion: start, document: buildSampleDocument([risk("A")]) });
  const { status } = lift({ clusterVersion: withStatus(start, first), fields: ALL_FIELDS, now: NOW });
  assert.deepEqual(at(status, "conditionalUpdates"), at(start, "status", "conditionalUpdates"));
  assert.deepEqual(at(status, "conditionalUpdateRisks"), at(theirs, "risks"));
});

describe("what an operator has written since the last lift", () => {
  const document = buildSampleDocument([risk("A")]);

  test("keeps its times, since nothing but a time would be written", () => {
    const start = clusterVersion();
    const first = liftSample({ clusterVersion: start, document });
    const renewed: JsonObject = JSON.parse(
      JSON.stringify(first.status).replaceAll(/"2026-0[23]-01T[0-9:]*Z"/g, '"2026-03-01T12:01:00Z"'),
    );
    assert.notDeepEqual(renewed, first.status);
    const { status } = liftSample({
      clusterVersion: withStatus(start, { ...first, status: renewed }),
      document,
      ...(first.retained ? { retained: first.retained } : {}),
    });
    assert.deepEqual(status, renewed);
  });

  test("says what other risks do, where none has Applies", () => {
    const fields = { ...ALL_FIELDS, riskConditions: false };
    const { conditions: _, ...theirs } = foreign("Theirs");
    const message = "Theirs hurts. https://example.com/Theirs";
    const exposed = conditional("5.2.0", [theirs], { status: "False", reason: "Theirs", message });
    const start = clusterVersion({ available: [], conditional: [exposed] });
    const first = liftSample({ clusterVersion: start, document, fields });
    assert.equal(formatRecommended(first.status, "5.2.0"), "False MultipleReasons");
    const unexposed = conditional("5.2.0", [theirs], { status: "True", reason: "NotExposedToRisks", message: "None." });
    const second = liftSample({
      clusterVersion: clusterVersion({ conditional: [unexposed] }),
      document,
      fields,
      ...(first.retained ? { retained: first.retained } : {}),
    });
    assert.equal(formatRecommended(second.status, "5.2.0"), "False A");
    assert.equal(
      at(findUpdate(second.status, "5.2.0"), "conditions", 0, "lastTransitionTime"),
      at(findUpdate(first.status, "5.2.0"), "conditions", 0, "lastTransitionTime"),
    );
  });
});
