import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { connect } from "../../src/cluster/access/connect.ts";
import { createApiClient } from "../../src/cluster/writer/api-client.ts";
import { buildAcceptEdit } from "../../src/lift/objects/cluster-version-edit.ts";
import { getAcceptedRisks } from "../../src/lift/objects/cluster-version.ts";
import { findRunningVersion } from "../../src/model/cluster-version.ts";
import { getGatedFields } from "../../src/lift/objects/gated-fields.ts";
import { lift } from "../../src/lift/lift.ts";
import { buildCancelEdit, buildRequestEdit, parseRequest } from "../../src/lift/objects/preflight-request.ts";
import { type Json, type JsonObject, at, isObject, objectAt } from "../../src/model/json.ts";
import { createRandom } from "../../verify/schema/random/random.ts";
import { type ControlPlane, noControlPlane, startCluster } from "../../verify/api-server/control-plane.ts";
import { someCluster, somePreflight } from "../support/lift/generate.ts";
import { ALL_FIELDS, NOW } from "../../verify/operator/status-sample.ts";

/** PREFLIGHT_LIFTED=10000 runs ten thousand. */
const CASES = Number(process.env["PREFLIGHT_LIFTED"] ?? 1_000);

describe("a 5.0 API server with DevPreview's CRDs", { skip: noControlPlane }, () => {
  let started: ControlPlane | undefined;
  before(async () => {
    started = await startCluster("5.0", "--feature-set", "DevPreviewNoUpgrade");
  });
  after(async () => started?.down());

  const kubectl = async (args: readonly string[], input?: object): Promise<string> => {
    const cluster = started ?? assert.fail("the control plane did not start");
    return cluster.kubectl(args, input === undefined ? undefined : JSON.stringify(input));
  };
  const read = async (): Promise<JsonObject> =>
    parse(await kubectl(["get", "clusterversion", "version", "-o", "json"]));
  const patch = (change: JsonObject): Promise<string> =>
    kubectl(["patch", "clusterversion", "version", "--type=merge", `-p=${JSON.stringify(change)}`]);

  test("has the fields that a lift needs", async () => {
    const crd = parse(await kubectl(["get", "crd", "clusterversions.config.openshift.io", "-o", "json"]));
    assert.deepEqual(getGatedFields(crd), ALL_FIELDS);
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
      const path = "/apis/config.openshift.io/v1/clusterversions/version/status";
      const answer = await api.write({ method: "PUT", path, body }, stop);
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
    const made = parse(await kubectl(["create", "-o", "json", "-f", "-"], change.object));
    assert.deepEqual(parseRequest(made), { kind: "request", request });
    assert.deepEqual(buildRequestEdit(made, request), { kind: "unchanged" });
    const { uid, resourceVersion } = objectAt(made, "metadata");
    assert.deepEqual(buildCancelEdit(made), { kind: "delete", preconditions: { uid, resourceVersion } });
  });
});

function parse(text: string): JsonObject {
  const value: Json = JSON.parse(text);
  return isObject(value) ? value : assert.fail("no object");
}
