import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  CLUSTER_VERSION,
  OPERATOR,
  OPERATOR_LEASE_PATH,
  REQUEST,
  RESULT,
  RUNNER,
} from "../../src/controller/api/api-paths.ts";
import { at, type JsonObject, objectAt, textAt } from "../../src/model/json.ts";
import { clusterVersion, imageOf, NOW, release } from "../../verify/operator/status-sample.ts";
import { getClusterVersion, type MemoryApi } from "../support/controller/memory-api.ts";
import { reconcileOnce, requestFor, reconcileUntilStable, createStore } from "../support/controller/reconcile.ts";
import { formatConditions } from "../../verify/operator/stage.ts";

const OPERATOR_LEASE = {
  spec: { holderIdentity: "operator", leaseDurationSeconds: 137, renewTime: NOW.toISOString() },
};
const OPERATOR_OBJECTS = {
  [OPERATOR_LEASE_PATH]: OPERATOR_LEASE,
  [OPERATOR]: { metadata: { annotations: { "preflight.openshift.io/formats": "preflight-v1-json" } } },
};
const REQUEST_CONFIG_MAP = requestFor({ to: "5.2.0" });
const DELEGATING = { settings: { useMode: true } };
const FORBIDDEN = { kind: "refused", status: 403, message: "forbidden" } as const;

function createRequestedStore(to = "5.2.0"): MemoryApi {
  return createStore(
    requestFor({ to }),
    clusterVersion({ available: [release("5.2.0"), release("5.1.9")] }),
    OPERATOR_OBJECTS,
  );
}

function modeOf(api: MemoryApi): string | undefined {
  return textAt(getClusterVersion(api), "spec", "desiredUpdate", "mode");
}

describe("the controller records that it set the mode", () => {
  test("it does not set the mode if the record could not be written", async () => {
    const api = createRequestedStore();
    api.faults.set("/api/v1/namespaces/openshift-cluster-version/configmaps", FORBIDDEN);
    for (let looks = 0; looks < 3; looks += 1) await reconcileOnce(api, DELEGATING);
    assert.equal(modeOf(api), undefined);
  });

  test("for another target it clears the mode before setting it again, and the record never goes missing", async () => {
    const api = createRequestedStore();
    await reconcileUntilStable(api, DELEGATING);
    api.objects.set(REQUEST, requestFor({ to: "5.1.9" }));
    for (let looks = 0; looks < 4; looks += 1) {
      await reconcileOnce(api, DELEGATING, 1);
      const image = textAt(getClusterVersion(api), "spec", "desiredUpdate", "image");
      if (image !== undefined) assert.equal(textAt(api.objects.get(RESULT), "data", "mode-image"), image);
    }
    assert.equal(textAt(getClusterVersion(api), "spec", "desiredUpdate", "image"), imageOf("5.1.9"));
  });

  for (const [what, request] of [
    ["a cancelled request", undefined],
    ["an invalid request", requestFor({ to: "?" })],
    ["an operator that no longer serves the mode", requestFor({ to: "5.2.0" })],
  ] as const) {
    test(`${what}: if the mode can't be cleared, the record stays, and a later attempt clears it`, async () => {
      const api = createRequestedStore();
      await reconcileUntilStable(api, DELEGATING);
      if (request) api.objects.set(REQUEST, request);
      else api.objects.delete(REQUEST);
      if (what.startsWith("an operator")) api.objects.delete(OPERATOR);
      api.faults.set(CLUSTER_VERSION, FORBIDDEN);
      for (let looks = 0; looks < 3; looks += 1) await reconcileOnce(api);
      assert.equal(modeOf(api), "Preflight");
      api.faults.clear();
      await reconcileUntilStable(api);
      assert.equal(at(getClusterVersion(api), "spec", "desiredUpdate"), undefined);
      assert.equal(textAt(api.objects.get(RESULT), "data", "mode-image"), undefined);
    });
  }
});

describe("an operator that serves the mode", () => {
  const SAID: JsonObject = {
    type: "PreflightCompleted",
    status: "True",
    reason: "Theirs",
    message: "",
    lastTransitionTime: "2026-01-01T00:00:00Z",
  };

  test("keeps its own conditions without a request", async () => {
    const api = createStore(undefined, clusterVersion({ conditions: [SAID] }), OPERATOR_OBJECTS);
    assert.deepEqual(await reconcileUntilStable(api), []);
    assert.deepEqual(formatConditions(getClusterVersion(api)), ["Completed=True Theirs"]);
  });

  test("makes the controller remove all that it published before", async () => {
    const cluster = clusterVersion();
    const spec = { ...objectAt(cluster, "spec"), desiredUpdate: { mode: "Preflight", version: "5.2.0" } };
    const api = createStore(undefined, { ...cluster, spec });
    await reconcileUntilStable(api);
    assert.ok(api.objects.has(RESULT));
    for (const [path, object] of Object.entries(OPERATOR_OBJECTS)) api.objects.set(path, object);
    await reconcileUntilStable(api);
    assert.equal(api.objects.get(RESULT), undefined);
    assert.deepEqual(formatConditions(getClusterVersion(api)), []);
    assert.deepEqual(at(getClusterVersion(api), "spec"), spec);
  });
});

describe("spec.desiredUpdate.mode", () => {
  const byMode = (): JsonObject => {
    const cluster = clusterVersion();
    return {
      ...cluster,
      spec: { ...objectAt(cluster, "spec"), desiredUpdate: { mode: "Preflight", version: "5.2.0" } },
    };
  };

  test("is honoured if somebody set it", async () => {
    const api = createStore(undefined, byMode());
    assert.deepEqual(await reconcileOnce(api), [
      "update ConfigMap preflight-result",
      "apply the runner's Deployment",
      "update the Preflight conditions",
    ]);
    assert.deepEqual(at(getClusterVersion(api), "spec"), at(byMode(), "spec"));
  });

  test("is delegated to an operator that serves it", async () => {
    assert.deepEqual(await reconcileUntilStable(createStore(undefined, byMode(), OPERATOR_OBJECTS)), []);
  });

  test("is never set without --use-mode, or for an operator that doesn't advertise it", async () => {
    for (const [settings, more] of [
      [{ useMode: false }, OPERATOR_OBJECTS],
      [{ useMode: true }, {}],
      [{ useMode: true }, { [OPERATOR_LEASE_PATH]: OPERATOR_LEASE }],
      [{ useMode: true }, { [OPERATOR]: OPERATOR_OBJECTS[OPERATOR] }],
    ] as const) {
      const api = createStore(REQUEST_CONFIG_MAP, clusterVersion(), more);
      await reconcileUntilStable(api, { settings });
      assert.deepEqual(at(getClusterVersion(api), "spec"), at(clusterVersion(), "spec"));
      assert.ok(!api.writes.includes(`PATCH ${CLUSTER_VERSION}`));
    }
  });

  test("is set with --use-mode for an operator that serves it, and cleared with the request; accepted risks stay", async () => {
    const api = createStore(REQUEST_CONFIG_MAP, clusterVersion({ accepted: ["A"] }), OPERATOR_OBJECTS);
    const settings = { useMode: true };
    await reconcileUntilStable(api, { settings });
    const wanted = { acceptRisks: [{ name: "A" }], mode: "Preflight", version: "5.2.0", image: imageOf("5.2.0") };
    assert.deepEqual(at(getClusterVersion(api), "spec", "desiredUpdate"), wanted);
    assert.equal(api.objects.get(RUNNER), undefined);
    api.objects.delete(REQUEST);
    await reconcileUntilStable(api, { settings });
    assert.deepEqual(at(getClusterVersion(api), "spec", "desiredUpdate"), { acceptRisks: [{ name: "A" }] });
    assert.equal(api.objects.get(RESULT), undefined);
  });

  test("is cleared at once if the operator no longer advertises it", async () => {
    const api = createStore(REQUEST_CONFIG_MAP, clusterVersion(), OPERATOR_OBJECTS);
    await reconcileUntilStable(api, { settings: { useMode: true } });
    api.objects.delete(OPERATOR);
    const [first] = await reconcileOnce(api, { settings: { useMode: true } });
    assert.equal(first, "withdraw spec.desiredUpdate.mode");
    assert.equal(at(getClusterVersion(api), "spec", "desiredUpdate"), undefined);
  });

  test("is never changed if somebody else set it", async () => {
    const api = createStore(REQUEST_CONFIG_MAP, byMode(), OPERATOR_OBJECTS);
    await reconcileUntilStable(api, { settings: { useMode: true } });
    api.objects.delete(REQUEST);
    await reconcileUntilStable(api, { settings: { useMode: true } });
    assert.deepEqual(at(getClusterVersion(api), "spec"), at(byMode(), "spec"));
  });
});
