import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { Json } from "../../../../src/model/json.ts";
import { validateObject } from "../../../../src/schema/crd/index.ts";
import { listErrors, compileForTest } from "../../../../verify/schema/cel/cases.ts";

const STRING = { type: "string" } as const;
const SET = { type: "array", items: { type: "integer" }, "x-kubernetes-list-type": "set" };
const BY_NAME = {
  type: "array",
  items: { type: "object", properties: { name: STRING, port: { type: "integer", default: 80 } } },
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["name"],
};
const BY_BOTH = { ...BY_NAME, "x-kubernetes-list-map-keys": ["name", "port"] };

type Row = readonly [what: string, schema: Json, value: Json, errors: readonly string[]];

const LISTS: readonly Row[] = [
  ["a set", SET, [1, 2], []],
  ["reports a repeated value once", SET, [1, 1, 1, 2, 2], ["Duplicate f[1]", "Duplicate f[4]"]],
  ["integers that are one double", SET, [2n ** 60n, 2n ** 60n + 1n], []],
  ["a repeated integer that no double holds", SET, [2n ** 60n + 1n, 2n ** 60n + 1n], ["Duplicate f[1]"]],
  [
    "reports a duplicate for numbers beyond 64 bits",
    SET,
    [1e20, 1e20],
    ["Duplicate f[1]", "Invalid f[0]", "Invalid f[1]", "TypeInvalid f[0]", "TypeInvalid f[1]"],
  ],
  ["a map by one key", BY_NAME, [{ name: "a" }, { name: "b" }, { name: "a" }], ["Duplicate f[2]"]],
  ["a key that two items lack", BY_NAME, [{}, {}], ["Duplicate f[1]"]],
  [
    "a map by two keys, one of them a default",
    BY_BOTH,
    [{ name: "a" }, { name: "a", port: 80 }, { name: "a", port: 81 }],
    ["Duplicate f[1]"],
  ],
  ["a map with an item that is not an object", BY_NAME, [{}, 1], ["Invalid f[1]", "TypeInvalid f[1]"]],
  [
    "the path of a set in a map has its key in brackets",
    { type: "object", additionalProperties: SET },
    { "a.b": [1, 1] },
    ["Duplicate f[a.b][1]"],
  ],
];

for (const [what, schema, value, errors] of LISTS) {
  test(`checks list types: ${what}`, () => assert.deepEqual([...listErrors(schema, value)].toSorted(), errors));
}

const RESOURCE = {
  type: "object",
  "x-kubernetes-embedded-resource": true,
  "x-kubernetes-preserve-unknown-fields": true,
};
const FINE = { apiVersion: "v1", kind: "Pod" };

const EMBEDDED: readonly Row[] = [
  ["nothing is missing", RESOURCE, FINE, []],
  ["apiVersion and kind are required", RESOURCE, {}, ["Required f.apiVersion", "Required f.kind"]],
  ["both must be strings", RESOURCE, { apiVersion: 1, kind: null }, ["Required f.apiVersion", "Required f.kind"]],
  ["both must be valid", RESOURCE, { apiVersion: "a/b/c", kind: "A_b" }, ["Invalid f.apiVersion", "Invalid f.kind"]],
  [
    "a name must be a valid path segment",
    RESOURCE,
    { ...FINE, metadata: { name: "a/b" } },
    ["Invalid f.metadata.name"],
  ],
  [
    "labels",
    RESOURCE,
    { ...FINE, metadata: { labels: { "a b": "c d" } } },
    ["Invalid f.metadata.labels", "Invalid f.metadata.labels"],
  ],
  ["annotations in any case", RESOURCE, { ...FINE, metadata: { annotations: { "Example.com/A": "any thing" } } }, []],
  ["metadata that is not an object", RESOURCE, { ...FINE, metadata: [] }, ["Invalid f.metadata"]],
  ["metadata of which a part can't be decoded", RESOURCE, { ...FINE, metadata: { labels: [], generation: "1" } }, []],
  [
    "owners",
    RESOURCE,
    { ...FINE, metadata: { ownerReferences: [{ apiVersion: "v1", kind: "A", name: "a" }] } },
    ["Invalid f.metadata.ownerReferences.uid"],
  ],
  [
    "managed fields",
    RESOURCE,
    { ...FINE, metadata: { managedFields: [{ operation: "X" }] } },
    ["Invalid f.metadata.managedFields[0].operation"],
  ],
  [
    "in a map",
    { type: "object", additionalProperties: RESOURCE },
    { k: { kind: "Pod" } },
    ["Required f[k].apiVersion"],
  ],
  [
    "an empty name counts as missing",
    {
      ...RESOURCE,
      properties: {
        metadata: { type: "object", properties: { name: { ...STRING, minLength: 2 } }, required: ["name"] },
      },
    },
    { ...FINE, metadata: { name: "" } },
    ["Required f.metadata.name"],
  ],
];

for (const [what, schema, value, errors] of EMBEDDED) {
  test(`checks embedded resources: ${what}`, () => assert.deepEqual(listErrors(schema, value), errors));
}

test("checks the object's own name", () => {
  const schema = compileForTest({ type: "object" });
  const said = (name: Json): readonly string[] =>
    validateObject(schema, { metadata: { name } }).errors.map((error) => `${error.type} ${error.path}`);
  assert.deepEqual(said("a.b-c"), []);
  assert.deepEqual(said("A_b"), ["FieldValueInvalid metadata.name"]);
  assert.deepEqual(said(""), ["FieldValueRequired metadata.name"]);
});
