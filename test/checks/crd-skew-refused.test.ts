import { strict as assert } from "node:assert";
import { test } from "node:test";
import { judgeTargetCrds } from "../../src/checks/crd-skew/refused-crds.ts";
import { type Crd, parseCrd } from "../../src/model/crd.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";

const METADATA = { name: "widgets.example.com", labels: { a: "b" } } as const;
const SPEC = {
  group: "example.com",
  scope: "Namespaced",
  names: { plural: "widgets", kind: "Widget" },
  versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
} as const;

function crdOf(metadata: Json, spec: JsonObject): Crd {
  const crd = parseCrd({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata,
    spec: { ...SPEC, ...spec },
  });
  assert.ok(crd);
  return crd;
}

/** As the API server returns it: with its own metadata and the defaults of the spec. */
const INSTALLED = crdOf(
  { ...METADATA, uid: "1", creationTimestamp: "2026-01-01T00:00:00Z", generation: 1 },
  { names: { ...SPEC.names, listKind: "WidgetList", singular: "widget" }, conversion: { strategy: "None" } },
);

function refusedPaths(metadata: Json, spec: JsonObject): readonly string[] {
  const [judged] = judgeTargetCrds([crdOf(metadata, spec)], [INSTALLED], 36);
  assert.deepEqual(judged?.verdict.undecided, []);
  return judged.verdict.refusals.map(({ path }) => path);
}

test("accepts a CRD that is installed already, without the fields that the API server fills in", () => {
  assert.deepEqual(refusedPaths({ ...METADATA, creationTimestamp: null }, {}), []);
});

for (const [path, spec] of [
  ["spec.names.singular", { names: { ...SPEC.names, singular: 5 } }],
  ["spec.names.listKind", { names: { ...SPEC.names, listKind: ["WidgetList"] } }],
  ["spec.preserveUnknownFields", { preserveUnknownFields: "false" }],
] as const) {
  test(`refuses ${path} of another type, though all else is as installed`, () => {
    assert.deepEqual(refusedPaths(METADATA, spec), [path]);
  });
}

for (const [what, metadata, path] of [
  ["labels that are not an object", { ...METADATA, labels: "a=b" }, "metadata"],
  ["a label with an invalid value", { ...METADATA, labels: { a: "b c" } }, "metadata.labels"],
  ["a generateName with a slash", { ...METADATA, generateName: "a/b" }, "metadata.generateName"],
] as const) {
  test(`refuses ${what}, though all else is as installed`, () => {
    assert.deepEqual(refusedPaths(metadata, {}), [path]);
  });
}

test("judges metadata of another type, however little it holds", () => {
  for (const field of ["ownerReferences", "finalizers", "generateName"])
    assert.notDeepEqual(refusedPaths({ ...METADATA, [field]: {} }, {}), [], field);
});
