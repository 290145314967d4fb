import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Json, type JsonObject, at, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { NO_GATED_FIELDS } from "../../src/lift/objects/gated-fields.ts";
import { type PreflightInput } from "../../src/lift/lift.ts";
import {
  ALL_FIELDS,
  clusterVersion,
  conditional,
  buildSampleDocument,
  foreign,
  liftSample,
  NOW,
  formatRecommended,
  release,
  RETRIEVED,
  risk,
  formatConditions,
  findUpdate,
  withStatus,
} from "../../verify/operator/status-sample.ts";

const THEIRS = conditional("5.2.0", [foreign("Theirs")], {
  status: "False",
  reason: "Theirs",
  message: "Theirs hurts. https://example.com/Theirs",
});

function names(value: Json | undefined): readonly string[] {
  return listAt(value, "risks").map((one) => textAt(one, "name") ?? "");
}

function riskNamed(status: JsonObject, name: string): Json | undefined {
  return listAt(status, "conditionalUpdateRisks").find((one) => textAt(one, "name") === name);
}

describe("a completed document", () => {
  test("keeps the times of a risk and of a Recommended condition, in ClusterVersion and in the retained result", () => {
    const start = clusterVersion();
    const first = liftSample({
      clusterVersion: start,
      document: buildSampleDocument([risk("A", { since: "2026-02-01T00:00:00Z" })]),
    });
    const later = buildSampleDocument([risk("A", { since: "2026-02-20T00:00:00Z" })], {
      observedAt: "2026-03-01T11:58:00Z",
    });
    const now = new Date("2026-03-01T12:05:00Z");
    const fromStatus = liftSample({ clusterVersion: withStatus(start, first), document: later, now });
    const fromKept = liftSample({
      clusterVersion: start,
      document: later,
      now,
      ...(first.retained ? { retained: first.retained } : {}),
    });
    for (const { status } of [fromStatus, fromKept]) {
      assert.equal(textAt(riskNamed(status, "A"), "conditions", 0, "lastTransitionTime"), "2026-02-01T00:00:00Z");
      assert.equal(textAt(findUpdate(status, "5.2.0"), "conditions", 0, "lastTransitionTime"), "2026-03-01T12:00:00Z");
    }
  });

  test("gives the same result when repeated, written or proposed", () => {
    const start = clusterVersion({ conditional: [THEIRS], available: [release("5.1.0")], union: [foreign("Theirs")] });
    const document = buildSampleDocument([risk("A")]);
    const first = liftSample({ clusterVersion: start, document });
    const now = new Date("2026-03-01T12:01:00Z");
    const again = liftSample({ clusterVersion: withStatus(start, first), document, now });
    assert.deepEqual(again, first);
    const retained = first.retained ?? assert.fail("nothing is kept");
    const proposed = liftSample({ clusterVersion: start, document, retained, now });
    assert.deepEqual(at(proposed.status, "conditionalUpdates"), at(first.status, "conditionalUpdates"));
  });

  test("keeps the other text if a name is already taken, and reports it", () => {
    const start = clusterVersion({ available: [], conditional: [THEIRS], union: [foreign("Theirs")] });
    const here = liftSample({ clusterVersion: start, document: buildSampleDocument([risk("Theirs")]) });
    assert.deepEqual(riskNamed(here.status, "Theirs"), foreign("Theirs"));
    assert.equal(formatConditions(here)[1], "PreflightCompleted=True RiskNotMerged");
    assert.match(here.conditions[1]?.message ?? "", /risk of 5\.2\.0 is also named Theirs/);
    const other = conditional("5.1.7", [foreign("Theirs")], {
      status: "False",
      reason: "Theirs",
      message: "As it is.",
    });
    const elsewhere = clusterVersion({ conditional: [other], union: [foreign("Theirs")] });
    const there = liftSample({ clusterVersion: elsewhere, document: buildSampleDocument([risk("Theirs")]) });
    assert.match(there.conditions[1]?.message ?? "", /risk of 5\.1\.7 is also named Theirs/);
  });

  test("adds the prefix of the newest proposal if configured, and recognises its own texts in either form", () => {
    const start = clusterVersion();
    const proposal = liftSample({ document: buildSampleDocument([risk("A")]), form: "proposal" });
    assert.match(textAt(riskNamed(proposal.status, "A"), "message") ?? "", /^Preflight=5\.2\.0: A is wrong/);
    const changed = liftSample({
      clusterVersion: withStatus(start, proposal),
      document: buildSampleDocument([risk("B")]),
    });
    assert.deepEqual(names(findUpdate(changed.status, "5.2.0")), ["B"]);
    const marked = { ...risk("A"), message: "Preflight=5.2.0: A is wrong." };
    const once = liftSample({ document: buildSampleDocument([marked]) });
    assert.equal(textAt(riskNamed(once.status, "A"), "message"), "5.0.3 -> 5.2.0: A is wrong.");
  });
});

describe("a target that can't be shown", () => {
  test("because the update service doesn't offer it is reported with its risks, and retained", () => {
    const start = clusterVersion({ available: [release("5.1.0")], conditions: [RETRIEVED] });
    const now = liftSample({ clusterVersion: start, document: buildSampleDocument([risk("A")]) });
    assert.deepEqual(now.status["availableUpdates"], [release("5.1.0")]);
    assert.deepEqual(formatConditions(now), [
      "PreflightRunning=True Checking",
      "PreflightCompleted=True TargetNotOffered",
      "PreflightFailed=False AsExpected",
    ]);
    assert.match(now.conditions[1]?.message ?? "", /1 risk was found: A\..*does not offer 5\.2\.0/s);
    assert.equal(now.retained?.risks.length, 1);
  });

  test("because its pull spec is not offered is reported, even if its version is offered", () => {
    const image = `registry.example/own@sha256:${"a".repeat(64)}`;
    const preflight: PreflightInput = {
      target: { kind: "image", image },
      runner: { kind: "up", since: NOW },
      document: { kind: "read", document: buildSampleDocument([risk("A")], { targetImage: image }) },
    };
    const now = liftSample({ preflight, clusterVersion: clusterVersion({ conditions: [RETRIEVED] }) });
    assert.deepEqual(now.status["availableUpdates"], [release("5.2.0")]);
    assert.equal(formatConditions(now)[1], "PreflightCompleted=True TargetNotOffered");
    assert.match(now.conditions[0]?.message ?? "", /ClusterVersion does not offer /);
  });

  test("in fields that the CRD lacks is shown in those that it has", () => {
    const now = liftSample({ document: buildSampleDocument([risk("A")]), fields: NO_GATED_FIELDS });
    const update = findUpdate(now.status, "5.2.0");
    assert.deepEqual(Object.keys(objectAt({ update: update ?? null }, "update")).toSorted(), [
      "conditions",
      "release",
      "risks",
    ]);
    assert.equal(at(update, "risks", 0, "conditions"), undefined);
    assert.equal(formatRecommended(now.status, "5.2.0"), "False A");
    assert.equal("conditionalUpdateRisks" in now.status, false);
    assert.deepEqual(
      now.problems.map(({ reason }) => reason),
      ["RiskFieldsAbsent"],
    );
    assert.match(now.conditions[1]?.message ?? "", /status\.conditionalUpdateRisks/);
  });
});

test("a lift works without any fields in the status", () => {
  const bare = { metadata: { name: "version" } };
  const now = liftSample({ clusterVersion: bare, document: buildSampleDocument([risk("A")]), fields: ALL_FIELDS });
  assert.equal(formatConditions(now)[1], "PreflightCompleted=True UpdatesNotRetrieved");
});
