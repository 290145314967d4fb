import assert from "node:assert/strict";
import { test } from "node:test";
import { createBuiltInJudge } from "../../../src/manifests/judges/built-in-judge.ts";
import { formatManifestPath } from "../../../src/model/manifest.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { loadValidObjects } from "../../support/manifests/valid-objects.ts";

/** "refused spec.replicas", "later apiVersion", "LaterRelease spec.new". */
function judge(object: JsonObject, kubernetes = 36): readonly string[] {
  const verdict = createBuiltInJudge({ platform: "kubernetes", kubernetes })(object);
  if (!verdict.applies) return ["not judged"];
  return [
    ...verdict.findings.map(({ effect, path }) => `${effect} ${formatManifestPath(path)}`),
    ...verdict.unknowns.map(({ reason, path }) => `${reason} ${formatManifestPath(path)}`),
  ];
}

test("finds nothing in objects that are right", async () => {
  const valid = await loadValidObjects();
  assert.ok(valid.length > 40, `${valid.length} objects`);
  for (const object of valid) assert.deepEqual(judge(object), [], JSON.stringify(object).slice(0, 100));
});

const pod = (spec: JsonObject): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "a" },
  spec: { containers: [{ name: "a", image: "a" }], ...spec },
});

test("knows since and until when there is a field", () => {
  assert.deepEqual(judge(pod({ schedulingGates: [{ name: "a.b/c" }] }), 25), ["dropped spec.schedulingGates"]);
  assert.deepEqual(judge(pod({ schedulingGates: [{ name: "a.b/c" }] }), 26), []);
  const claim = { name: "gpu", source: { resourceClaimName: "gpu" } };
  assert.deepEqual(judge(pod({ resourceClaims: [claim] }), 30), []);
  assert.deepEqual(judge(pod({ resourceClaims: [claim] }), 31), ["dropped spec.resourceClaims[0].source"]);
  assert.deepEqual(judge(pod({ podGroup: "a" }), 36), ["dropped spec.podGroup"]);
  assert.deepEqual(judge(pod({ podGroup: "a" }), 37), ["LaterRelease spec.podGroup"]);
  assert.deepEqual(judge(pod({ dnsPolicy: "New" }), 37), ["LaterRelease spec.dnsPolicy"]);
});

function listEdits(object: JsonObject): unknown {
  const verdict = createBuiltInJudge({ platform: "kubernetes", kubernetes: 36 })(object);
  return verdict.applies ? verdict.findings.flatMap(({ edits = [] }) => edits) : assert.fail();
}

test("edits what can mean one thing only", () => {
  assert.deepEqual(listEdits(pod({ HostNetwork: true })), [
    { kind: "rename", path: ["spec", "HostNetwork"], to: "hostNetwork" },
  ]);
  assert.deepEqual(listEdits(pod({ HostNetwork: true, hostNetwork: true })), []);
  assert.deepEqual(listEdits(pod({ hostNetwork: "true" })), [
    { kind: "set", path: ["spec", "hostNetwork"], value: true },
  ]);
  assert.deepEqual(listEdits(pod({ terminationGracePeriodSeconds: "30" })), [
    { kind: "set", path: ["spec", "terminationGracePeriodSeconds"], value: 30 },
  ]);
  assert.deepEqual(listEdits(pod({ terminationGracePeriodSeconds: "030" })), []);
  assert.deepEqual(listEdits(pod({ restartPolicy: "always" })), [
    { kind: "set", path: ["spec", "restartPolicy"], value: "Always" },
  ]);
  assert.deepEqual(listEdits(pod({ restartPolicy: "Alway" })), []);
});

test("judges no field of what the target doesn't serve, nor any of a CRD", () => {
  const job = { apiVersion: "batch/v1beta1", kind: "CronJob", spec: { wrong: 1 } };
  assert.deepEqual(judge(job), ["refused apiVersion"]);
  const definition = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", spec: 1 };
  assert.deepEqual(judge(definition), ["not judged"]);
});
