import assert from "node:assert/strict";
import { test } from "node:test";
import { NAMED, ORIGINS, type Texts, load, writeCheck } from "../support/foreign-checks.ts";

test("what commands of others do at worst follows from verb and field", async () => {
  const rows: readonly (readonly [command: Texts, kind: string])[] = [
    [{ delete: {} }, "disruptive"],
    [{ edit: {} }, "disruptive"],
    [{ scale: { replicas: 0 } }, "disruptive"],
    [{ restart: {} }, "disruptive"],
    [{ label: { labels: { a: "b" } } }, "disruptive"],
    [{ label: { labels: { "pod-security.kubernetes.io/enforce": "privileged" } } }, "weakening"],
    [{ patch: { spec: { a: 1 } } }, "disruptive"],
    [{ patch: { spec: { template: { spec: { securityContext: null } } } } }, "weakening"],
    [{ patch: { spec: { containers: [{ privileged: true }] } } }, "weakening"],
    [{ patch: { spec: { unsupportedConfigOverrides: { a: 1 } } } }, "weakening"],
    [{ patch: { metadata: { finalizers: null } } }, "weakening"],
  ];
  for (const [command, kind] of rows) {
    const { checks, faults } = await load(writeCheck({ fix: [command], fixKind: "safe" }), ORIGINS[0] ?? NAMED);
    assert.ok(faults.every(({ severity }) => severity === "warning") && faults.length > 0);
    const fixKind = checks[0]?.risks[0]?.fixKind;
    assert.ok(typeof fixKind === "function");
    const object = { apiVersion: "v1", kind: "Node", name: "a" };
    assert.equal(fixKind({ risk: "NodeFrozen", object, message: "" }), kind, JSON.stringify(command));
  }
});

test("in a file that the administrator names, an author may say that a command does more harm, but not less", async () => {
  const rows: readonly (readonly [command: Texts, claimed: string | undefined, kind: string])[] = [
    [{ run: "oc get nodes" }, "safe", "safe"],
    [{ run: "oc -n a describe pods" }, undefined, "safe"],
    [{ run: "oc get nodes" }, "disruptive", "disruptive"],
    [{ run: "oc delete node ${object.metadata.name}" }, "safe", "disruptive"],
    [{ run: "oc delete node ${object.metadata.name}" }, "weakening", "weakening"],
    [{ run: "oc adm policy add-cluster-role-to-user cluster-admin x" }, "safe", "weakening"],
    [{ run: `oc patch node a -p '{"spec": {"securityContext": null}}'` }, undefined, "weakening"],
    [{ patch: { spec: { a: 1 } } }, "safe", "disruptive"],
  ];
  for (const [command, claimed, kind] of rows) {
    const { checks, faults } = await load(writeCheck({ fix: [command], ...(claimed && { fixKind: claimed }) }), NAMED);
    const lowered = claimed === "safe" && kind !== "safe";
    assert.deepEqual(
      faults.map(({ severity, place }) => `${severity} ${place}`),
      lowered ? ["warning spec.risks[0].fixKind"] : [],
      JSON.stringify(command),
    );
    const fixKind = checks[0]?.risks[0]?.fixKind;
    assert.ok(typeof fixKind === "function");
    const object = { apiVersion: "v1", kind: "Node", name: "a" };
    assert.equal(fixKind({ risk: "NodeFrozen", object, message: "" }), kind, JSON.stringify(command));
  }
});
