import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { applyActions } from "../../src/controller/controller.ts";
import { CLUSTER_VERSION, REQUEST, RESULT, RUNNER } from "../../src/controller/api/api-paths.ts";
import { plan } from "../../src/controller/plan.ts";
import type { DocumentState } from "../../src/lift/progress/runner-state.ts";
import { type JsonObject, listAt, objectAt } from "../../src/model/json.ts";
import {
  buildSampleDocument,
  clusterVersion,
  imageOf,
  NOW,
  release,
  risk,
} from "../../verify/operator/status-sample.ts";
import { getClusterVersion, type MemoryApi } from "../support/controller/memory-api.ts";
import {
  createStore,
  observeStore,
  reconcileOnce,
  reconcileUntilStable,
  requestFor,
  type Scene,
  SETTINGS,
  SILENT_LOGGER,
} from "../support/controller/reconcile.ts";
import { listRiskNames } from "../../verify/operator/stage.ts";

const REFUSED = { kind: "refused", message: "no" } as const;

/** What a runner writes at a minute: it doesn't know yet that the update has begun. */
function documentAt(minute: number, ...names: readonly string[]): DocumentState {
  const observedAt = new Date(NOW.getTime() + minute * 60_000).toISOString().replace(/\.\d+/, "");
  const validUntil = new Date(NOW.getTime() + (minute + 15) * 60_000).toISOString().replace(/\.\d+/, "");
  const risks = names.map((name) => risk(name));
  return { kind: "read", document: buildSampleDocument(risks, { observedAt, validUntil }) };
}

function sceneAt(minute: number, document: DocumentState, writeStatus: boolean): Scene {
  return { document, now: new Date(NOW.getTime() + minute * 60_000), settings: { writeStatus } };
}

/** A cluster that shows the risk A of a preflight of 5.2.0. */
async function startShown(writeStatus: boolean): Promise<MemoryApi> {
  const api = createStore(requestFor({ to: "5.2.0" }), clusterVersion({ available: [release("5.2.0")] }));
  await reconcileUntilStable(api, sceneAt(0, documentAt(0, "A"), writeStatus));
  assert.ok(api.objects.has(RESULT) && api.objects.has(RUNNER));
  if (writeStatus) assert.deepEqual(listRiskNames(objectAt(getClusterVersion(api), "status"), "5.2.0"), ["A"]);
  return api;
}

let writes = 0;

/** Writes the history as the operator does: what it adds before the first entry. */
function setHistory(api: MemoryApi, newest: readonly JsonObject[]): void {
  const cluster = getClusterVersion(api);
  const status = objectAt(cluster, "status");
  const first = listAt(clusterVersion(), "status", "history");
  api.objects.set(CLUSTER_VERSION, {
    ...cluster,
    metadata: { ...objectAt(cluster, "metadata"), resourceVersion: `operator-${(writes += 1)}` },
    status: { ...status, history: [...newest, ...first] },
  });
}

const PARTIAL = { state: "Partial", version: "5.2.0", image: imageOf("5.2.0"), completionTime: null };
const COMPLETED = { ...PARTIAL, state: "Completed", completionTime: "2026-03-01T12:30:00Z" };

function assertNothingShown(api: MemoryApi, when: string): void {
  const status = objectAt(getClusterVersion(api), "status");
  assert.doesNotMatch(JSON.stringify(status), /5\.0\.3 -> |Preflight/, when);
  assert.equal(api.objects.get(RESULT), undefined, when);
}

describe("from the moment an update has begun, no risk of a preflight is shown", () => {
  for (const writeStatus of [false, true]) {
    const how = writeStatus ? "in the status" : "in the result";

    test(`${how}, although its runner goes on until it can be deleted`, async () => {
      const api = await startShown(writeStatus);
      setHistory(api, [PARTIAL]);
      api.faults.set(RUNNER, REFUSED);
      for (const [minute, document] of [
        [1, documentAt(0, "A")],
        [2, documentAt(2, "A", "B")],
        [3, documentAt(3)],
        [4, { kind: "missing" }],
        [5, documentAt(5, "C")],
      ] as const) {
        await reconcileOnce(api, sceneAt(minute, document, writeStatus));
        assertNothingShown(api, `minute ${minute}`);
      }
      assert.ok(api.objects.has(RUNNER));
      api.faults.clear();
      await reconcileUntilStable(api, sceneAt(6, documentAt(6, "A"), writeStatus));
      assert.equal(api.objects.get(RUNNER), undefined);
      setHistory(api, [COMPLETED]);
      await reconcileUntilStable(api, sceneAt(30, documentAt(29, "A"), writeStatus));
      assertNothingShown(api, "after the update");
    });

    test(`${how}, although the request can't be deleted and outlives the update`, async () => {
      const api = await startShown(writeStatus);
      setHistory(api, [PARTIAL]);
      api.faults.set(REQUEST, REFUSED);
      await reconcileOnce(api, sceneAt(1, documentAt(1, "A"), writeStatus));
      assertNothingShown(api, "during the update");
      assert.ok(api.objects.has(REQUEST));
      setHistory(api, [COMPLETED]);
      await reconcileUntilStable(api, sceneAt(30, documentAt(29, "A"), writeStatus));
      const updates = JSON.stringify(objectAt(getClusterVersion(api), "status")["conditionalUpdates"] ?? []);
      assert.doesNotMatch(updates, /"A"/);
      assert.doesNotMatch(JSON.stringify(api.objects.get(RESULT) ?? {}), /A is wrong/);
    });

    test(`${how}, by a plan from before it`, async () => {
      const api = await startShown(writeStatus);
      const scene = sceneAt(1, documentAt(1, "A", "B"), writeStatus);
      const late = plan(await observeStore(api, scene), { ...SETTINGS, writeStatus }, scene.now ?? NOW);
      assert.ok(late.length > 0);
      setHistory(api, [PARTIAL]);
      await reconcileUntilStable(api, scene);
      await applyActions(late, api, SILENT_LOGGER, new AbortController().signal);
      assert.doesNotMatch(JSON.stringify(getClusterVersion(api)["status"]), /5\.0\.3 -> |Preflight/);
      await reconcileUntilStable(api, scene);
      assertNothingShown(api, "after the late plan");
      assert.equal(api.objects.get(RUNNER), undefined);
    });
  }
});
