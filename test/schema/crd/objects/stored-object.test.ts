import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { Json, JsonObject } from "../../../../src/model/json.ts";
import { validateObject, decodeRequest, decodeStored, newPruneState } from "../../../../src/schema/crd/index.ts";
import { listErrors, compileForTest, validateField } from "../../../../verify/schema/cel/cases.ts";
import { deepFreeze } from "../../../../src/cases/runner.ts";

const STRING = { type: "string" } as const;

type Row = readonly [what: string, schema: Json, value: Json, pruned: readonly string[]];

const PRUNED: readonly Row[] = [
  ["an unknown field", { type: "object", properties: { a: STRING } }, { a: "", b: 1 }, ["f.b"]],
  [
    "unknown fields in lists and maps",
    { type: "array", items: { type: "object", additionalProperties: { type: "object" } } },
    [{ k: { b: 1 } }],
    ["f[0].k.b"],
  ],
  [
    "an object that preserves unknown fields",
    { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    { a: { b: 1 } },
    [],
  ],
  [
    "unknown fields in a known field of a preserving object",
    { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { a: { type: "object" } } },
    { a: { b: 1 }, c: { d: 1 } },
    ["f.a.b"],
  ],
  [
    "unknown fields in the items of a preserving list",
    {
      type: "array",
      "x-kubernetes-preserve-unknown-fields": true,
      items: { type: "object", properties: { a: { type: "object" } } },
    },
    [{ x: 1, a: { y: 1 } }],
    ["f[0].a.y"],
  ],
  [
    "everything below additionalProperties: true",
    { type: "object", additionalProperties: true },
    { a: { b: 1 }, c: [[{ d: 1 }]], e: 1 },
    ["f.a.b", "f.c[0][0].d"],
  ],
  [
    "an embedded resource's own fields",
    { type: "object", "x-kubernetes-embedded-resource": true, properties: { spec: { type: "object" } } },
    { apiVersion: "v1", kind: "Pod", metadata: { name: "x" }, spec: { a: 1 }, status: {} },
    ["f.spec.a", "f.status"],
  ],
  ["all fields of a value of the wrong type", { type: "string" }, { a: 1 }, ["f.a"]],
];

for (const [what, schema, value, pruned] of PRUNED) {
  test(`lists what is pruned: ${what}`, () => assert.deepEqual(validateField(schema, value).prunedPaths, pruned));
}

test("keeps apiVersion, kind and metadata of the object, and unknown fields if the CRD preserves them", () => {
  const object: JsonObject = deepFreeze({ apiVersion: "v1", kind: "X", metadata: { name: "x", odd: 1 }, spec: {} });
  const schema = { type: "object", properties: { f: STRING } };
  assert.deepEqual(validateObject(compileForTest(schema), object).prunedPaths, ["spec"]);
  assert.deepEqual(validateObject(compileForTest(schema, { preserveUnknownFields: true }), object).prunedPaths, []);
});

test("applies defaults before validation, and leaves the object unchanged", () => {
  const inner = { type: "object", properties: { b: { type: "integer", default: 7, maximum: 5 } } };
  const cases: readonly (readonly [Json, Json, readonly string[]])[] = [
    [{ type: "object", properties: { a: { ...STRING, default: "x" } }, required: ["a"] }, {}, []],
    [{ type: "object", properties: { a: { ...STRING, default: "x" } }, required: ["a"] }, { a: null }, []],
    [{ type: "object", properties: { a: inner } }, {}, []],
    [{ type: "object", properties: { a: inner } }, { a: {} }, ["Invalid f.a.b"]],
    [{ type: "object", properties: { a: { ...inner, default: {} } } }, {}, ["Invalid f.a.b"]],
    [{ type: "object", properties: { a: { ...inner, default: { b: 1 } } } }, {}, []],
    [{ type: "array", items: inner }, [{}, { b: 1 }], ["Invalid f[0].b"]],
    [{ type: "array", items: { ...STRING, default: "xx", maxLength: 1 } }, [null], ["TooLong f[0]"]],
    [
      { type: "object", additionalProperties: { ...STRING, default: "xx", maxLength: 1 } },
      { k: null },
      ["TooLong f.k"],
    ],
    [{ type: "object", nullable: true, properties: { a: { ...STRING, default: "x" } } }, null, []],
    [
      { type: "object", properties: { a: { ...STRING, nullable: true, default: "xx", maxLength: 1 } } },
      { a: null },
      [],
    ],
  ];
  for (const [schema, value, errors] of cases)
    assert.deepEqual(listErrors(schema, value), errors, JSON.stringify([schema, value]));
});

test("treats property names of every JavaScript object like any others", () => {
  const properties: JsonObject = JSON.parse(
    '{"__proto__":{"type":"integer","maximum":1},"constructor":{"type":"string"}}',
  );
  const object: Json = JSON.parse('{"__proto__":2,"constructor":1,"toString":1,"hasOwnProperty":1}');
  const verdict = validateField({ type: "object", properties, required: ["valueOf"] }, object);
  assert.deepEqual(
    verdict.errors.map((error) => `${error.type} ${error.path}`),
    ["FieldValueInvalid f.__proto__", "FieldValueTypeInvalid f.constructor", "FieldValueRequired f.valueOf"],
  );
  assert.deepEqual(verdict.prunedPaths, ["f.hasOwnProperty", "f.toString"]);
  const map = JSON.parse('{"__proto__":{"a":1,"b":1}}');
  assert.deepEqual(
    validateField({ type: "object", additionalProperties: { type: "object", properties: { a: STRING } } }, map)
      .prunedPaths,
    ["f.__proto__.b"],
  );
});

const RESOURCE = {
  type: "object",
  "x-kubernetes-embedded-resource": true,
  "x-kubernetes-preserve-unknown-fields": true,
};
const FINE = { apiVersion: "v1", kind: "Pod" };
const OWNER = { apiVersion: "v1", kind: "A", name: "a", uid: "b" };

type DroppedRow = readonly [what: string, resource: JsonObject, dropped: readonly string[]];

const DROPPED: readonly DroppedRow[] = [
  ["nothing of what it can read", { metadata: { name: "x", labels: { a: "b" }, ownerReferences: [OWNER] } }, []],
  ["nothing that is empty or null", { metadata: { name: "", labels: null, generation: 0 } }, []],
  ["all labels if one is malformed", { metadata: { name: "x", labels: { a: 1, b: "c" } } }, ["metadata.labels"]],
  ["annotations", { metadata: { annotations: { a: {} } } }, ["metadata.annotations"]],
  ["a name", { metadata: { name: 1 } }, ["metadata.name"]],
  ["a generation with a fraction", { metadata: { generation: 1.5 } }, ["metadata.generation"]],
  ["owners", { metadata: { ownerReferences: [1] } }, ["metadata.ownerReferences"]],
  ["a time", { metadata: { creationTimestamp: "x" } }, ["metadata.creationTimestamp"]],
  ["an unknown field", { metadata: { odd: 1, name: "x" } }, ["metadata.odd"]],
  ["one of an owner", { metadata: { ownerReferences: [{ ...OWNER, odd: 1 }] } }, ["metadata.ownerReferences[0].odd"]],
  ["an apiVersion and a kind", { apiVersion: 1, kind: null }, ["apiVersion", "kind"]],
  ["nothing of metadata that is not an object", { metadata: "x" }, []],
];

for (const [what, resource, dropped] of DROPPED) {
  test(`drops from an embedded resource: ${what}`, () => {
    const { droppedFields } = validateField(RESOURCE, { ...FINE, ...resource });
    const paths = dropped.map((path) => `f.${path}`);
    assert.deepEqual(
      droppedFields.map(({ path }) => path),
      paths,
    );
  });
}

test("keeps a null in the default of a request, where an object can't have one, and drops it in one that is read", () => {
  const open: JsonObject = { "x-kubernetes-preserve-unknown-fields": true };
  const schema: JsonObject = { type: "object", properties: { a: open, b: { type: "string" } }, default: { a: null } };
  const root = compileForTest({ type: "object", properties: { f: schema } }).root;
  assert.deepEqual(decodeRequest({}, root, true), { f: { a: null } });
  assert.deepEqual(decodeStored({}, root, true, newPruneState()), { f: {} });
  assert.deepEqual(decodeStored({ f: { a: null } }, root, true, newPruneState()), { f: {} });
});
