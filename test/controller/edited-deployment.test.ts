import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RUNNER } from "../../src/controller/api/api-paths.ts";
import { type JsonObject, objectAt } from "../../src/model/json.ts";
import type { MemoryApi } from "../support/controller/memory-api.ts";
import { applyMergePatch } from "../../src/cases/patch.ts";
import { createStore, reconcileUntilStable, requestFor, SETTINGS } from "../support/controller/reconcile.ts";

const MAKE = "apply the runner's Deployment";
const DELETE = "delete the runner's Deployment";

async function createRunningStore(): Promise<MemoryApi> {
  const api = createStore(requestFor({ to: "5.2.0" }));
  await reconcileUntilStable(api);
  return api;
}

/** What somebody writes, and what the API server counts it as. */
function edit(api: MemoryApi, patch: JsonObject, generation = 2): void {
  const made = objectAt(api.objects.get(RUNNER) ?? {});
  const { spec, metadata } = objectAt(applyMergePatch(made, patch));
  api.objects.set(RUNNER, { ...made, spec: spec ?? {}, metadata: { ...objectAt(metadata), generation } });
}

/** A patch of the pod's template with other containers. */
function changeContainers(change: (containers: readonly JsonObject[]) => readonly JsonObject[]) {
  return (api: MemoryApi): JsonObject => {
    const podSpec = objectAt(api.objects.get(RUNNER) ?? {}, "spec", "template", "spec");
    return { spec: { template: { spec: { containers: change([objectAt(podSpec, "containers", 0)]) } } } };
  };
}

const EDITS: readonly [title: string, patch: (api: MemoryApi) => JsonObject][] = [
  ["scaled to 0", () => ({ spec: { replicas: 0 } })],
  ["paused", () => ({ spec: { paused: true } })],
  ["with another strategy", () => ({ spec: { strategy: { type: "RollingUpdate" } } })],
  ["with another image", changeContainers((all) => all.map((one) => ({ ...one, image: "example.com/other" })))],
  ["with one more variable", changeContainers((all) => all.map((one) => ({ ...one, env: [{ name: "A" }] })))],
  ["with one more container", changeContainers((all) => [...all, { name: "other", image: "example.com/other" }])],
];

describe("a Deployment that was edited", () => {
  for (const [title, patch] of EDITS) {
    test(`${title} is made again, once`, async () => {
      const api = await createRunningStore();
      const before = objectAt(api.objects.get(RUNNER) ?? {}, "spec");
      edit(api, patch(api));
      const actions = await reconcileUntilStable(api);
      assert.deepEqual(
        actions.filter((one) => one === DELETE || one === MAKE),
        [DELETE, MAKE],
      );
      assert.deepEqual(objectAt(api.objects.get(RUNNER) ?? {}, "spec"), before);
    });
  }

  test("with fields that the API server or somebody else added is left alone", async () => {
    const api = await createRunningStore();
    const annotations = { "kubectl.kubernetes.io/restartedAt": "2026-03-01T12:00:00Z" };
    edit(api, { spec: { progressDeadlineSeconds: 600, template: { metadata: { annotations } } } });
    assert.deepEqual(await reconcileUntilStable(api), []);
  });

  test("without one of its labels gets it back", async () => {
    const api = await createRunningStore();
    edit(api, { metadata: { labels: { "preflight-target": null } } });
    assert.deepEqual(await reconcileUntilStable(api), [MAKE]);
  });
});

test("a Deployment that an admission plugin changed when it was made is left alone", async () => {
  const api = await createRunningStore();
  edit(api, changeContainers((all) => [...all, { name: "injected", image: "example.com/injected" }])(api), 1);
  assert.deepEqual(await reconcileUntilStable(api), []);
});

test("a Deployment for other settings is deleted and made anew, so that no pod of before keeps it waiting", async () => {
  const api = await createRunningStore();
  const settings = { runner: { ...SETTINGS.runner, node: "node-2" } };
  const actions = await reconcileUntilStable(api, { settings });
  assert.deepEqual(actions.slice(0, 2), [DELETE, MAKE]);
});
