import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { JsonObject } from "../../../../src/model/json.ts";
import { validateObject, validateUpdate } from "../../../../src/schema/crd/index.ts";
import { compileForTest } from "../../../../verify/schema/cel/cases.ts";

const OPEN: JsonObject = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const SCHEMA: JsonObject = { type: "object", properties: { spec: OPEN, status: OPEN } };
const SCALE = { spec: ".spec.replicas", status: ".status.replicas", selector: ".status.selector" };
const COMPILED = compileForTest(SCHEMA, { scale: SCALE });

const OBJECTS: readonly (readonly [what: string, object: JsonObject, paths: readonly string[]])[] = [
  ["numbers and a text", { spec: { replicas: 3 }, status: { replicas: 0, selector: "a=b" } }, []],
  ["nothing", {}, []],
  ["nothing below null", { spec: null }, []],
  ["a negative number", { spec: { replicas: -1 } }, ["spec.replicas"]],
  ["a number beyond int32", { status: { replicas: 2 ** 31 } }, ["status.replicas"]],
  ["a fraction", { spec: { replicas: 1.5 } }, ["spec.replicas"]],
  ["null", { spec: { replicas: null } }, ["spec.replicas"]],
  ["a text", { spec: { replicas: "3" } }, ["spec.replicas"]],
  ["a list in place of the object", { spec: [1] }, ["spec", "spec.replicas"]],
  ["a selector that is an object", { status: { selector: {} } }, ["status.selector"]],
];

for (const [what, object, paths] of OBJECTS) {
  test(`a scale subresource reads ${what}`, () => {
    const errors = validateObject(COMPILED, object).errors.map(({ path }) => path);
    assert.deepEqual(errors, paths);
  });
}

test("no fault of what a scale subresource reads is tolerated because it was stored before", () => {
  const { errors } = validateUpdate(COMPILED, { spec: { replicas: -1 } });
  assert.deepEqual(
    errors.map(({ path, message }) => [path, message]),
    [["spec.replicas", "The scale subresource reads a number of replicas from 0 to 2147483647 here, and this is -1"]],
  );
});

test("without a scale subresource, such values are no faults", () => {
  assert.deepEqual(validateObject(compileForTest(SCHEMA), { spec: { replicas: -1 } }).errors, []);
});
