import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CHECKS_ANNOTATION,
  findCheckedOperator,
  findLeaving,
  isCopied,
  listOwnedKinds,
} from "../../src/model/cluster-service-version.ts";
import type { JsonObject } from "../../src/model/json.ts";

const ANNOTATIONS = { [CHECKS_ANNOTATION]: "checks@sha256:0" };

function csv(metadata: JsonObject, spec: JsonObject = {}, status: JsonObject = {}): JsonObject {
  return { metadata: { namespace: "ns", annotations: ANNOTATIONS, ...metadata }, spec, status };
}

test("a copy has one of OLM's three signs", () => {
  const home = (name: string): JsonObject => ({ annotations: { "olm.operatorNamespace": name } });
  const objects: readonly (readonly [object: JsonObject, isCopy: boolean])[] = [
    [csv({}, {}, { reason: "Copied" }), true],
    [csv({}, {}, { reason: "InstallSucceeded" }), false],
    [csv({ labels: { "olm.copiedFrom": "" } }), true],
    [csv({ labels: { "olm.copied": "other" } }), false],
    [csv(home("ns")), false],
    [csv(home("other")), true],
    [{}, false],
  ];
  assert.deepEqual(
    objects.map(([object]) => isCopied(object)),
    objects.map(([, isCopy]) => isCopy),
  );
});

test("an operator leaves if it is replaced or deleted", () => {
  const deleting = { deletionTimestamp: "2026-01-01T00:00:00Z" };
  const objects = [
    csv({}, {}, { phase: "Deleting" }),
    csv(deleting, {}, { phase: "Succeeded" }),
    csv(deleting, {}, { phase: "Replacing" }),
    csv({}, {}, { phase: "Replacing" }),
    csv({}, {}, { phase: "Succeeded" }),
    {},
  ];
  const expected = ["deleted", "deleted", "deleted", "replaced", undefined, undefined];
  assert.deepEqual(objects.map(findLeaving), expected);
});

test("an operator with checks is found with all that names it, and others are not", () => {
  const metadata = { name: "strimzi.v0.45.0", labels: { "operators.coreos.com/kafka.ns": "" } };
  const spec = { version: "0.45.0", customresourcedefinitions: { owned: [{ name: "kafkas.kafka.strimzi.io" }] } };
  assert.deepEqual(findCheckedOperator(csv(metadata, spec, { phase: "Succeeded" })), {
    namespace: "ns",
    annotated: "ClusterServiceVersion ns/strimzi.v0.45.0",
    package: "kafka",
    version: "0.45.0",
    annotation: "checks@sha256:0",
    kinds: ["kafkas.kafka.strimzi.io"],
  });
  assert.equal(findCheckedOperator(csv({ ...metadata, annotations: {} }, spec)), undefined);
  assert.equal(findCheckedOperator(csv(metadata, spec, { reason: "Copied" })), undefined);
  assert.equal(findCheckedOperator(csv(metadata, spec, { phase: "Replacing" })), undefined);
  assert.deepEqual(findCheckedOperator({ metadata: { annotations: ANNOTATIONS } }), {
    namespace: "",
    annotated: "ClusterServiceVersion /",
    package: "operator",
    version: "of unknown version",
    annotation: "checks@sha256:0",
    kinds: [],
  });
});

test("a version is one short word", () => {
  const versions = ["1.2.3-rc.1+b_2", "v".repeat(64), "v".repeat(65), "1.2 3", " 1.2", "1.2!", "", 1];
  const unknown = "of unknown version";
  assert.deepEqual(
    versions.map((version) => findCheckedOperator(csv({}, { version }))?.version),
    ["1.2.3-rc.1+b_2", "v".repeat(64), ...Array.from({ length: 6 }, () => unknown)],
  );
});

test("the package is that of OLM's label, else the beginning of the name", () => {
  const label = "operators.coreos.com/";
  const packages: readonly (readonly [name: string, labels: readonly string[], text: string])[] = [
    ["a.v1.0.0", [`${label}kafka-operator.ns`, "app"], "kafka-operator"],
    ["a.v1.0.0", [`${label}kafka.b.ns`, `${label}amq.a.ns`], "amq-a"],
    ["a.v1.0.0", [`${label}kafka.other`, "example.com/kafka.ns", "app.ns"], "a"],
    ["strimzi-operator.v0.45.0-1", [], "strimzi-operator"],
    ["etcd.0.1", [], "etcd"],
    ["etcd.v1", [], "etcd"],
    ["My.Vendor", [], "my-vendor"],
    ["__a__b__", [], "a-b"],
    ["___", [], "operator"],
    ["a".repeat(51), [], "a".repeat(50)],
    [`${"a".repeat(49)}-b`, [], "a".repeat(49)],
  ];
  const found = packages.map(([name, labels]) =>
    findCheckedOperator(csv({ name, labels: Object.fromEntries(labels.map((one) => [one, ""])) })),
  );
  assert.deepEqual(
    found.map((operator) => operator?.package),
    packages.map(([, , text]) => text),
  );
});

test("an operator owns kinds of CRDs, and none of the API server's own", () => {
  const owned = [
    "kafkas.kafka.strimzi.io",
    "as.b.io",
    "a1.b-2.c-3.io",
    "as.apps.openshift.io.example.com",
    "as.my.apps.openshift.io",
  ];
  const others = [
    ..."secrets deployments.apps roles.rbac.authorization.k8s.io leases.coordination.k8s.io".split(" "),
    ..."flowschemas.flowcontrol.apiserver.k8s.io routes.route.openshift.io Kafkas.kafka.strimzi.io".split(" "),
    ..."my-kafkas.kafka.strimzi.io kafkas.kafka.strimzi.io/x kafkas.Kafka.io kafkas.kafka.".split(" "),
  ];
  const names = [...owned, ...others].map((name) => ({ name }));
  const spec = { customresourcedefinitions: { owned: [{}, "a", ...names], required: [{ name: "as.c.io" }] } };
  assert.deepEqual(listOwnedKinds(csv({}, spec)), owned);
});
