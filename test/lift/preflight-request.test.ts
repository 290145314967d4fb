import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  buildHistoryEntry,
  buildHistoryConfigMap,
  parseHistory,
  addHistoryEntry,
  getRetainedResult,
  buildResultConfigMap,
} from "../../src/lift/preflight-result.ts";
import type { Edit } from "../../src/lift/objects/cluster-version-edit.ts";
import {
  type PreflightRequest,
  buildCancelEdit,
  buildRequestEdit,
  parseRequest,
  getWindowPhase,
} from "../../src/lift/objects/preflight-request.ts";
import { selectPending, summarizeUpdateRisks, summarizeRisks } from "../../src/lift/risk-summary.ts";
import { type Json, type JsonObject, isObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { applyMergePatch } from "../../src/cases/patch.ts";
import {
  clusterVersion,
  conditional,
  buildSampleDocument,
  foreign,
  liftSample,
  release,
  risk,
} from "../../verify/operator/status-sample.ts";

const REQUEST: PreflightRequest = {
  target: { kind: "version", version: "5.2.0" },
  notBefore: new Date("2026-03-01T22:00:00Z"),
  until: new Date("2026-03-02T04:00:00Z"),
};

function created(change: Edit): JsonObject {
  return change.kind === "create" ? change.object : assert.fail(JSON.stringify(change));
}

describe("a request", () => {
  test("is a ConfigMap that parses back to the same request", () => {
    const object = created(buildRequestEdit(undefined, REQUEST));
    assert.deepEqual(objectAt(object, "data"), {
      to: "5.2.0",
      "not-before": "2026-03-01T22:00:00Z",
      until: "2026-03-02T04:00:00Z",
    });
    assert.deepEqual(parseRequest(object), { kind: "request", request: REQUEST });
    assert.deepEqual(parseRequest(undefined), { kind: "none" });
    assert.deepEqual(buildRequestEdit(object, REQUEST), { kind: "unchanged" });
  });

  test("that changes removes its own old keys and leaves others", () => {
    const before = {
      metadata: { resourceVersion: "7", labels: { team: "a" } },
      data: { to: "5.1.0", until: "2026-03-02T04:00:00Z", note: "ours" },
    };
    const image = `example/a@sha256:${"c".repeat(64)}`;
    const change = buildRequestEdit(before, { target: { kind: "image", image } });
    const patch = change.kind === "patch" ? change.patch : assert.fail(change.kind);
    assert.equal(textAt(patch, "metadata", "resourceVersion"), "7");
    const after = applyMergePatch(before, patch);
    assert.deepEqual(objectAt(after, "data"), { "to-image": image, note: "ours" });
    assert.deepEqual(objectAt(after, "metadata", "labels"), { team: "a" });
    const read = parseRequest(after);
    assert.deepEqual(read, { kind: "request", request: { target: { kind: "image", image } } });
  });

  test("that is cancelled is deleted only in the version that was read", () => {
    const present = { metadata: { uid: "u", resourceVersion: "8" } };
    assert.deepEqual(buildCancelEdit(present), { kind: "delete", preconditions: { uid: "u", resourceVersion: "8" } });
    assert.deepEqual(buildCancelEdit(undefined), { kind: "unchanged" });
  });

  test("with mistakes is rejected with all of them", () => {
    const wrong: readonly (readonly [JsonObject, number])[] = [
      [{}, 1],
      [{ to: "5.2" }, 1],
      [{ to: "5.2.0", "to-image": "a" }, 1],
      [{ "to-image": "a b" }, 1],
      [{ to: "5.2.0", "not-before": "tomorrow", until: "2026-13-01T00:00:00Z" }, 2],
      [{ to: "5.2.0", "not-before": "2026-03-02T00:00:00Z", until: "2026-03-01T00:00:00Z" }, 1],
    ];
    for (const [data, count] of wrong) {
      const read = parseRequest({ data });
      assert.equal(read.kind === "invalid" ? read.problems.length : read.kind, count);
    }
    assert.equal(buildRequestEdit(undefined, { target: { kind: "version", version: "latest" } }).kind, "refused");
  });

  test("has a window that includes its start and excludes its end", () => {
    const at = (time: string): string => getWindowPhase(REQUEST, new Date(time));
    assert.deepEqual(
      ["2026-03-01T21:59:59Z", "2026-03-01T22:00:00Z", "2026-03-02T03:59:59Z", "2026-03-02T04:00:00Z"].map(at),
      ["before", "within", "within", "over"],
    );
    assert.equal(getWindowPhase({ target: REQUEST.target }, new Date()), "within");
  });
});

describe("the published result", () => {
  const theirs = conditional("5.2.0", [foreign("Theirs")], { status: "False", reason: "Theirs", message: "Long." });
  const start = clusterVersion({
    available: [release("5.1.0")],
    conditional: [theirs],
    union: [foreign("Theirs")],
    accepted: ["B"],
  });
  const now = liftSample({ clusterVersion: start, document: buildSampleDocument([risk("A"), risk("B")]) });

  test("holds the proposal for the target, the document, and the data that the next lift needs", () => {
    const result = buildResultConfigMap(now, buildSampleDocument([risk("A")]));
    const proposal = parse(textAt(result, "data", "proposal.json"));
    assert.deepEqual(proposal["conditionalUpdates"], now.status["conditionalUpdates"]);
    assert.equal(listAt(proposal, "conditionalUpdateRisks").length, 3);
    assert.equal(listAt(proposal, "conditions").length, 3);
    assert.deepEqual(parse(textAt(result, "data", "document.json")), buildSampleDocument([risk("A")]));
    assert.deepEqual(getRetainedResult(result), now.retained);
    assert.equal(getRetainedResult(undefined), undefined);
    assert.equal(getRetainedResult({ data: { "held.json": "{" } }), undefined);
  });

  test("fits into a ConfigMap whatever the texts of other sources", () => {
    const loud = { ...foreign("Theirs"), message: "x".repeat(600_000) };
    const update = conditional("5.2.0", [loud], { status: "False", reason: "Theirs", message: "Long." });
    const crowded = liftSample({
      clusterVersion: clusterVersion({ available: [], conditional: [update], union: [loud] }),
      document: buildSampleDocument([risk("A")]),
    });
    const text = JSON.stringify(buildResultConfigMap(crowded, buildSampleDocument([risk("A")])));
    assert.ok(text.length < 300_000);
    assert.match(text, /Theirs/);
  });

  test("gives the risks that an administrator still has to handle", () => {
    const all = summarizeUpdateRisks(now.status, now.retained ?? assert.fail(), ["B"]);
    assert.deepEqual(
      all.map(({ name, isAccepted, sources }) => [name, isAccepted, ...sources]),
      [
        ["A", false, "document"],
        ["B", true, "document"],
        ["Theirs", false, "other"],
      ],
    );
    assert.deepEqual(
      selectPending(all).map(({ name }) => name),
      ["A", "Theirs"],
    );
    assert.equal(summarizeRisks(now.retained?.risks ?? [], [])[0]?.since, "2026-02-01T00:00:00Z");
    const { conditions: _, ...plain } = risk("A");
    assert.equal(summarizeRisks([plain], [])[0]?.applies, "True");
  });
});

describe("history", () => {
  test("holds the last five results, each run once, and survives unreadable entries", () => {
    const documents = ["1", "2", "3", "4", "5", "6", "6"].map((day) =>
      buildSampleDocument([risk("A"), risk("B")], { preflightID: `2026-03-0${day}T00:00:00Z-preflight-5.2.0` }),
    );
    const entries = documents.flatMap((document) => buildHistoryEntry(document, ["B", "C"]) ?? []);
    const history = entries.reduce(addHistoryEntry, parseHistory({ data: { "history.json": "no" } }));
    assert.deepEqual(
      history.map(({ preflightID }) => preflightID[9]),
      ["6", "5", "4", "3", "2"],
    );
    const { preflightID: _, ...first } = history[0] ?? assert.fail("nothing is remembered");
    assert.deepEqual(first, {
      source: "5.0.3",
      target: "5.2.0",
      observedAt: "2026-03-01T11:55:00Z",
      risks: ["A", "B"],
      accepted: ["B"],
      complete: true,
    });
    assert.deepEqual(parseHistory(buildHistoryConfigMap(history)), history);
    assert.equal(buildHistoryEntry(buildSampleDocument([], { executionStatus: "failed" }), []), undefined);
  });
});

function parse(text: string | undefined): JsonObject {
  const value: Json = JSON.parse(text ?? "null");
  return isObject(value) ? value : assert.fail("no object");
}
