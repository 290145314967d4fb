import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ApiClient } from "../../src/cluster/writer/api-client.ts";
import { plan } from "../../src/controller/plan.ts";
import { applyActions } from "../../src/controller/controller.ts";
import { CLUSTER_VERSION, OPERATOR, OPERATOR_LEASE_PATH, REQUEST } from "../../src/controller/api/api-paths.ts";
import type { DocumentState } from "../../src/lift/progress/runner-state.ts";
import { type JsonObject, listAt, objectAt } from "../../src/model/json.ts";
import {
  clusterVersion,
  conditional,
  buildSampleDocument,
  foreign,
  NOW,
  release,
  risk,
} from "../../verify/operator/status-sample.ts";
import { getClusterVersion, type MemoryApi } from "../support/controller/memory-api.ts";
import {
  reconcileOnce,
  SILENT_LOGGER,
  requestFor,
  type Scene,
  observeStore,
  SETTINGS,
  reconcileUntilStable,
  createStore,
} from "../support/controller/reconcile.ts";

const RISK_FOUND: DocumentState = { kind: "read", document: buildSampleDocument([risk("A"), risk("B")]) };
const BROKEN: DocumentState = { kind: "invalid", problems: ["document: is empty"] };
const LATER = new Date(NOW.getTime() + 3_600_000);
const WRITING = { writeStatus: true } as const;
const DELEGATING = { useMode: true } as const;

/** A cluster at rest, the event that follows, and the inputs of every reconcile after it. */
type Story = {
  readonly rest: Scene;
  readonly happens: (api: MemoryApi) => void;
  readonly after: Scene;
  readonly serving?: boolean;
  readonly isUnasked?: boolean;
};

const STORIES: Readonly<Record<string, Story>> = {
  "a request": { rest: {}, happens: requestPreflight, after: {}, isUnasked: true },
  "a document": { rest: {}, happens: changeNothing, after: { document: RISK_FOUND } },
  "a document, written into the status": {
    rest: { settings: WRITING },
    happens: changeNothing,
    after: { document: RISK_FOUND, settings: WRITING },
  },
  "another target": { rest: { document: RISK_FOUND }, happens: requestOtherTarget, after: { document: RISK_FOUND } },
  "another target, written into the status": {
    rest: { document: RISK_FOUND, settings: WRITING },
    happens: requestOtherTarget,
    after: { document: RISK_FOUND, settings: WRITING },
  },
  "an invalid request": {
    rest: { document: RISK_FOUND },
    happens: (api) => api.objects.set(REQUEST, requestFor({ to: "?" })),
    after: {},
  },
  "a cancelled request": { rest: { document: RISK_FOUND }, happens: cancelRequest, after: { document: RISK_FOUND } },
  "a cancelled request, written into the status": {
    rest: { document: RISK_FOUND, settings: WRITING },
    happens: cancelRequest,
    after: { document: RISK_FOUND, settings: WRITING },
  },
  "an update": { rest: { document: RISK_FOUND }, happens: startUpdate, after: { document: RISK_FOUND } },
  "an hour of failure": { rest: { document: BROKEN }, happens: () => {}, after: { document: BROKEN, now: LATER } },
  "an hour of failure, written into the status": {
    rest: { document: BROKEN, settings: WRITING },
    happens: () => {},
    after: { document: BROKEN, now: LATER, settings: WRITING },
  },
  "a delegated request": {
    rest: { settings: DELEGATING },
    happens: requestPreflight,
    after: { settings: DELEGATING },
    serving: true,
    isUnasked: true,
  },
  "another target of a delegated request": {
    rest: { settings: DELEGATING },
    happens: requestOtherTarget,
    after: { settings: DELEGATING },
    serving: true,
  },
  "a cancelled request that was delegated": {
    rest: { settings: DELEGATING },
    happens: cancelRequest,
    after: { settings: DELEGATING },
    serving: true,
  },
};

describe("whatever the event, and wherever the controller is killed", () => {
  for (const [what, story] of Object.entries(STORIES)) {
    test(`${what} leads to the same state`, async () => {
      const expected = await finishStory(story, async () => {});
      const steps = (await reconcileOnce(await startStory(story), story.after)).length;
      assert.ok(steps > 0);
      for (let most = 0; most <= steps; most += 1) {
        assert.deepEqual(
          await finishStory(story, async (api) => void (await reconcileOnce(api, story.after, most))),
          expected,
          `${most}`,
        );
      }
    });

    test(`${what} leads to the same state after a conflict at any write, and if a second controller acts on stale state`, async () => {
      const expected = await finishStory(story, async () => {});
      for (let nth = 0; nth < 5; nth += 1)
        assert.deepEqual(
          await finishStory(story, (api) => reconcileWithConflict(api, story.after, nth)),
          expected,
          `${nth}`,
        );
      assert.deepEqual(await finishStory(story, (api) => actLate(api, story)), expected);
    });
  }

  test("whatever a former leader still creates after a cancelled request is removed", async () => {
    const api = createStore(requestFor({ to: "5.2.0" }));
    const late = plan(await observeStore(api), SETTINGS, NOW);
    await reconcileUntilStable(api);
    cancelRequest(api);
    await reconcileUntilStable(api);
    await applyActions(late, api, SILENT_LOGGER, new AbortController().signal);
    assert.ok((await reconcileUntilStable(api)).length > 0);
    assert.deepEqual([...api.objects.keys()], [CLUSTER_VERSION]);
    assert.deepEqual(listAt(getClusterVersion(api), "status", "conditions"), []);
  });

  test("no risk, condition or key of another source is lost", async () => {
    const others = [
      { type: "Available", status: "True", reason: "Done", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" },
    ];
    const before = clusterVersion({
      conditions: others,
      union: [foreign("Theirs")],
      conditional: [conditional("5.1.0", [foreign("Theirs")], { status: "False", reason: "Theirs", message: "x" })],
    });
    for (const settings of [{}, WRITING]) {
      const api = createStore(requestFor({ to: "5.2.0" }), before);
      await reconcileUntilStable(api, { document: RISK_FOUND, settings });
      cancelRequest(api);
      await reconcileUntilStable(api, { settings });
      assert.deepEqual(getClusterVersion(api)["status"], before["status"]);
    }
  });
});

async function startStory({ rest, happens, serving = false, isUnasked = false }: Story): Promise<MemoryApi> {
  const cluster = clusterVersion({ available: [release("5.2.0"), release("5.1.9")], accepted: ["A"] });
  const operator: Readonly<Record<string, JsonObject>> = serving
    ? {
        [OPERATOR_LEASE_PATH]: {
          spec: { holderIdentity: "operator", leaseDurationSeconds: 137, renewTime: NOW.toISOString() },
        },
        [OPERATOR]: { metadata: { annotations: { "preflight.openshift.io/formats": "preflight-v1-json" } } },
      }
    : {};
  const api = createStore(isUnasked ? undefined : requestFor({ to: "5.2.0" }), cluster, operator);
  await reconcileUntilStable(api, rest);
  happens(api);
  return api;
}

/** The final state, without the versions and ids of objects, which depend on the path to it. */
async function finishStory(story: Story, interrupted: (api: MemoryApi) => Promise<void>): Promise<JsonObject> {
  const api = await startStory(story);
  await interrupted(api);
  await reconcileUntilStable(api, story.after);
  const objects = [...api.objects].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(objects.map(([path, object]) => [path, { ...object, metadata: {} }]));
}

async function reconcileWithConflict(api: MemoryApi, scene: Scene, nth: number): Promise<void> {
  let writes = 0;
  const write: ApiClient["write"] = async (change, signal) => {
    writes += 1;
    return writes === nth + 1 ? { kind: "conflict", message: "too late" } : api.write(change, signal);
  };
  await reconcileOnce({ ...api, write }, scene);
}

/** Plans before the event and writes after everything is done. */
async function actLate(api: MemoryApi, { after }: Story): Promise<void> {
  const old = plan(await observeStore(api, after), { ...SETTINGS, ...after.settings }, after.now ?? NOW);
  await reconcileUntilStable(api, after);
  await applyActions(old, api, SILENT_LOGGER, new AbortController().signal);
}

function changeNothing(): void {}

function requestPreflight(api: MemoryApi): void {
  api.objects.set(REQUEST, requestFor({ to: "5.2.0" }));
}

function requestOtherTarget(api: MemoryApi): void {
  api.objects.set(REQUEST, requestFor({ to: "5.1.9" }));
}

function cancelRequest(api: MemoryApi): void {
  api.objects.delete(REQUEST);
}

function startUpdate(api: MemoryApi): void {
  const cluster = getClusterVersion(api);
  const status = objectAt(cluster, "status");
  const history = [{ ...objectAt(listAt(status, "history")[0]), state: "Partial", completionTime: null }];
  api.objects.set(CLUSTER_VERSION, { ...cluster, status: { ...status, history } });
}
