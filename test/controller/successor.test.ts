import assert from "node:assert/strict";
import { test } from "node:test";
import { PODS, REQUEST, RUNNER } from "../../src/controller/api/api-paths.ts";
import { findCondition } from "../../src/model/object.ts";
import { type JsonObject, objectAt, textAt } from "../../src/model/json.ts";
import { clusterVersion, NOW, release } from "../../verify/operator/status-sample.ts";
import { getClusterVersion, type MemoryApi } from "../support/controller/memory-api.ts";
import { reconcileOnce, requestFor, reconcileUntilStable, createStore } from "../support/controller/reconcile.ts";

const POD = `${PODS.split("?")[0]}/runner-1`;
const MAKE = "apply the runner's Deployment";
const DELETE = "delete the runner's Deployment";

function pod(api: MemoryApi, metadata: JsonObject, phase = "Running"): JsonObject {
  const labels = objectAt(api.objects.get(RUNNER) ?? {}, "spec", "template", "metadata", "labels");
  return { metadata: { name: "runner-1", labels, ...metadata }, status: { phase } };
}

/** A preflight for 5.2.0 runs, and another target is requested. */
async function createRunningStore(metadata: JsonObject = {}, phase?: string): Promise<MemoryApi> {
  const available = [release("5.2.0"), release("5.1.9")];
  const api = createStore(requestFor({ to: "5.2.0" }), clusterVersion({ available }));
  await reconcileUntilStable(api);
  api.objects.set(POD, pod(api, metadata, phase));
  api.objects.set(REQUEST, requestFor({ to: "5.1.9" }));
  return api;
}

test("the runner for another target is created only after the first runner's pod is gone", async () => {
  const api = await createRunningStore();
  const first = await reconcileOnce(api);
  assert.ok(first.includes(DELETE) && !first.includes(MAKE), first.join());
  const running = findCondition(getClusterVersion(api), "PreflightRunning");
  assert.match(
    textAt(running, "message") ?? "",
    /: The runner starts once pod runner-1 of the runner before it has ended\.$/,
  );
  api.objects.set(POD, { ...api.objects.get(POD), metadata: markDeleted(api, 30_000) });
  assert.ok(!(await reconcileOnce(api)).includes(MAKE));
  api.objects.delete(POD);
  assert.ok((await reconcileOnce(api)).includes(MAKE));
});

test("a finished pod, or one still listed on a node that no longer exists, does not block the next runner", async () => {
  for (const [metadata, phase] of [
    [{ deletionTimestamp: new Date(NOW.getTime() - 61_000).toISOString() }, "Running"],
    [{}, "Failed"],
  ] as const)
    assert.ok((await reconcileOnce(await createRunningStore(metadata, phase))).includes(MAKE), phase);
});

test("a pod that the controller does not own does not block the next runner", async () => {
  const api = await createRunningStore({ labels: { app: "cluster-version-operator-preflight" } });
  assert.ok((await reconcileOnce(api)).includes(MAKE));
});

function markDeleted(api: MemoryApi, inMs: number): JsonObject {
  const metadata = objectAt(api.objects.get(POD) ?? {}, "metadata");
  return { ...metadata, deletionTimestamp: new Date(NOW.getTime() + inMs).toISOString() };
}
