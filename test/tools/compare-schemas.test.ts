import assert from "node:assert/strict";
import test from "node:test";
import type { JsonObject } from "../../src/model/json.ts";
import { compareSchemas } from "../../tools/pairs/compare-schemas.ts";
import { list, object, OF_A_FIELD, rules, text } from "./schema-cases.ts";

for (const [what, before, after, expected] of OF_A_FIELD) {
  test(`${what}: ${expected.join(", ") || "no difference"}`, () => {
    assert.deepEqual(formatChanges(object({ a: before }), object({ a: after })), expected);
  });
}

test("paths lead through fields, items and maps, sorted", () => {
  const schema = (more: JsonObject): JsonObject =>
    object({
      spec: object({
        list: list(object({ b: { type: "object", additionalProperties: { ...text, ...more } } })),
        z: text,
      }),
    });
  const after = object({
    spec: object({ list: list(object({ b: { type: "object", additionalProperties: { ...text, maxLength: 1 } } })) }),
  });
  assert.deepEqual(formatChanges(schema({}), after), [
    "tightening spec.list[*].b[*] maxLength",
    "drop spec.z properties",
  ]);
});

test("a field of every object is neither new nor dropped", () => {
  const named = object({ apiVersion: text, kind: text, metadata: { type: "object" } });
  assert.deepEqual([...formatChanges(named, object({})), ...formatChanges(object({}), named)], []);
  const metadata = object({ name: { ...text, enum: ["cluster"] } });
  assert.deepEqual(formatChanges(named, object({ metadata })), ["tightening metadata.name enum"]);
  assert.deepEqual(formatChanges(object({ metadata }), named), []);
});

test("a rule at the root has an empty path", () => {
  assert.deepEqual(compareSchemas(object({}), object({}, rules("true"))), [
    { kind: "rule", path: "", keyword: "x-kubernetes-validations" },
  ]);
});

function formatChanges(before: JsonObject, after: JsonObject): readonly string[] {
  return compareSchemas(before, after).map(({ kind, path, keyword }) => `${kind} ${path} ${keyword}`);
}
