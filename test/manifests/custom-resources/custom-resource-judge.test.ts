import assert from "node:assert/strict";
import { test } from "node:test";
import { createCrdCatalog } from "../../../src/manifests/custom-resources/crd-catalog.ts";
import { createCustomResourceJudge } from "../../../src/manifests/custom-resources/custom-resource-judge.ts";
import { parseCrd } from "../../../src/model/crd.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { ManifestFinding } from "../../../src/model/manifest.ts";

function listFindings(versions: readonly JsonObject[], version: string): readonly ManifestFinding[] {
  const crd = parseCrd({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "plans.example.com" },
    spec: { group: "example.com", scope: "Cluster", names: { kind: "Plan", plural: "plans" }, versions },
  });
  const judge = createCustomResourceJudge(createCrdCatalog(crd === undefined ? [] : [crd], []), 36);
  const verdict = judge({ apiVersion: `example.com/${version}`, kind: "Plan", metadata: { name: "a" } });
  assert.ok(verdict.applies);
  return verdict.findings;
}

const version = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: name === "v1",
  schema: { openAPIV3Schema: { type: "object" } },
  ...more,
});

test("a deprecated version is taken, and goes later", () => {
  const old = version("v1beta1", { deprecated: true, deprecationWarning: "use v1" });
  assert.deepEqual(listFindings([version("v1"), old], "v1"), []);
  assert.deepEqual(listFindings([version("v1"), old], "v1beta1"), [
    {
      risk: "CrdVersionDeprecated",
      effect: "later",
      path: ["apiVersion"],
      message: "The target's CRD plans.example.com deprecates v1beta1: use v1.",
      remedy: "Write apiVersion: example.com/v1: its fields are the same.",
      edits: [{ kind: "set", path: ["apiVersion"], value: "example.com/v1" }],
    },
  ]);
});

test("a version that is not served is not mended by one that is deprecated", () => {
  const gone = version("v1alpha1", { served: false });
  const old = version("v1beta1", { deprecated: true });
  const other = version("v1", {
    schema: { openAPIV3Schema: { type: "object", properties: { a: { type: "string" } } } },
  });
  const remedies = (versions: readonly JsonObject[]): readonly string[] =>
    listFindings(versions, "v1alpha1").map(({ remedy }) => remedy);
  assert.deepEqual(remedies([other, old, gone]), [
    "Write apiVersion: example.com/v1, and check its fields against that version.",
  ]);
  assert.deepEqual(remedies([gone]), ["Remove the object, or bring a CRD that serves it."]);
});
