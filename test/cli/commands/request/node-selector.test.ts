import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { run } from "../../../../src/cli/commands/request/request.ts";
import { request } from "../../../../src/cli/commands/request/definition.ts";
import { parseValues } from "../../../../src/cli/settings/values.ts";
import { CLUSTER_VERSION, CONTROLLER_LEASE, LEASES, NODES } from "../../../../src/controller/api/api-paths.ts";
import type { JsonObject } from "../../../../src/model/json.ts";
import { clusterVersion } from "../../../../verify/operator/status-sample.ts";
import { buildFailure, type FakeResponse, startFakeCluster } from "../../../support/cli/fake-cluster.ts";
import { createTestIo } from "../../../support/cli/test-io.ts";

const SELECTOR = "preflight=,zone=a";

/** What `request --node-selector` writes in a cluster in which no controller runs in a pod. */
async function requestIn(t: TestContext, nodes: FakeResponse): Promise<readonly string[]> {
  const kubeconfig = await startFakeCluster(t, (path, method) => {
    if (method !== "GET") return { code: 201, body: {} };
    if (path === CLUSTER_VERSION) return { code: 200, body: clusterVersion() };
    if (path === `${LEASES}/${CONTROLLER_LEASE}`) return { code: 403, body: buildFailure(403, "Forbidden", "no") };
    return path === NODES ? nodes : undefined;
  });
  const written: string[] = [];
  const flags = { kubeconfig, to: "5.2.0", "node-selector": SELECTOR };
  await run(parseValues(request.settings, [], flags, undefined), createTestIo(written));
  return written.slice(0, 2);
}

function buildList(items: readonly JsonObject[], metadata: JsonObject = {}): FakeResponse {
  return { code: 200, body: { apiVersion: "v1", kind: "NodeList", metadata, items: [...items] } };
}

const REQUESTED = "Requested a preflight from 5.0.3 to 5.2.0.\n";
const NOT_CHECKED = `warning: Whether a node has the labels ${SELECTOR} was not checked: `;

test("a node selector that no node matches is told before the request is", async (t) => {
  const none = `warning: No node has the labels ${SELECTOR}. The runner does not start before the controller's node has them.\n`;
  assert.deepEqual(await requestIn(t, buildList([])), [none, REQUESTED]);
});

test("a node selector that a node matches is not mentioned", async (t) => {
  const nodes = buildList([{ metadata: { name: "node-1" } }]);
  assert.equal((await requestIn(t, nodes))[0], REQUESTED);
});

test("nodes that can't be read are not taken for none", async (t) => {
  const refused = await requestIn(t, { code: 403, body: buildFailure(403, "Forbidden", "nodes is forbidden") });
  assert.ok(refused[0]?.startsWith(NOT_CHECKED), refused[0]);
  assert.match(refused[0] ?? "", /nodes is forbidden\n$/);
  const cut = await requestIn(t, buildList([], { continue: "more" }));
  assert.ok(cut[0]?.startsWith(NOT_CHECKED), cut[0]);
  assert.match(cut[0] ?? "", /a list that is not whole: it says that more objects follow/);
  assert.equal(cut[1], REQUESTED);
});
