import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { Json } from "../../../../src/model/json.ts";
import { validateField } from "../../../../verify/schema/cel/cases.ts";

const STRING = { type: "string" } as const;
const EITHER = { "x-kubernetes-int-or-string": true };
const SET = { type: "array", "x-kubernetes-list-type": "set" };
const BY_KEYS = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["a", "b"],
  items: { type: "object", properties: { a: STRING, b: { ...STRING, nullable: true } } },
};
const ATOMIC = { type: "array", "x-kubernetes-list-type": "atomic" };
const RESOURCE = {
  type: "object",
  "x-kubernetes-embedded-resource": true,
  "x-kubernetes-preserve-unknown-fields": true,
};

type Row = readonly [what: string, schema: Json, value: Json, paths: readonly string[]];

const ROWS: readonly Row[] = [
  ["a string that is an integer", STRING, 1, ["f"]],
  ["a string with format byte that is an integer", { ...STRING, format: "byte" }, 1, ["f"]],
  ["no string with any other format", { ...STRING, format: "date" }, 1, []],
  ["no string with a format that nobody knows", { ...STRING, format: "odd" }, true, []],
  ["a list in place of a string with a format", { ...STRING, format: "date" }, ["x"], ["f"]],
  ["a list in place of a string with format byte", { ...STRING, format: "byte" }, ["x"], ["f"]],
  ["no number with a fraction", { type: "integer" }, 1.5, []],
  ["no null", STRING, null, []],
  ["a string in place of an object, and nothing below", { type: "object", properties: { a: STRING } }, "x", ["f"]],
  ["nothing that is integer or string", EITHER, { a: 1 }, []],
  ["an integer in place of integer or string with type string", { ...EITHER, ...STRING }, 1, ["f"]],
  ["a string in place of one with type integer", { ...EITHER, type: "integer" }, "x", ["f"]],
  ["no string in place of one with type string", { ...EITHER, ...STRING }, "x", []],
  ["no item of a set of scalars", { ...SET, items: STRING }, ["a", "a"], []],
  ["null in a set", { ...SET, items: STRING }, ["a", null], ["f[1]"]],
  ["objects in a set", { ...SET, items: { type: "object", "x-kubernetes-map-type": "atomic" } }, [{}], ["f[0]"]],
  ["lists in a set", { ...SET, items: { ...ATOMIC, items: STRING } }, [["a"], []], ["f[0]", "f[1]"]],
  ["a wrong item of a set", { ...SET, items: STRING }, [1], ["f[0]"]],
  ["no item with one of its keys", BY_KEYS, [{ a: "x" }, { b: null }], []],
  ["an item without keys", BY_KEYS, [{ a: "x" }, {}], ["f[1].a", "f[1].b"]],
  ["one in an atomic list", { ...ATOMIC, items: BY_KEYS }, [[{}]], ["f[0][0].a", "f[0][0].b"]],
  ["null in a list that is a map", BY_KEYS, [null], ["f[0]"]],
  ["no null in any other list", { type: "array", items: STRING }, [null], []],
  ["a value of a map", { type: "object", additionalProperties: STRING }, { "a.b": 1 }, ["f.a.b"]],
  [
    "nothing that a schema doesn't know",
    { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    { a: [] },
    [],
  ],
  [
    "field sets in embedded metadata that are no objects",
    RESOURCE,
    { apiVersion: "v1", kind: "A", metadata: { managedFields: [{ operation: "Apply", fieldsV1: "x" }] } },
    ["f.metadata.managedFields[0].fieldsV1"],
  ],
];

for (const [what, schema, value, paths] of ROWS) {
  test(`finds why server-side apply fails: ${what}`, () => {
    const { applyFaults } = validateField(schema, value);
    assert.deepEqual(
      applyFaults.map(({ path }) => path),
      paths,
    );
  });
}
