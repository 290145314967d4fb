import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../src/model/json.ts";
import { LAST_APPLIED, selectMetadata } from "../../src/model/object.ts";

test("metadata keeps all but what repeats the rest of the object", () => {
  const writer = { manager: "kubectl", operation: "Update", apiVersion: "v1", time: "2026-01-01T00:00:00Z" };
  const metadata = {
    name: "a",
    labels: { b: "c" },
    annotations: { d: "e", [LAST_APPLIED]: '{"apiVersion":"apps/v1","data":{"password":"hunter2"}}' },
    managedFields: [{ ...writer, subresource: "status", fieldsType: "FieldsV1", fieldsV1: { "f:data": {} } }, "none"],
  };
  const object = { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { replicas: 1 }, data: "hunter2" };
  assert.deepEqual(selectMetadata(object), {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name: "a",
      labels: { b: "c" },
      annotations: { d: "e", [LAST_APPLIED]: '{"apiVersion":"apps/v1"}' },
      managedFields: [{ ...writer, subresource: "status" }, {}],
    },
  });
});

test("metadata of an object without any is empty", () => {
  assert.deepEqual(selectMetadata({}), { apiVersion: "", kind: "", metadata: { annotations: {} } });
});

function selectVersion(applied: Json): Json | undefined {
  const { metadata } = selectMetadata({ metadata: { annotations: { [LAST_APPLIED]: applied } } });
  return metadata;
}

test("of the last applied configuration only a version is kept", () => {
  const kept = [
    ..."v1 v12 v1234 v1alpha1 v1beta12 v2beta1234 apps/v1 a-b.example.com/v1 a/v1".split(" "),
    `${"a".repeat(253)}/v1`,
  ];
  const dropped = [
    ..."v v12345 1v1 xv1 v1gamma1 v1beta v1beta12345 v1beta1x /v1 A/v1 a/b/v1 a_b/v1 v1x".split(" "),
    `${"a".repeat(254)}/v1`,
    "",
  ];
  const annotation = (apiVersion: Json): string => JSON.stringify({ apiVersion });
  assert.deepEqual(
    kept.map((one) => selectVersion(JSON.stringify({ apiVersion: one, b: 1 }))),
    kept.map((one) => ({ annotations: { [LAST_APPLIED]: annotation(one) } })),
  );
  const others = [
    ...dropped.map(annotation),
    annotation(1),
    "no JSON",
    "{}",
    { apiVersion: "v1" },
    5,
    [annotation("v1")],
  ];
  assert.deepEqual(
    others.map(selectVersion),
    others.map(() => ({ annotations: {} })),
  );
});
