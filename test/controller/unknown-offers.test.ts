import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { request } from "../../src/cli/commands/request/definition.ts";
import { run as runRequest } from "../../src/cli/commands/request/request.ts";
import { formatStatus } from "../../src/cli/commands/request/status-text.ts";
import { formatStatusJson } from "../../src/cli/commands/request/status.ts";
import { parseValues } from "../../src/cli/settings/values.ts";
import { CLUSTER_VERSION, HISTORY, REQUEST, RESULT, RUNNER } from "../../src/controller/api/api-paths.ts";
import { buildRequestEdit } from "../../src/lift/objects/preflight-request.ts";
import { findCondition } from "../../src/model/object.ts";
import { type Json, type JsonObject, listAt, objectAt, parseObject, textAt } from "../../src/model/json.ts";
import { applyMergePatch } from "../../src/cases/patch.ts";
import {
  buildSampleDocument,
  clusterVersion,
  imageOf,
  NOW,
  release,
  RETRIEVED,
  risk,
} from "../../verify/operator/status-sample.ts";
import { createTestIo } from "../support/cli/test-io.ts";
import { startControllerApi } from "../support/controller/controller-api.ts";
import { writeKubeconfig } from "../support/controller/kubeconfig.ts";
import { getClusterVersion, type MemoryApi } from "../support/controller/memory-api.ts";
import {
  createStore,
  reconcileOnce,
  reconcileUntilStable,
  requestFor,
  type Scene,
} from "../support/controller/reconcile.ts";

const REQUESTED = requestFor({ to: "5.2.0" });
const RISK_FOUND: Scene = { document: { kind: "read", document: buildSampleDocument([risk("A")]) } };
const DOWN: JsonObject = {
  ...RETRIEVED,
  status: "False",
  reason: "RemoteFailed",
  message: "Unable to retrieve available updates: the service is down.",
  lastTransitionTime: "2026-03-01T11:58:00Z",
};
const OTHER_IMAGE = imageOf("5.1.9");

/** ClusterVersion as it is seen, with its conditions of before. */
function change(api: MemoryApi, next: JsonObject, spec: JsonObject = {}): void {
  const present = getClusterVersion(api);
  const conditions = findConditions(present, next);
  api.objects.set(CLUSTER_VERSION, {
    ...present,
    metadata: { ...objectAt(present, "metadata"), ...objectAt(next, "metadata") },
    spec: { ...objectAt(present, "spec"), ...spec },
    status: { ...objectAt(present, "status"), ...objectAt(next, "status"), conditions },
  });
}

function findConditions(present: JsonObject, next: JsonObject): readonly JsonObject[] {
  const ours = ["PreflightRunning", "PreflightCompleted", "PreflightFailed"].map((type) =>
    findCondition(present, type),
  );
  const retrieved = findCondition(next, "RetrievedUpdates");
  return [...(retrieved ? [retrieved] : []), ...ours].filter((one) => one !== undefined);
}

const EMPTY = clusterVersion({ available: [], conditions: [RETRIEVED] });
const STALE = { ...EMPTY, metadata: { ...objectAt(EMPTY, "metadata"), generation: 4 } };

/** What is seen in place of a list with 5.2.0, the spec with it, and the sentence about it. */
const DOUBTS: Readonly<Record<string, readonly [JsonObject, JsonObject, string]>> = {
  "the update service is down": [
    clusterVersion({ available: [], conditions: [DOWN] }),
    {},
    "has been unknown since 2026-03-01T11:58:00Z: the cluster-version operator could not retrieve the updates (RetrievedUpdates=False, RemoteFailed: Unable to retrieve available updates: the service is down).",
  ],
  "the operator does not run": [
    STALE,
    {},
    "has been unknown since 2026-03-01T12:00:00Z: ClusterVersion's status doesn't cover its latest spec yet.",
  ],
  "the API server or the operator is too old to report it": [
    clusterVersion({ available: [] }),
    {},
    "has been unknown since 2026-03-01T12:00:00Z: ClusterVersion has no condition RetrievedUpdates.",
  ],
  "the channel changes": [
    EMPTY,
    { channel: "fast-5.1" },
    'has been unknown since 2026-03-01T12:00:00Z: ClusterVersion lists no update since its channel changed from "" to "fast-5.1".',
  ],
  "the update service changes": [
    EMPTY,
    { upstream: "https://osus.example.com/graph" },
    "has been unknown since 2026-03-01T12:00:00Z: ClusterVersion lists no update since its update service changed.",
  ],
};

async function startPreflight(): Promise<MemoryApi> {
  const api = createStore(REQUESTED, clusterVersion({ conditions: [RETRIEVED] }));
  await reconcileUntilStable(api, RISK_FOUND);
  return api;
}

function messageOf(api: MemoryApi, type: string): string {
  const condition = findCondition(getClusterVersion(api), type);
  return `${textAt(condition, "status")} ${textAt(condition, "reason")}: ${textAt(condition, "message")}`;
}

function listHeldRisks({ objects }: MemoryApi): readonly Json[] {
  const risks = listAt(parseObject(textAt(objects.get(RESULT), "data", "held.json") ?? ""), "risks");
  assert.equal(risks.length, 1);
  return risks;
}

function statusInput({ objects }: MemoryApi) {
  const [found, result, history, deployment] = [REQUEST, RESULT, HISTORY, RUNNER].map((path) => objects.get(path));
  const base = { controllerPresence: "yes", operator: { kind: "absent" }, now: NOW } as const;
  return {
    ...base,
    clusterVersion: objects.get(CLUSTER_VERSION) ?? {},
    request: found,
    result,
    history,
    deployment,
  };
}

describe("a preflight that runs goes on with its image, and the conditions and status say why", () => {
  for (const [what, [next, spec, sentence]] of Object.entries(DOUBTS))
    test(`while ${what}`, async () => {
      const api = await startPreflight();
      const runner = api.objects.get(RUNNER);
      const risks = listHeldRisks(api);
      change(api, next, spec);
      const done = await reconcileUntilStable(api, RISK_FOUND);
      assert.deepEqual(done, ["update ConfigMap preflight-result", "update the Preflight conditions"]);
      assert.equal(api.objects.get(RUNNER), runner);
      assert.deepEqual(listHeldRisks(api), risks);
      const doubt = `Whether 5.2.0 is offered ${sentence}`;
      const kept = `The preflight goes on with the image that was offered before: ${imageOf("5.2.0")}.`;
      assert.ok(messageOf(api, "PreflightRunning").endsWith(` ${doubt} ${kept}`), messageOf(api, "PreflightRunning"));
      assert.match(messageOf(api, "PreflightCompleted"), /^True UpdatesNotRetrieved: .*1 risk was found: A\./);
      assert.match(messageOf(api, "PreflightFailed"), /^False AsExpected/);
      assert.ok(formatStatus(statusInput(api)).includes(`\n${doubt} ${kept}\n`));
      assert.deepEqual(JSON.parse(formatStatusJson(statusInput(api))).request.problem, {
        reason: "UpdatesNotRetrieved",
        message: `${doubt} ${kept}`,
      });
      change(api, clusterVersion({ conditions: [RETRIEVED] }));
      await reconcileUntilStable(api, RISK_FOUND);
      assert.match(messageOf(api, "PreflightCompleted"), /^True RisksFound/);
    });

  test("while the channel is changed back before the operator has retrieved anything", async () => {
    const api = await startPreflight();
    for (const [channel, before] of [
      ["fast-5.1", ""],
      ["", "fast-5.1"],
      ["fast-5.1", ""],
    ] as const) {
      change(api, EMPTY, { channel });
      await reconcileUntilStable(api, RISK_FOUND);
      const sentence = `lists no update since its channel changed from "${before}" to "${channel}". The preflight goes on`;
      assert.ok(messageOf(api, "PreflightRunning").includes(sentence), messageOf(api, "PreflightRunning"));
      assert.deepEqual(await reconcileOnce(api, RISK_FOUND), []);
    }
  });

  test("while the controller sees a new channel before the operator does, which then empties the lists", async () => {
    const api = await startPreflight();
    const listed = clusterVersion({ conditions: [RETRIEVED] });
    const generation = { metadata: { generation: 4 } };
    change(api, { ...listed, ...generation }, { channel: "fast-5.1" });
    await reconcileUntilStable(api, RISK_FOUND);
    change(api, { ...EMPTY, ...generation, status: { ...objectAt(EMPTY, "status"), observedGeneration: 4 } });
    await reconcileUntilStable(api, RISK_FOUND);
    assert.match(
      messageOf(api, "PreflightRunning"),
      /since its channel changed from "" to "fast-5\.1"\. The preflight goes/,
    );
  });

  test("and a deleted runner is made again with it, and a deleted record is not needed", async () => {
    const api = await startPreflight();
    change(api, clusterVersion({ available: [], conditions: [DOWN] }));
    api.objects.delete(RUNNER);
    await reconcileUntilStable(api, RISK_FOUND);
    assert.ok(api.objects.has(RUNNER));
    api.objects.delete(RESULT);
    await reconcileUntilStable(api, RISK_FOUND);
    assert.ok(api.objects.has(RUNNER));
  });
});

describe("a preflight that has not started", () => {
  test("waits for the updates, which is not a failure, and starts once they are retrieved", async () => {
    const api = createStore(REQUESTED, clusterVersion({ available: [], conditions: [DOWN] }));
    await reconcileUntilStable(api);
    assert.match(messageOf(api, "PreflightRunning"), /^False UpdatesNotRetrieved: .* has been unknown since /);
    assert.match(messageOf(api, "PreflightFailed"), /^False AsExpected/);
    assert.deepEqual(await reconcileOnce(api, { now: new Date(NOW.getTime() + 7_200_000) }), []);
    change(api, clusterVersion({ conditions: [RETRIEVED] }));
    await reconcileUntilStable(api);
    assert.ok(api.objects.has(RUNNER));
  });

  test("is not pinned before its signature is verified", async () => {
    const api = createStore(REQUESTED, clusterVersion({ conditions: [RETRIEVED] }));
    await reconcileUntilStable(api, { signature: { kind: "notVerified", message: "The signature is missing." } });
    change(api, clusterVersion({ available: [{ version: "5.2.0", image: OTHER_IMAGE }], conditions: [RETRIEVED] }));
    await reconcileUntilStable(api);
    assert.match(JSON.stringify(api.objects.get(RUNNER)), new RegExp(OTHER_IMAGE));
  });
});

describe("an update that is withdrawn", () => {
  test("ends its preflight, and says what was seen", async () => {
    const api = await startPreflight();
    change(api, EMPTY);
    await reconcileUntilStable(api, RISK_FOUND);
    assert.equal(api.objects.get(RUNNER), undefined);
    const sentence =
      "5.0.3 -> 5.2.0: ClusterVersion does not offer 5.2.0: the updates were retrieved (RetrievedUpdates=True), and neither availableUpdates nor conditionalUpdates lists it.";
    assert.equal(messageOf(api, "PreflightFailed"), `True TargetNotOffered: ${sentence}`);
  });

  test("in another channel, too", async () => {
    const api = await startPreflight();
    const others = { available: [release("5.0.9")], conditions: [RETRIEVED] };
    change(api, clusterVersion(others), { channel: "stable-5.0" });
    await reconcileUntilStable(api, RISK_FOUND);
    assert.match(messageOf(api, "PreflightFailed"), /^True TargetNotOffered: .* Its channel is stable-5\.0\.$/);
  });
});

describe("another image for the same version", () => {
  const offerOther = (api: MemoryApi): void =>
    change(api, clusterVersion({ available: [{ version: "5.2.0", image: OTHER_IMAGE }], conditions: [RETRIEVED] }));

  test("is told, and taken by a new request", async () => {
    const api = await startPreflight();
    offerOther(api);
    await reconcileUntilStable(api, RISK_FOUND);
    assert.match(messageOf(api, "PreflightCompleted"), /^True TargetImageChanged: .* now offers 5\.2\.0 as /);
    assert.ok(JSON.stringify(api.objects.get(RUNNER)).includes(imageOf("5.2.0")));
    const present = objectAt(api.objects.get(REQUEST));
    const target = { target: { kind: "version", version: "5.2.0" } } as const;
    const edit = buildRequestEdit(present, target, { now: NOW, isRestart: true });
    assert.ok(edit.kind === "patch");
    api.objects.set(REQUEST, applyMergePatch(present, edit.patch));
    await reconcileUntilStable(api);
    assert.ok(JSON.stringify(api.objects.get(RUNNER)).includes(OTHER_IMAGE));
  });

  test("is also taken by a request of the time when nobody knew what is offered", async () => {
    const api = await startPreflight();
    change(api, clusterVersion({ available: [], conditions: [DOWN] }));
    api.objects.set(REQUEST, { ...REQUESTED, metadata: { uid: "another" } });
    await reconcileUntilStable(api, RISK_FOUND);
    assert.ok(JSON.stringify(api.objects.get(RUNNER)).includes(imageOf("5.2.0")));
    offerOther(api);
    await reconcileUntilStable(api, RISK_FOUND);
    assert.ok(JSON.stringify(api.objects.get(RUNNER)).includes(OTHER_IMAGE));
  });

  test("is the same image if its digest is, in whichever registry", async () => {
    const api = await startPreflight();
    const mirror = imageOf("5.2.0").replace("registry.example", "mirror.example");
    change(api, clusterVersion({ available: [{ version: "5.2.0", image: mirror }], conditions: [RETRIEVED] }));
    const runner = api.objects.get(RUNNER);
    await reconcileUntilStable(api, RISK_FOUND);
    assert.equal(api.objects.get(RUNNER), runner);
    assert.match(messageOf(api, "PreflightCompleted"), /^True RisksFound/);
  });
});

test("request says what the controller says, and takes what is known from a preflight that runs", async () => {
  const server = await startControllerApi();
  const kubeconfig = await writeKubeconfig(server.url);
  const { objects } = server.store;
  const ask = async (to: string): Promise<string> => {
    const written: string[] = [];
    const values = parseValues(request.settings, [], { kubeconfig: kubeconfig.path, to }, undefined);
    await runRequest(values, createTestIo(written)).catch((thrown: unknown) => written.push(String(thrown)));
    return written.join("");
  };
  objects.set(CLUSTER_VERSION, clusterVersion({ available: [], conditions: [DOWN] }));
  assert.match(
    await ask("5.2.0"),
    /Whether 5\.2\.0 is offered has been unknown since 2026-03-01T11:58:00Z: the cluster/,
  );
  objects.set(RESULT, objectAt((await startPreflight()).objects.get(RESULT)));
  assert.match(
    await ask("5.2.0"),
    /Requested a preflight from 5\.0\.3 to 5\.2\.0\.\ninfo: Whether 5\.2\.0 is offered has/,
  );
  assert.match(await ask("5.1.9"), /A release named by its digest \(--to-image\) needs no offer\.$/);
  server.close();
  await kubeconfig.remove();
});
