import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CLUSTER_VERSION, REQUEST, RUNNER } from "../../src/controller/api/api-paths.ts";
import type { SignatureState } from "../../src/controller/observation.ts";
import { findImageToVerify } from "../../src/controller/signature.ts";
import { listAt, objectAt, textAt } from "../../src/model/json.ts";
import { getClusterVersion, type MemoryApi } from "../support/controller/memory-api.ts";
import {
  createStore,
  observeStore,
  reconcileUntilStable,
  requestFor,
  type Scene,
} from "../support/controller/reconcile.ts";
import { formatConditions } from "../../verify/operator/stage.ts";
import { clusterVersion, imageOf, NOW } from "../../verify/operator/status-sample.ts";

const REQUEST_CONFIG_MAP = requestFor({ to: "5.2.0" });
const ALLOWED = requestFor({ to: "5.2.0", "allow-unverified": "true" });
const PENDING: SignatureState = { kind: "pending" };
const NOT_VERIFIED: SignatureState = { kind: "notVerified", message: "The runner is not started." };
const LATER = new Date(NOW.getTime() + 3_600_000);

function annotationOf(api: MemoryApi): string | undefined {
  return textAt(api.objects.get(RUNNER), "metadata", "annotations", "preflight-signature");
}

function messageOf(api: MemoryApi, type: string): string {
  const conditions = listAt(getClusterVersion(api), "status", "conditions");
  return textAt(conditions.find((one) => textAt(one, "type") === type) ?? {}, "message") ?? "";
}

describe("no Deployment exists without a verified signature", () => {
  test("it waits for the verdict, which is not a failure", async () => {
    const api = createStore(REQUEST_CONFIG_MAP);
    await reconcileUntilStable(api, { signature: PENDING });
    assert.equal(api.objects.get(RUNNER), undefined);
    assert.deepEqual(formatConditions(getClusterVersion(api)).slice(1), [
      "Failed=False AsExpected",
      "Running=False NotStarted",
    ]);
    assert.match(messageOf(api, "PreflightRunning"), /once the signature of the release image is verified/);
  });

  test("it is created once the signature is verified, and the refusal is gone", async () => {
    const api = createStore(REQUEST_CONFIG_MAP);
    await reconcileUntilStable(api, { signature: NOT_VERIFIED });
    assert.equal(api.objects.get(RUNNER), undefined);
    assert.deepEqual(formatConditions(getClusterVersion(api)).slice(1), [
      "Failed=True SignatureNotVerified",
      "Running=False SignatureNotVerified",
    ]);
    await reconcileUntilStable(api);
    assert.equal(annotationOf(api), "verified");
    assert.deepEqual(formatConditions(getClusterVersion(api)).slice(1), [
      "Failed=False AsExpected",
      "Running=True Starting",
    ]);
  });

  test("the request can allow it, which the condition says", async () => {
    const api = createStore(ALLOWED);
    await reconcileUntilStable(api, { signature: NOT_VERIFIED });
    assert.equal(annotationOf(api), "unverified");
    assert.match(messageOf(api, "PreflightRunning"), /allows the release image to run without a verified signature/);
  });

  test("a request by mode needs it, too, even with force", async () => {
    const cluster = clusterVersion();
    const desiredUpdate = { mode: "Preflight", version: "5.2.0", image: "", force: true };
    const api = createStore(undefined, { ...cluster, spec: { ...objectAt(cluster, "spec"), desiredUpdate } });
    await reconcileUntilStable(api, { signature: NOT_VERIFIED });
    assert.equal(api.objects.get(RUNNER), undefined);
  });

  test("what was verified keeps running, whatever a restarted controller finds", async () => {
    const api = createStore(REQUEST_CONFIG_MAP);
    await reconcileUntilStable(api);
    for (const signature of [PENDING, NOT_VERIFIED]) {
      assert.deepEqual(await reconcileUntilStable(api, { signature }), []);
      assert.equal(annotationOf(api), "verified");
    }
  });

  for (const [what, signature] of [
    ["what only the request allowed", "unverified"],
    ["what an earlier release of the controller started", undefined],
    ["what was verified for another image", "verified"],
  ] as const)
    test(`${what} ends once it needs a verified signature`, async () => {
      const api = createStore(REQUEST_CONFIG_MAP);
      await reconcileUntilStable(api);
      const deployment = objectAt(api.objects.get(RUNNER) ?? {});
      const image = { "preflight-target-image": imageOf(signature === "verified" ? "5.1.9" : "5.2.0") };
      const annotations = { ...image, ...(signature ? { "preflight-signature": signature } : {}) };
      api.objects.set(RUNNER, { ...deployment, metadata: { ...objectAt(deployment, "metadata"), annotations } });
      await reconcileUntilStable(api, { signature: NOT_VERIFIED });
      assert.equal(api.objects.get(RUNNER), undefined);
    });
});

describe("a signature is verified only before a Deployment is created", () => {
  const find = async (api: MemoryApi, scene: Scene = {}): Promise<string | undefined> => {
    const { signature: _, ...observation } = await observeStore(api, scene);
    return findImageToVerify(observation, false, scene.now ?? NOW);
  };
  test("for a request", async () => {
    const api = createStore(REQUEST_CONFIG_MAP);
    assert.equal(await find(api), imageOf("5.2.0"));
    await reconcileUntilStable(api);
    assert.equal(await find(api), undefined);
    api.objects.delete(RUNNER);
    assert.equal(await find(api), imageOf("5.2.0"));
  });

  for (const [what, request] of [
    ["without a request", undefined],
    ["for one that allows any image", ALLOWED],
    ["for a target that isn't offered", requestFor({ to: "5.3.0" })],
    ["before its window", requestFor({ to: "5.2.0", "not-before": LATER.toISOString() })],
    ["after its window", requestFor({ to: "5.2.0", until: NOW.toISOString() })],
  ] as const)
    test(`not ${what}`, async () => assert.equal(await find(createStore(request)), undefined));

  test("not during an update, nor after an hour of failure", async () => {
    const api = createStore(REQUEST_CONFIG_MAP);
    await reconcileUntilStable(api, { signature: NOT_VERIFIED });
    assert.equal(await find(api, { now: LATER }), imageOf("5.2.0"));
    await reconcileUntilStable(api, { signature: NOT_VERIFIED, now: LATER });
    assert.equal(await find(api, { now: LATER }), undefined);
    api.objects.set(REQUEST, { ...REQUEST_CONFIG_MAP, metadata: { uid: "another" } });
    assert.equal(await find(api, { now: LATER }), imageOf("5.2.0"));
    const cluster = getClusterVersion(api);
    const history = [{ state: "Partial", version: "5.2.0" }, ...listAt(cluster, "status", "history")];
    api.objects.set(CLUSTER_VERSION, { ...cluster, status: { ...objectAt(cluster, "status"), history } });
    assert.equal(await find(api), undefined);
  });
});
