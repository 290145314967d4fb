import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  CLUSTER_VERSION,
  HISTORY,
  OPERATOR_LEASE_PATH,
  REQUEST,
  RESULT,
  RUNNER,
} from "../../src/controller/api/api-paths.ts";
import { awaitsOperator } from "../../src/controller/controller.ts";
import type { DocumentState } from "../../src/lift/progress/runner-state.ts";
import { at, type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import {
  clusterVersion,
  buildSampleDocument,
  imageOf,
  NOW,
  release,
  RETRIEVED,
  risk,
} from "../../verify/operator/status-sample.ts";
import { getClusterVersion, type MemoryApi } from "../support/controller/memory-api.ts";
import {
  reconcileOnce,
  requestFor,
  type Scene,
  reconcileUntilStable,
  createStore,
} from "../support/controller/reconcile.ts";
import { listRiskNames, formatConditions } from "../../verify/operator/stage.ts";

const REQUEST_CONFIG_MAP = requestFor({ to: "5.2.0" });
const RISK_FOUND: DocumentState = { kind: "read", document: buildSampleDocument([risk("A")]) };
const PUBLISH = "update ConfigMap preflight-result";
const REMEMBER = "update ConfigMap preflight-history";
const MAKE = "apply the runner's Deployment";
const DELETE = "delete the runner's Deployment";
const SAY = "update the Preflight conditions";
const LATER = new Date(NOW.getTime() + 3_600_000);

describe("the plan", () => {
  test("without a request: no action", async () => {
    assert.deepEqual(await reconcileOnce(createStore(undefined)), []);
  });

  test("for a request: writes the result, the Deployment and the conditions, and then nothing more", async () => {
    const api = createStore(REQUEST_CONFIG_MAP);
    assert.deepEqual(await reconcileOnce(api), [PUBLISH, MAKE, SAY]);
    assert.equal(
      textAt(api.objects.get(RUNNER), "spec", "template", "spec", "initContainers", 0, "image"),
      imageOf("5.2.0"),
    );
    await reconcileUntilStable(api);
    assert.deepEqual(await reconcileOnce(api), []);
    assert.deepEqual(formatConditions(getClusterVersion(api)), [
      "Completed=False DocumentMissing",
      "Failed=False AsExpected",
      "Running=True Starting",
    ]);
  });

  test("for a document: publishes it, adds it to the history, and writes only conditions of ClusterVersion", async () => {
    const api = createStore(REQUEST_CONFIG_MAP);
    await reconcileUntilStable(api);
    const { conditions: _, ...before } = objectAt(getClusterVersion(api), "status");
    assert.deepEqual(await reconcileOnce(api, { document: RISK_FOUND }), [PUBLISH, REMEMBER, SAY]);
    const { conditions, ...after } = objectAt(getClusterVersion(api), "status");
    assert.deepEqual(after, before);
    assert.ok(conditions);
    assert.match(textAt(api.objects.get(RESULT), "data", "proposal.json") ?? "", /5\.0\.3 -> 5\.2\.0: A is wrong/);
    assert.deepEqual(await reconcileUntilStable(api, { document: RISK_FOUND }), []);
  });

  test("with --write-status: writes risks to the status, and removes them with the request", async () => {
    const scene: Scene = { document: RISK_FOUND, settings: { writeStatus: true } };
    const api = createStore(REQUEST_CONFIG_MAP);
    await reconcileUntilStable(api, scene);
    assert.deepEqual(listRiskNames(objectAt(getClusterVersion(api), "status"), "5.2.0"), ["A"]);
    api.objects.delete(REQUEST);
    await reconcileUntilStable(api, scene);
    assert.deepEqual(at(getClusterVersion(api), "status"), at(clusterVersion(), "status"));
    assert.deepEqual([...api.objects.keys()].toSorted(), [CLUSTER_VERSION, HISTORY].toSorted());
  });

  for (const [what, held, isWritten] of [
    ["a running operator", lease("operator", NOW), false],
    ["a lease without a holder", lease("", NOW), true],
    ["an expired lease", lease("operator", new Date(NOW.getTime() - 138_000)), true],
    ["a lease without times", { spec: { holderIdentity: "operator" } }, false],
  ] as const) {
    test(`with --write-status and ${what}: ${isWritten ? "writes" : "does not write"} the status`, async () => {
      const api = createStore(REQUEST_CONFIG_MAP, clusterVersion(), { [OPERATOR_LEASE_PATH]: held });
      await reconcileUntilStable(api, { document: RISK_FOUND, settings: { writeStatus: true } });
      assert.equal(listRiskNames(objectAt(getClusterVersion(api), "status"), "5.2.0") !== undefined, isWritten);
    });
  }

  test("with --write-status and an unreadable lease: does not write the status", async () => {
    const api = createStore(REQUEST_CONFIG_MAP);
    const blind: MemoryApi = {
      ...api,
      read: async (path, signal) =>
        path === OPERATOR_LEASE_PATH ? { kind: "refused", message: "forbidden" } : api.read(path, signal),
    };
    await reconcileUntilStable(blind, { document: RISK_FOUND, settings: { writeStatus: true } });
    assert.equal(listRiskNames(objectAt(getClusterVersion(api), "status"), "5.2.0"), undefined);
  });

  test("if status.conditions has a single owner: keeps the list and adds the Preflight conditions", async () => {
    const others = [
      { type: "Available", status: "True", reason: "Done", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" },
    ];
    const api = createStore(REQUEST_CONFIG_MAP, clusterVersion({ conditions: others }));
    const scene: Scene = { fields: NO_FIELDS };
    await reconcileUntilStable(api, scene);
    const types = (): readonly unknown[] =>
      listAt(getClusterVersion(api), "status", "conditions").map((one) => at(one, "type"));
    assert.deepEqual(types(), ["Available", "PreflightRunning", "PreflightCompleted", "PreflightFailed"]);
    api.objects.delete(REQUEST);
    await reconcileUntilStable(api, scene);
    assert.deepEqual(types(), ["Available"]);
  });

  test("for another target: deletes the first Deployment before creating the second", async () => {
    const api = createStore(REQUEST_CONFIG_MAP, clusterVersion({ available: [release("5.2.0"), release("5.1.9")] }));
    await reconcileUntilStable(api, { document: RISK_FOUND });
    api.objects.set(REQUEST, requestFor({ to: "5.1.9" }));
    assert.deepEqual(await reconcileOnce(api, { document: RISK_FOUND }), [PUBLISH, DELETE, MAKE, SAY]);
    assert.deepEqual(formatConditions(getClusterVersion(api))[0], "Completed=False OtherTarget");
    assert.doesNotMatch(textAt(api.objects.get(RESULT), "data", "proposal.json") ?? "", /"A"/);
  });

  test("for an update that starts: removes everything, the request last", async () => {
    const api = createStore(REQUEST_CONFIG_MAP);
    await reconcileUntilStable(api, { document: RISK_FOUND });
    const cluster = getClusterVersion(api);
    const history = [{ ...objectAt(listAt(cluster, "status", "history")[0]), state: "Partial", completionTime: null }];
    api.objects.set(CLUSTER_VERSION, { ...cluster, status: { ...objectAt(cluster, "status"), history } });
    const done = await reconcileUntilStable(api, { document: RISK_FOUND });
    assert.deepEqual(done, [DELETE, "remove the Preflight conditions", "delete the result", "delete the request"]);
    assert.deepEqual([...api.objects.keys()].toSorted(), [CLUSTER_VERSION, HISTORY].toSorted());
  });

  test("for a target that isn't offered: runs nothing and reports it", async () => {
    const api = createStore(requestFor({ to: "5.3.0" }), clusterVersion({ conditions: [RETRIEVED] }));
    assert.deepEqual(await reconcileUntilStable(api), [PUBLISH, SAY]);
    assert.deepEqual(formatConditions(getClusterVersion(api)), [
      "Completed=False DocumentMissing",
      "Failed=True TargetNotOffered",
      "Running=False TargetNotOffered",
    ]);
  });

  test("for a target that is no longer offered: deletes its runner", async () => {
    const api = createStore(REQUEST_CONFIG_MAP);
    await reconcileUntilStable(api);
    api.objects.set(CLUSTER_VERSION, clusterVersion({ available: [], conditions: [RETRIEVED] }));
    assert.ok((await reconcileUntilStable(api)).includes(DELETE));
  });

  test("for an invalid request: runs nothing and reports it", async () => {
    const api = createStore(requestFor({ to: "five" }));
    assert.deepEqual(await reconcileUntilStable(api), [SAY]);
    assert.deepEqual(formatConditions(getClusterVersion(api))[1], "Failed=True RequestInvalid");
  });

  test("for a window: runs the runner only within it, and keeps the result afterwards", async () => {
    const end = new Date(LATER.getTime() + 60_000);
    const api = createStore(requestFor({ to: "5.2.0", "not-before": LATER.toISOString(), until: end.toISOString() }));
    assert.deepEqual(await reconcileUntilStable(api), [PUBLISH, SAY]);
    assert.ok(formatConditions(getClusterVersion(api)).includes("Running=False WindowNotBegun"));
    assert.ok((await reconcileUntilStable(api, { now: LATER })).includes(MAKE));
    const document: DocumentState = {
      kind: "read",
      document: buildSampleDocument([risk("A")], { observedAt: LATER.toISOString(), validUntil: end.toISOString() }),
    };
    await reconcileUntilStable(api, { now: LATER, document });
    assert.ok((await reconcileUntilStable(api, { now: end, document })).includes(DELETE));
    assert.ok(formatConditions(getClusterVersion(api)).includes("Running=False WindowOver"));
    assert.match(textAt(api.objects.get(RESULT), "data", "held.json") ?? "", /"A"/);
  });

  test("after an hour of failure: deletes the runner, and reports the cause until a new request", async () => {
    const api = createStore(REQUEST_CONFIG_MAP);
    const broken: DocumentState = { kind: "invalid", problems: ["document: is no JSON"] };
    await reconcileUntilStable(api);
    await reconcileUntilStable(api, { document: broken });
    assert.ok(formatConditions(getClusterVersion(api)).includes("Failed=True DocumentInvalid"));
    assert.ok((await reconcileUntilStable(api, { document: broken, now: LATER })).includes(DELETE));
    assert.ok(formatConditions(getClusterVersion(api)).includes("Failed=True DocumentInvalid"));
    assert.ok(formatConditions(getClusterVersion(api)).includes("Running=False DocumentInvalid"));
    assert.equal(api.objects.get(RUNNER), undefined);
    assert.deepEqual(
      await reconcileUntilStable(api, { document: broken, now: new Date(LATER.getTime() + 7_200_000) }),
      [],
    );
    api.objects.set(REQUEST, {
      ...REQUEST_CONFIG_MAP,
      metadata: { ...objectAt(REQUEST_CONFIG_MAP, "metadata"), uid: "another" },
    });
    assert.ok((await reconcileUntilStable(api, { document: MISSING_NOW, now: LATER })).includes(MAKE));
  });

  test("for a Deployment that somebody else created: leaves it alone and reports it", async () => {
    const theirs = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "cluster-version-operator-preflight" },
    };
    const api = createStore(REQUEST_CONFIG_MAP, clusterVersion(), { [RUNNER]: theirs });
    assert.deepEqual(await reconcileUntilStable(api), [PUBLISH, SAY]);
    assert.ok(formatConditions(getClusterVersion(api)).includes("Failed=True DeploymentRefused"));
    api.objects.delete(REQUEST);
    await reconcileUntilStable(api);
    assert.ok(api.objects.has(RUNNER));
  });

  test("for a Deployment that the API server rejects: reports it", async () => {
    const api = createStore(REQUEST_CONFIG_MAP);
    api.faults.set(RUNNER, { kind: "refused", message: "exceeded quota" });
    assert.deepEqual(await reconcileOnce(api), [PUBLISH, MAKE, SAY]);
    await reconcileOnce(api, { outcomes: { deploymentRefusal: "exceeded quota" } });
    assert.ok(formatConditions(getClusterVersion(api)).includes("Failed=True DeploymentRefused"));
  });
});

const MISSING_NOW: DocumentState = { kind: "missing" };
const NO_FIELDS = {
  mode: false,
  acceptRisks: false,
  conditionalUpdateRisks: false,
  riskNames: false,
  riskConditions: false,
};

function lease(holder: string, renewed: Date): JsonObject {
  return { spec: { holderIdentity: holder, leaseDurationSeconds: 137, renewTime: renewed.toISOString() } };
}

test("a controller that writes the status waits for the operator that removes our risks, and removes them itself once its lease expires", async () => {
  const settings = { writeStatus: true } as const;
  const api = createStore(REQUEST_CONFIG_MAP);
  await reconcileUntilStable(api, { document: RISK_FOUND, settings });
  const held = { spec: { holderIdentity: "operator", renewTime: NOW.toISOString(), leaseDurationSeconds: 137 } };
  api.objects.set(OPERATOR_LEASE_PATH, held);
  api.objects.delete(REQUEST);
  await reconcileUntilStable(api, { settings });
  const names = (): unknown => listRiskNames(objectAt(getClusterVersion(api), "status"), "5.2.0");
  assert.deepEqual(names(), ["A"]);
  assert.equal(awaitsOperator({ clusterVersion: getClusterVersion(api) }, settings), true);
  await reconcileUntilStable(api, { settings, now: LATER });
  assert.equal(names(), undefined);
  assert.equal(awaitsOperator({ clusterVersion: getClusterVersion(api) }, settings), false);
});
