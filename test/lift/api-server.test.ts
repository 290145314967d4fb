import assert from "node:assert/strict";
import { dirname } from "node:path/posix";
import { after, before, describe, test } from "node:test";
import { connect } from "../../src/cluster/access/connect.ts";
import { createApiClient } from "../../src/cluster/writer/api-client.ts";
import { CLUSTER_VERSION, CLUSTER_VERSION_CRD_PATH, REQUEST } from "../../src/controller/api/api-paths.ts";
import { buildAcceptEdit } from "../../src/lift/objects/cluster-version-edit.ts";
import { getAcceptedRisks } from "../../src/lift/objects/cluster-version.ts";
import { findRunningVersion } from "../../src/model/cluster-version.ts";
import { getGatedFields } from "../../src/lift/objects/gated-fields.ts";
import { lift } from "../../src/lift/lift.ts";
import { buildCancelEdit, buildRequestEdit, parseRequest } from "../../src/lift/objects/preflight-request.ts";
import { type JsonObject, at, objectAt } from "../../src/model/json.ts";
import { createRandom } from "../../verify/schema/random/random.ts";
import { type ControlPlane, noControlPlane, startCluster } from "../../verify/api-server/control-plane.ts";
import { someCluster, somePreflight } from "../support/lift/generate.ts";
import { createObject, patchObject, readObject } from "../../verify/api-server/objects.ts";
import { ALL_FIELDS, NOW } from "../../verify/operator/status-sample.ts";
import { hasAllCases } from "../support/cases/sample.ts";

/** PREFLIGHT_LIFTED=10000 runs ten thousand. */
const CASES = Number(process.env["PREFLIGHT_LIFTED"] ?? (hasAllCases ? 10_000 : 300));

describe("a 5.0 API server with DevPreview's CRDs", { skip: noControlPlane }, () => {
  let started: ControlPlane | undefined;
  before(async () => {
    started = await startCluster("5.0", "--feature-set", "DevPreviewNoUpgrade");
  });
  after(async () => started?.down());

  const place = (): ControlPlane => started ?? assert.fail("the control plane did not start");
  const read = (): Promise<JsonObject> => readObject(place(), CLUSTER_VERSION);
  const patch = (change: JsonObject): Promise<JsonObject> => patchObject(place(), CLUSTER_VERSION, change);

  test("has the fields that a lift needs", async () => {
    assert.deepEqual(getGatedFields(await readObject(place(), CLUSTER_VERSION_CRD_PATH)), ALL_FIELDS);
  });

  test(`stores ${CASES} lifted statuses unchanged`, async () => {
    const connection = await connect({ env: {}, kubeconfig: started?.kubeconfig ?? "" });
    const api = createApiClient(connection, { userAgent: "preflight-test" });
    const random = createRandom(5);
    const stop = new AbortController().signal;
    const { metadata = null, spec = null, apiVersion = null, kind = null } = await read();
    let version = at(metadata, "resourceVersion") ?? "";
    for (let i = 0; i < CASES; i++) {
      const preflight = somePreflight(random);
      const clusterVersion = someCluster(random, ALL_FIELDS);
      const { status } = lift({ clusterVersion, fields: ALL_FIELDS, now: NOW, ...(preflight ? { preflight } : {}) });
      const name = at(metadata, "name") ?? "";
      const body = { apiVersion, kind, metadata: { name, resourceVersion: version }, spec, status };
      const answer = await api.write({ method: "PUT", path: `${CLUSTER_VERSION}/status`, body }, stop);
      assert.ok(answer.kind === "ok", `status ${i}: ${answer.kind === "ok" ? "" : answer.message}`);
      assert.deepEqual(at(answer.object, "status"), status);
      version = at(answer.object, "metadata", "resourceVersion") ?? "";
    }
    connection.close();
  });

  test("stores accepted risks and nothing else, and reports a conflict if somebody wrote in between", async () => {
    const first = await read();
    const both = buildAcceptEdit(first, ALL_FIELDS, { kind: "change", add: ["A", "B"], remove: [] });
    assert.ok(both.kind === "patch");
    await patch(both.patch);
    await assert.rejects(patch(both.patch), /the object has been modified/);
    const second = await read();
    assert.deepEqual(getAcceptedRisks(second), ["A", "B"]);
    const none = buildAcceptEdit(second, ALL_FIELDS, { kind: "clear" });
    assert.ok(none.kind === "patch");
    await patch(none.patch);
    const last = await read();
    assert.deepEqual(at(last, "spec"), at(first, "spec"));
    assert.equal(findRunningVersion(last), findRunningVersion(first));
  });

  test("stores a request, returns it, and deletes it", async () => {
    const request = { target: { kind: "version", version: "5.2.0" }, until: NOW } as const;
    const change = buildRequestEdit(undefined, request);
    assert.ok(change.kind === "create");
    const made = await createObject(place(), dirname(REQUEST), change.object);
    assert.deepEqual(parseRequest(made), { kind: "request", request });
    assert.deepEqual(buildRequestEdit(made, request), { kind: "unchanged" });
    const { uid, resourceVersion } = objectAt(made, "metadata");
    assert.deepEqual(buildCancelEdit(made), { kind: "delete", preconditions: { uid, resourceVersion } });
  });
});
