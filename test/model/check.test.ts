import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Finding,
  buildCheckName,
  buildContext,
  formatTarget,
  getRemediation,
  getUnknownRiskName,
  isOn,
  sortFindings,
} from "../../src/model/check.ts";
import { getFixKind } from "../../src/model/commands.ts";
import { isHosted } from "../../src/model/infrastructure.ts";
import {
  each,
  eachMetadata,
  get,
  onlyOn,
  query,
  raw,
  soundInPart,
  valuesOf,
  withAnnotations,
  withManagedFields,
} from "../../src/model/read.ts";
import { buildConfigMapRef, buildNodeRef } from "../../src/model/resource.ts";
import { release, version } from "../support/fixtures.ts";

const NOW = new Date(0);

test("a check has the name of its id, and is on OpenShift unless it says otherwise", () => {
  assert.deepEqual(["my-check", "a", "crd-v1-skew"].map(buildCheckName), ["MyCheck", "A", "CrdV1Skew"]);
  assert.equal(getUnknownRiskName({ name: "MyCheck" }), "MyCheckUnknown");
  assert.deepEqual([isOn("openshift", {}), isOn("kubernetes", {})], [true, false]);
  assert.equal(isOn("kubernetes", { platforms: ["kubernetes"] }), true);
});

test("a context has the minors of Kubernetes and the kind of the update", () => {
  const openShift = buildContext(version("4.18.1"), release("4.19.2"), NOW);
  assert.deepEqual(
    [openShift.platform, openShift.kubernetes, openShift.update, formatTarget(openShift)],
    ["openshift", { source: 31, target: 32 }, "minor", "4.19.2 (Kubernetes 1.32)"],
  );
  const kubernetes = buildContext(version("1.33.1"), release("1.33.2"), NOW, "kubernetes");
  assert.deepEqual(
    [kubernetes.platform, kubernetes.kubernetes, kubernetes.update, formatTarget(kubernetes)],
    ["kubernetes", { source: 33, target: 33 }, "patch", "Kubernetes 1.33.2"],
  );
  const remediation = (context?: { readonly platform: string }): string => `On ${context?.platform ?? "any"}.`;
  const texts = [getRemediation({ remediation }, kubernetes), getRemediation({ remediation })];
  assert.deepEqual([...texts, getRemediation({ remediation: "R." })], ["On kubernetes.", "On any.", "R."]);
});

test("findings are in the order of object, path, risk and message", () => {
  const a = buildNodeRef("a");
  const b = buildNodeRef("b");
  const findings: readonly Finding[] = [
    { object: buildConfigMapRef("n", "z"), risk: "Z", message: "z" },
    { object: a, risk: "B", message: "b" },
    { object: a, path: "a", risk: "A", message: "b" },
    { object: a, path: "a", risk: "B", message: "a" },
    { object: a, path: "a", risk: "B", message: "b" },
    { object: a, path: "b", risk: "A", message: "a" },
    { object: b, risk: "A", message: "a" },
  ];
  assert.deepEqual(sortFindings(findings.toReversed()), findings);
});

test("a kind of a fix may depend on the finding", () => {
  assert.equal(getFixKind("safe", 1), "safe");
  assert.equal(
    getFixKind((finding: number) => (finding > 1 ? "weakening" : "disruptive"), 2),
    "weakening",
  );
});

test("a read says what it asks for", () => {
  const keep = (): number => 1;
  const pods = { group: "", version: "v1", resource: "pods" };
  assert.deepEqual(get("v1/pods", "ns/a", keep), { kind: "get", resource: pods, namespace: "ns", name: "a", keep });
  assert.deepEqual(get("v1/pods", "a", keep), { kind: "get", resource: pods, name: "a", keep });
  assert.throws(() => get("v1/pods", "ns/", keep), new Error("ns/ names no object"));
  const list = { kind: "each", resource: pods, keep };
  assert.deepEqual([each("v1/pods", keep), each(pods, keep)], [list, list]);
  assert.deepEqual(eachMetadata(pods, keep), { ...list, isMetadataOnly: true });
  assert.deepEqual(soundInPart("namespace", each(pods, keep)), { ...list, soundInPart: "namespace" });
  assert.deepEqual(withManagedFields(each(pods, keep)), { ...list, readsManagedFields: true });
  assert.deepEqual(withAnnotations(["a"], each(pods, keep)), { ...list, annotations: ["a"] });
  assert.deepEqual(onlyOn("openshift", each(pods, keep)), { ...list, only: "openshift" });
  assert.deepEqual(query("up"), { kind: "query", expression: "up" });
  const { isRelevant, ...read } = raw("/version", keep);
  assert.deepEqual([read, isRelevant("")], [{ kind: "raw", path: "/version", keep }, true]);
  assert.deepEqual(valuesOf({ kind: "found", values: [1] }), [1]);
  assert.deepEqual(valuesOf({ kind: "absent", what: "resource" }), []);
});

test("a cluster is hosted if its control plane is external", () => {
  const topologies = ["External", "HighlyAvailable", ""].map((value) => isHosted({ kind: "found", value }));
  assert.deepEqual([...topologies, isHosted({ kind: "absent", what: "object" })], [true, false, false, false]);
  assert.deepEqual(buildNodeRef("a"), { apiVersion: "v1", kind: "Node", name: "a" });
  assert.deepEqual(buildConfigMapRef("n", "a"), { apiVersion: "v1", kind: "ConfigMap", namespace: "n", name: "a" });
});
