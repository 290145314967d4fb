import assert from "node:assert/strict";
import { test } from "node:test";
import { NODES, REQUEST, RESULT, RUNNER } from "../../src/controller/api/api-paths.ts";
import type { ApiClient } from "../../src/cluster/writer/api-client.ts";
import { findCondition } from "../../src/model/object.ts";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import { buildSampleDocument, clusterVersion, NOW, risk } from "../../verify/operator/status-sample.ts";
import { getClusterVersion, type MemoryApi } from "../support/controller/memory-api.ts";
import {
  createStore,
  MISSING,
  reconcileOnce,
  reconcileUntilStable,
  requestFor,
  SETTINGS,
} from "../support/controller/reconcile.ts";
import { formatConditions } from "../../verify/operator/stage.ts";

const NODE = `${NODES}/${SETTINGS.runner.node}`;
const LABELS = { "kubernetes.io/os": "linux", zone: "a" };
const READ = { kind: "read", document: buildSampleDocument([risk("A")]) } as const;

/** A cluster whose controller is on a node with these labels, and a request with this node selector. */
function storeWith(selector: string, labels: JsonObject = LABELS): MemoryApi {
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "node-1", labels } };
  return createStore(requestFor({ to: "5.2.0", "node-selector": selector }), clusterVersion(), { [NODE]: node });
}

for (const selector of ["preflight=", "kubernetes.io/os=linux,zone=b", "zone=a,rack=7,kubernetes.io/os=windows"])
  test(`a request with node selector ${selector} is refused, since the controller's node doesn't match it`, async () => {
    const api = storeWith(selector);
    await reconcileUntilStable(api);
    assert.equal(api.objects.get(RUNNER), undefined);
    assert.deepEqual(formatConditions(getClusterVersion(api)), [
      "Completed=False DocumentMissing",
      "Failed=True Unschedulable",
      "Running=False Unschedulable",
    ]);
    const message = textAt(findCondition(getClusterVersion(api), "PreflightFailed"), "message") ?? "";
    const missing = selector.split(",").filter((label) => !["kubernetes.io/os=linux", "zone=a"].includes(label));
    for (const part of ["node node-1,", `it has no label ${missing.join(", ")}.`, "without --node-selector"])
      assert.ok(message.includes(part), message);
  });

test("a request with a node selector that the controller's node matches runs", async () => {
  const api = storeWith("kubernetes.io/os=linux,zone=a");
  await reconcileUntilStable(api);
  assert.ok(api.objects.has(RUNNER));
  assert.equal(formatConditions(getClusterVersion(api))[1], "Failed=False AsExpected");
});

test("a refused request runs as soon as its selector is dropped, or the node matches", async () => {
  const dropped = storeWith("zone=b");
  await reconcileUntilStable(dropped);
  dropped.objects.set(REQUEST, requestFor({ to: "5.2.0" }));
  await reconcileUntilStable(dropped);
  assert.ok(dropped.objects.has(RUNNER));
  const labelled = storeWith("zone=b");
  await reconcileUntilStable(labelled);
  labelled.objects.set(NODE, { metadata: { name: "node-1", labels: { zone: "b" } } });
  await reconcileUntilStable(labelled);
  assert.ok(labelled.objects.has(RUNNER));
});

test("a node that no longer matches ends the runner, and its last result remains", async () => {
  const api = storeWith("zone=a");
  await reconcileUntilStable(api, { document: READ });
  assert.ok(api.objects.has(RUNNER));
  api.objects.set(NODE, { metadata: { name: "node-1", labels: {} } });
  await reconcileUntilStable(api, { document: READ });
  assert.equal(api.objects.get(RUNNER), undefined);
  assert.match(textAt(api.objects.get(RESULT), "data", "held.json") ?? "", /"A"/);
});

test("is refused before its window begins, and not after its end", async () => {
  const begin = new Date(NOW.getTime() + 60_000);
  const end = new Date(NOW.getTime() + 120_000);
  const api = storeWith("zone=b");
  const window = { "not-before": begin.toISOString(), until: end.toISOString() };
  api.objects.set(REQUEST, requestFor({ to: "5.2.0", "node-selector": "zone=b", ...window }));
  await reconcileUntilStable(api);
  assert.ok(formatConditions(getClusterVersion(api)).includes("Running=False Unschedulable"));
  await reconcileUntilStable(api, { now: end });
  assert.ok(formatConditions(getClusterVersion(api)).includes("Running=False WindowOver"));
});

test("a node that can't be read is left to the scheduler, and a request without a node selector reads none", async () => {
  const paths: string[] = [];
  const play = async (api: MemoryApi): Promise<MemoryApi> => {
    const read: ApiClient["read"] = async (path, signal) => {
      paths.push(path);
      return path === NODE ? { kind: "refused", message: "forbidden" } : api.read(path, signal);
    };
    await reconcileOnce({ ...api, read }, { document: MISSING });
    return api;
  };
  assert.ok((await play(storeWith("zone=b"))).objects.has(RUNNER));
  assert.ok(paths.includes(NODE));
  paths.length = 0;
  await play(createStore(requestFor({ to: "5.2.0" })));
  assert.ok(!paths.includes(NODE));
});
