import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { REQUEST, RESULT, RUNNER } from "../../src/controller/api/api-paths.ts";
import { hasFailureDeadline } from "../../src/controller/failure-deadline.ts";
import { buildRequestEdit, NAMESPACE } from "../../src/lift/objects/preflight-request.ts";
import type { DocumentState } from "../../src/lift/progress/runner-state.ts";
import { findCondition } from "../../src/model/object.ts";
import { objectAt, textAt } from "../../src/model/json.ts";
import { buildSampleDocument, imageOf, NOW, risk } from "../../verify/operator/status-sample.ts";
import { applyMergePatch } from "../../src/cases/patch.ts";
import { getClusterVersion, type MemoryApi } from "../support/controller/memory-api.ts";
import {
  createStore,
  reconcileOnce,
  reconcileUntilStable,
  requestFor,
  type Scene,
} from "../support/controller/reconcile.ts";
import { formatConditions } from "../../verify/operator/stage.ts";

const TARGET = { target: { kind: "version", version: "5.2.0" } } as const;
const BROKEN: DocumentState = { kind: "invalid", problems: ["document: is empty"] };
const LATER = new Date(NOW.getTime() + 3_600_000);

function documentOf(change: Parameters<typeof buildSampleDocument>[1]): DocumentState {
  return { kind: "read", document: buildSampleDocument([risk("A")], change) };
}

/** A store whose request was created at 11:54. */
function createRequestedStore(): MemoryApi {
  return createStore(requestFor({ to: "5.2.0" }));
}

function at(minutes: number): Date {
  return new Date(LATER.getTime() + minutes * 60_000);
}

describe("a result belongs to a request", () => {
  for (const [what, document, completed] of [
    ["observed before it", documentOf({ observedAt: "2026-03-01T11:53:59Z" }), "False DocumentBeforeRequest"],
    ["observed in the same second", documentOf({ observedAt: "2026-03-01T11:54:00Z" }), "True RisksFound"],
  ] as const)
    test(`a document ${what}`, async () => {
      const api = createRequestedStore();
      await reconcileUntilStable(api, { document });
      assert.equal(formatConditions(getClusterVersion(api))[0], `Completed=${completed}`);
      assert.equal(
        textAt(api.objects.get(RESULT), "data", "document.json") !== undefined,
        completed.startsWith("True"),
      );
    });

  test("a document without a time is dated by the start of its runner", async () => {
    for (const [preflightID, completed] of [
      ["2026-03-01T11:53:00Z-preflight-5.2.0", "False DocumentBeforeRequest"],
      ["2026-03-01T11:55:00Z-preflight-5.2.0", "True RisksFound"],
    ] as const) {
      const { observedAt: _, validUntil: __, ...document } = buildSampleDocument([risk("A")], { preflightID });
      const api = createRequestedStore();
      await reconcileUntilStable(api, { document: { kind: "read", document } });
      assert.equal(formatConditions(getClusterVersion(api))[0], `Completed=${completed}`);
    }
  });

  for (const [what, change] of [
    ["target", { targetVersion: "5.1.9" }],
    ["source", { sourceVersion: "5.0.2" }],
    ["payload", { targetImage: `registry.example/release@sha256:${"f".repeat(63)}0` }],
  ] as const)
    test(`a document about another ${what} that an earlier request left behind counts as none`, async () => {
      for (const [observedAt, completed] of [
        ["2026-03-01T11:53:59Z", "DocumentMissing"],
        ["2026-03-01T11:54:00Z", `Other${what.charAt(0).toUpperCase()}${what.slice(1)}`],
      ] as const) {
        const api = createRequestedStore();
        await reconcileUntilStable(api, { document: documentOf({ ...change, observedAt }) });
        assert.equal(formatConditions(getClusterVersion(api))[0], `Completed=False ${completed}`);
        assert.equal(textAt(api.objects.get(RESULT), "data", "document.json"), undefined);
      }
    });

  test("images with the same digest are the same in every registry", async () => {
    const digest = imageOf("5.2.0").split("@")[1] ?? "";
    for (const [targetImage, completed] of [
      [`mirror.example/release@${digest}`, "True RisksFound"],
      [`mirror.example/release@sha256:${"f".repeat(63)}0`, "False OtherPayload"],
    ] as const) {
      const api = createRequestedStore();
      await reconcileUntilStable(api, { document: documentOf({ targetImage }) });
      assert.equal(formatConditions(getClusterVersion(api))[0], `Completed=${completed}`);
    }
  });

  test("a request that changes its target is newer than its ConfigMap", () => {
    const edit = buildRequestEdit(requestFor({ to: "5.1.9" }), TARGET, { now: NOW });
    assert.ok(edit.kind === "patch");
    assert.equal(textAt(edit.patch, "data", "requested-at"), "2026-03-01T12:00:00Z");
  });
});

describe("a preflight that failed for too long", () => {
  for (const writeStatus of [false, true]) {
    const scene = (now: Date): Scene => ({ document: BROKEN, now, settings: { writeStatus } });
    const fail = async (): Promise<MemoryApi> => {
      const api = createRequestedStore();
      await reconcileUntilStable(api, scene(NOW));
      await reconcileUntilStable(api, scene(LATER));
      return api;
    };

    test(`keeps its failure and is not written again, ${writeStatus ? "with" : "without"} --write-status`, async () => {
      const api = await fail();
      assert.equal(api.objects.get(RUNNER), undefined);
      const failed = findCondition(getClusterVersion(api), "PreflightFailed");
      assert.equal(textAt(failed, "status"), "True");
      assert.match(textAt(failed, "message") ?? "", /The document is not valid: document: is empty/);
      for (let minutes = 1; minutes <= 120; minutes += 7)
        assert.deepEqual(await reconcileOnce(api, scene(at(minutes))), [], `${minutes} minutes later`);
      assert.deepEqual(findCondition(getClusterVersion(api), "PreflightFailed"), failed);
    });

    test(`starts again if the same target is requested again, ${writeStatus ? "with" : "without"} --write-status`, async () => {
      const api = await fail();
      assert.ok(hasFailureDeadline(api.objects.get(RESULT)));
      const present = objectAt(api.objects.get(REQUEST));
      const edit = buildRequestEdit(present, TARGET, { now: at(1), isRestart: true });
      assert.ok(edit.kind === "patch");
      api.objects.set(REQUEST, applyMergePatch(present, edit.patch));
      await reconcileUntilStable(api, { document: { kind: "missing" }, now: at(1), settings: { writeStatus } });
      assert.equal(textAt(api.objects.get(RUNNER), "metadata", "namespace"), NAMESPACE);
      assert.ok(!hasFailureDeadline(api.objects.get(RESULT)));
      assert.ok(formatConditions(getClusterVersion(api)).includes("Running=True Starting"));
    });
  }
});
