import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { getRequestState } from "../../src/cli/commands/request/status-facts.ts";
import { formatStatus } from "../../src/cli/commands/request/status-text.ts";
import { CLUSTER_VERSION, REQUEST, RESULT, RUNNER } from "../../src/controller/api/api-paths.ts";
import { getDesiredPreflight } from "../../src/controller/desired-preflight.ts";
import { PROPOSED_UPDATE } from "../../src/lift/objects/cluster-version-edit.ts";
import type { DocumentState } from "../../src/lift/progress/runner-state.ts";
import { findCondition } from "../../src/model/object.ts";
import { at, type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { buildSampleDocument, clusterVersion, NOW, release, risk } from "../../verify/operator/status-sample.ts";
import { formatConditions } from "../../verify/operator/stage.ts";
import { getClusterVersion, type MemoryApi } from "../support/controller/memory-api.ts";
import {
  createStore,
  observeStore,
  reconcileOnce,
  reconcileUntilStable,
  requestFor,
  type Scene,
  SETTINGS,
} from "../support/controller/reconcile.ts";

const SERVING: Scene = { settings: { runner: { ...SETTINGS.runner, servesAnnotation: true } } };
const OFFERED = { available: [release("5.1.2"), release("5.2.0")] };
const FOUND: DocumentState = { kind: "read", document: buildSampleDocument([risk("A")]) };

function annotate(cluster: JsonObject, version: string): JsonObject {
  const metadata = objectAt(cluster, "metadata");
  return { ...cluster, metadata: { ...metadata, annotations: { [PROPOSED_UPDATE]: version } } };
}

function createProposed(version: string, request?: JsonObject): MemoryApi {
  return createStore(request, annotate(clusterVersion(OFFERED), version));
}

describe("the annotation that proposes an update", () => {
  test("is no request unless an administrator switched that on", async () => {
    const api = createProposed("5.2.0");
    assert.deepEqual(await reconcileUntilStable(api), []);
    assert.equal(api.objects.get(RUNNER), undefined);
  });

  test("is a request for its version where it is switched on, and the runner knows it", async () => {
    const api = createProposed("5.2.0");
    assert.deepEqual(await reconcileOnce(api, SERVING), [
      "update ConfigMap preflight-result",
      "apply the runner's Deployment",
      "update the Preflight conditions",
    ]);
    const env = listAt(api.objects.get(RUNNER), "spec", "template", "spec", "containers", 0, "env");
    assert.ok(env.some((one) => textAt(one, "name") === "PREFLIGHT_USE_ANNOTATION" && textAt(one, "value") === "true"));
    assert.deepEqual(at(getClusterVersion(api), "spec"), at(clusterVersion(OFFERED), "spec"), "no update is started");
    await reconcileUntilStable(api, { ...SERVING, document: FOUND });
    assert.equal(formatConditions(getClusterVersion(api))[0], "Completed=True RisksFound");
  });

  test("waits for the signature of its release as any other request", async () => {
    const api = createProposed("5.2.0");
    await reconcileUntilStable(api, { ...SERVING, signature: { kind: "notVerified", message: "no key" } });
    assert.equal(api.objects.get(RUNNER), undefined);
    assert.match(formatConditions(getClusterVersion(api)).join(), /SignatureNotVerified/);
  });

  test("comes after a request and after a mode, and a request that ends gives way to it", async () => {
    const api = createProposed("5.1.2", requestFor({ to: "5.2.0" }));
    const triggerOf = async (): Promise<string> => {
      const desired = getDesiredPreflight(await observeStore(api, SERVING), NOW);
      return desired.kind === "preflight"
        ? `${desired.trigger} ${textAt({ ...desired.request.target }, "version")}`
        : desired.kind;
    };
    assert.equal(await triggerOf(), "request 5.2.0");
    api.objects.delete(REQUEST);
    assert.equal(await triggerOf(), "annotation 5.1.2");
    const cluster = getClusterVersion(api);
    const desiredUpdate = { mode: "Preflight", version: "5.2.0" };
    api.objects.set(CLUSTER_VERSION, { ...cluster, spec: { ...objectAt(cluster, "spec"), desiredUpdate } });
    assert.equal(await triggerOf(), "mode 5.2.0");
  });

  test("that is taken away, or switched off, ends the preflight and leaves nothing", async () => {
    for (const end of ["removed", "off"] as const) {
      const api = createProposed("5.2.0");
      await reconcileUntilStable(api, { ...SERVING, document: FOUND });
      assert.ok(api.objects.has(RESULT) && api.objects.has(RUNNER));
      if (end === "removed") {
        const { annotations: _, ...metadata } = objectAt(getClusterVersion(api), "metadata");
        api.objects.set(CLUSTER_VERSION, { ...getClusterVersion(api), metadata });
      }
      await reconcileUntilStable(api, { ...(end === "off" ? {} : SERVING), document: FOUND });
      assert.deepEqual([api.objects.has(RESULT), api.objects.has(RUNNER)], [false, false], end);
    }
  });

  test("asks for nothing once the cluster runs its version, since nobody takes it away", async () => {
    const running = textAt(clusterVersion(), "status", "history", 0, "version") ?? "";
    assert.deepEqual(await reconcileUntilStable(createProposed(running), SERVING), []);
  });

  test("that is no version is said to be invalid", async () => {
    const api = createProposed("latest");
    await reconcileUntilStable(api, SERVING);
    assert.equal(api.objects.get(RUNNER), undefined);
    const failed = findCondition(getClusterVersion(api), "PreflightFailed");
    assert.deepEqual(
      [textAt(failed, "status"), textAt(failed, "reason"), textAt(failed, "message")],
      [
        "True",
        "RequestInvalid",
        'The annotation agentic.openshift.io/propose-update of ClusterVersion is invalid: "latest" is not a version such as 5.2.0.',
      ],
    );
  });

  test("runs nothing for a version that is not offered", async () => {
    const api = createProposed("5.9.9");
    await reconcileUntilStable(api, SERVING);
    assert.equal(api.objects.get(RUNNER), undefined);
    assert.match(JSON.stringify(listAt(getClusterVersion(api), "status", "conditions")), /5\.9\.9/);
  });

  test("is what status names, once a controller serves it", async () => {
    const api = createProposed("5.2.0");
    const see = () => {
      const input = {
        clusterVersion: getClusterVersion(api),
        result: api.objects.get(RESULT),
        operator: { kind: "absent" },
        controllerPresence: "yes",
        now: NOW,
      } as const;
      return { state: getRequestState(input), text: formatStatus(input) };
    };
    assert.equal(see().state.kind, "none");
    await reconcileOnce(api, SERVING);
    assert.deepEqual(see().state, { kind: "requested", by: "annotation", target: "5.2.0", problem: undefined });
    assert.match(
      see().text,
      /is requested, by the annotation agentic\.openshift\.io\/propose-update of ClusterVersion\./,
    );
  });
});
