import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { buildAcknowledgement, noteAbsentAcks } from "../../src/checks/shared/acknowledgements.ts";
import {
  buildPatchCommand,
  buildObjectCommand,
  buildStorageMigration,
  classifyCommands,
  formatObjectArgument,
  quoteArgument,
} from "../../src/model/commands.ts";

const BUDGET = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", namespace: "shop", name: "checkout" } as const;
const NODE = { apiVersion: "v1", kind: "Node", name: "worker-0" } as const;

test("an object's argument names its group, except for the core group", () => {
  assert.equal(formatObjectArgument(BUDGET), "poddisruptionbudget.policy/checkout");
  assert.equal(formatObjectArgument(NODE), "node/worker-0");
});

test("commands use the platform's program and name the namespace", () => {
  assert.equal(
    buildObjectCommand("openshift", "get", BUDGET),
    "oc -n shop get poddisruptionbudget.policy/checkout -o yaml",
  );
  assert.equal(buildObjectCommand("kubernetes", "delete", NODE), "kubectl delete node/worker-0");
  assert.equal(
    buildPatchCommand("kubernetes", BUDGET, { spec: { maxUnavailable: 1 } }),
    `kubectl -n shop patch poddisruptionbudget.policy/checkout --type=merge -p '{"spec":{"maxUnavailable":1}}'`,
  );
});

for (const text of ["plain", "a b", "it's", "$(id)", "`id`", "a>b", "<version>", "", "a\\b", '"', "*", "a;b", "#x"])
  test(`a shell reads ${JSON.stringify(text)} as one argument`, () => {
    const printed = execFileSync("sh", ["-c", `printf %s ${quoteArgument(text)}`], { encoding: "utf8" });
    assert.equal(printed, text);
  });

test("a storage migration writes all objects before it changes status.storedVersions", () => {
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    name: "widgets.storage.example.com",
  };
  assert.deepEqual(buildStorageMigration("kubernetes", crd, ["v1"]), [
    "kubectl get widgets.storage.example.com -A -o json | kubectl replace -f -",
    `kubectl patch customresourcedefinition.apiextensions.k8s.io/widgets.storage.example.com --type=merge -p '{"status":{"storedVersions":["v1"]}}' --subresource=status`,
  ]);
});

test("an acknowledgement creates its ConfigMap only where it is absent", () => {
  const object = { apiVersion: "v1", kind: "ConfigMap", namespace: "openshift-config", name: "admin-acks" };
  const finding = { risk: "AdminAckMissing", object, message: "" };
  const patch = `oc -n openshift-config patch configmap/admin-acks --type=merge -p '{"data":{"ack-4.18-x":"true"}}'`;
  assert.deepEqual(buildAcknowledgement(finding, "openshift", "ack-4.18-x"), [patch]);
  const [absent = finding] = noteAbsentAcks([finding], true);
  assert.deepEqual(buildAcknowledgement(absent, "openshift", "ack-4.18-x"), [
    "oc -n openshift-config create configmap admin-acks",
    patch,
  ]);
});

test("a list of operations is a JSON patch", () => {
  assert.equal(
    buildPatchCommand("openshift", NODE, [{ op: "remove", path: "/spec/a" }]),
    `oc patch node/worker-0 --type=json -p '[{"op":"remove","path":"/spec/a"}]'`,
  );
});

test("commands need a choice if one has a placeholder, and an editor if one edits", () => {
  const lists = [
    ["oc get node/a", "oc adm drain <node-name>"],
    ["oc edit node/a", "oc adm drain <node>"],
    ["oc get node/a", "oc edit node/a"],
    ["oc edit node/a"],
    ["oc get node/a", "oc apply < a > b"],
    ["oc get edit/a"],
    [],
  ];
  const uses = [
    "with a choice",
    "with a choice",
    "in an editor",
    "in an editor",
    "as printed",
    "as printed",
    "as printed",
  ];
  assert.deepEqual(lists.map(classifyCommands), uses);
});

test("an argument is quoted as a whole unless all of it is plain", () => {
  const texts = ["a", "a-1_b%c+d=e:f,g./@h", "a b", " a", "a ", "it's", "", "a\nb"];
  const quoted = ["a", "a-1_b%c+d=e:f,g./@h", "'a b'", "' a'", "'a '", "'it'\\''s'", "''", "'a\nb'"];
  assert.deepEqual(texts.map(quoteArgument), quoted);
});
