import assert from "node:assert/strict";
import { test } from "node:test";
import { listKinds, listOwnVersions } from "../../../src/manifests/judges/api-lives.ts";
import { judgeApiVersion } from "../../../src/manifests/judges/api-versions.ts";
import { describeReplacement } from "../../../src/manifests/judges/replacements.ts";
import { TABLE_MINOR } from "../../../src/data-checks/kinds/kind-table.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { ManifestFinding } from "../../../src/model/manifest.ts";

function judge(object: JsonObject, kubernetes = TABLE_MINOR): ManifestFinding | undefined {
  const verdict = judgeApiVersion(object, { platform: "kubernetes", kubernetes });
  return verdict.applies ? verdict.findings[0] : undefined;
}

/** The edits beside that of the apiVersion. */
function listOtherEdits(object: JsonObject): unknown {
  return judge(object)?.edits?.slice(1);
}

test("knows of each version that is gone what to write instead", () => {
  const kinds = [...new Set(listOwnVersions().flatMap(listKinds))];
  const silent = listOwnVersions().flatMap((apiVersion) =>
    kinds
      .map((kind) => ({ apiVersion, kind, finding: judge({ apiVersion, kind }) }))
      .filter(({ finding }) => finding?.risk === "RemovedKubernetesAPIInUse")
      .filter(({ finding }) => /compare its fields/.test(finding?.remedy ?? ""))
      .map(({ kind }) => `${apiVersion} ${kind}`),
  );
  // Nothing says what an alpha version of a policy has that v1 requires.
  assert.deepEqual(silent, [
    "admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicy",
    "admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicyBinding",
  ]);
});

test("says what an old version of a workload left to its defaults", () => {
  const describe = (apiVersion: string, kind: string): string =>
    describeReplacement({ apiVersion, kind, spec: {} }, apiVersion, kind, "apps/v1").remedy;
  assert.match(describe("extensions/v1beta1", "Deployment"), /25% for maxSurge .* 600 for progressDeadlineSeconds/);
  assert.match(describe("apps/v1beta1", "Deployment"), /revisionHistoryLimit is 10, not 2/);
  assert.doesNotMatch(describe("apps/v1beta1", "Deployment"), /maxSurge/);
  assert.equal(describe("apps/v1beta2", "Deployment"), "Write apps/v1: spec.selector is required.");
  assert.match(describe("extensions/v1beta1", "DaemonSet"), /templateGeneration is gone/);
  assert.match(describe("apps/v1beta1", "StatefulSet"), /RollingUpdate, and no longer OnDelete/);
});

function autoscale(type: string, field: string, source: Json, rest: JsonObject = {}): JsonObject {
  const spec = { maxReplicas: 3, metrics: [{ type, [field]: source }] };
  return { apiVersion: "autoscaling/v2beta1", kind: "HorizontalPodAutoscaler", spec, ...rest };
}

const SELECTOR = { matchLabels: { queue: "orders" } };
const WEB = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };

const METRICS: readonly (readonly [type: string, field: string, source: JsonObject, converted: JsonObject])[] = [
  [
    "Resource",
    "resource",
    { name: "cpu", targetAverageUtilization: 60 },
    { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } },
  ],
  [
    "ContainerResource",
    "containerResource",
    { name: "memory", container: "app", targetAverageValue: "1Gi" },
    { name: "memory", container: "app", target: { type: "AverageValue", averageValue: "1Gi" } },
  ],
  [
    "Pods",
    "pods",
    { metricName: "requests", selector: SELECTOR, targetAverageValue: 10 },
    { metric: { name: "requests", selector: SELECTOR }, target: { type: "AverageValue", averageValue: 10 } },
  ],
  [
    "Object",
    "object",
    { target: WEB, metricName: "requests", targetValue: "2k" },
    { describedObject: WEB, metric: { name: "requests" }, target: { type: "Value", value: "2k" } },
  ],
  [
    "External",
    "external",
    { metricName: "depth", metricSelector: SELECTOR, targetValue: 30 },
    { metric: { name: "depth", selector: SELECTOR }, target: { type: "Value", value: 30 } },
  ],
];

test("turns the metrics of an autoscaler into those of v2", () => {
  for (const [type, field, source, value] of METRICS)
    assert.deepEqual(
      listOtherEdits(autoscale(type, field, source)),
      [{ kind: "set", path: ["spec", "metrics", 0, field], value }],
      type,
    );
});

test("leaves the metrics of an autoscaler whose targets v2beta1 doesn't know", () => {
  const wrong: readonly JsonObject[] = [
    autoscale("Resource", "resource", { name: "cpu" }),
    autoscale("Resource", "resource", { name: "cpu", targetAverageUtilization: 60, targetAverageValue: "1" }),
    autoscale("Resource", "resource", { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } }),
    autoscale("Resource", "pods", { metricName: "requests", targetAverageValue: 10 }),
    autoscale("Object", "object", { target: WEB, metricName: "requests", targetValue: 1, averageValue: 1 }),
    autoscale("Object", "object", { target: "web", metricName: "requests", targetValue: 1 }),
    autoscale("Elephants", "resource", { name: "cpu", targetAverageUtilization: 60 }),
    autoscale("Resource", "resource", { name: "cpu", targetAverageUtilization: 60 }, { status: {} }),
  ];
  for (const object of wrong) assert.equal(judge(object)?.edits, undefined, JSON.stringify(object));
});

test("changes the version of an EndpointSlice that has no topology alone", () => {
  const slice = (endpoint: JsonObject): JsonObject => ({
    apiVersion: "discovery.k8s.io/v1beta1",
    kind: "EndpointSlice",
    endpoints: [{ addresses: ["192.0.2.1"] }, endpoint],
  });
  assert.deepEqual(listOtherEdits(slice({ addresses: ["192.0.2.2"], nodeName: "a" })), []);
  assert.equal(judge(slice({ addresses: ["192.0.2.2"], topology: {} }))?.edits, undefined);
});

test("renames the groups of an access review", () => {
  const review = { apiVersion: "authorization.k8s.io/v1beta1", kind: "SubjectAccessReview" };
  const rename = { kind: "rename", path: ["spec", "group"], to: "groups" };
  assert.deepEqual(listOtherEdits({ ...review, spec: { user: "ada", group: ["dev"] } }), [rename]);
  assert.deepEqual(listOtherEdits({ ...review, spec: { user: "ada" } }), []);
});

test("changes the version of webhooks that say all that has no default any more, or another", () => {
  const whole = {
    name: "a.example.com",
    failurePolicy: "Ignore",
    matchPolicy: "Exact",
    timeoutSeconds: 30,
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
  };
  const configure = (...webhooks: readonly JsonObject[]): JsonObject => ({
    apiVersion: "admissionregistration.k8s.io/v1beta1",
    kind: "ValidatingWebhookConfiguration",
    webhooks,
  });
  assert.deepEqual(listOtherEdits(configure(whole, { ...whole, name: "b.example.com" })), []);
  assert.equal(judge(configure(whole, whole))?.edits, undefined);
  for (const field of ["failurePolicy", "matchPolicy", "timeoutSeconds", "sideEffects", "admissionReviewVersions"])
    assert.equal(judge(configure({ ...whole, [field]: undefined }))?.edits, undefined, field);
  assert.equal(judge(configure({ ...whole, sideEffects: "Unknown" }))?.edits, undefined);
});
