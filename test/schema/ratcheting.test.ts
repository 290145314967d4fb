import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { hasRatcheting, validateUpdate } from "../../src/schema/ratcheting.ts";
import { wrapSchema, deepFreeze, compileForTest, validateField } from "./cases.ts";

const SHORT: JsonObject = { type: "string", maxLength: 1 };

/** "Required f.a" of what remains, where the value was wrong to begin with. */
function listUpdateErrors(schema: Json, value: Json): readonly string[] {
  assert.notDeepEqual(validateField(schema, value).errors, [], "the value is wrong to begin with");
  const { errors } = validateUpdate(compileForTest(wrapSchema(schema)), deepFreeze({ f: value }));
  return errors.map(({ type, path }) => `${type.replace("FieldValue", "")} ${path}`);
}

test("forgives a value that doesn't change, at any depth", () => {
  assert.deepEqual(listUpdateErrors(SHORT, "ab"), []);
  assert.deepEqual(listUpdateErrors({ type: "object", properties: { a: SHORT } }, { a: "ab" }), []);
  assert.deepEqual(
    listUpdateErrors({ type: "object", additionalProperties: SHORT, maxProperties: 1 }, { a: "ab", b: "" }),
    [],
  );
  assert.deepEqual(listUpdateErrors({ type: "array", items: SHORT }, ["ab"]), []);
  assert.deepEqual(listUpdateErrors({ type: "string", enum: ["a"] }, "b"), []);
});

test("refuses what is wrong with the object as a whole", () => {
  const schema: JsonObject = { type: "object", required: ["g"], properties: { f: { type: "string" } } };
  const { errors } = validateUpdate(compileForTest(schema), { f: "x" });
  assert.deepEqual(
    errors.map(({ path }) => path),
    ["g"],
  );
  const either: JsonObject = {
    ...wrapSchema(SHORT),
    anyOf: [{ properties: { f: { minLength: 3 } } }, { required: ["g"] }],
  };
  const top = validateUpdate(compileForTest({ ...either, properties: { f: SHORT, g: SHORT } }), { f: "ab" }).errors;
  assert.ok(
    top.some(({ message }) => message.includes("anyOf")),
    "alternatives of the object are looked at anew",
  );
});

test("takes a map with fields that the schema doesn't name for changed, and a list of fields without their keys", () => {
  const open: JsonObject = { type: "object", required: ["a"], "x-kubernetes-preserve-unknown-fields": true };
  assert.deepEqual(listUpdateErrors({ ...open, properties: { a: SHORT } }, { other: 1 }), ["Required f.a"]);
  const byName: JsonObject = {
    type: "array",
    maxItems: 0,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    items: { type: "object", properties: { name: { type: "string" }, v: SHORT } },
  };
  assert.deepEqual(listUpdateErrors(byName, [{ name: "a", v: "ab" }]), []);
  assert.deepEqual(listUpdateErrors(byName, [{ v: "ab" }]), ["TooMany f", "TooLong f[0].v"]);
  assert.deepEqual(listUpdateErrors(byName, [{ name: "a" }, { name: "a", v: "ab" }]), ["TooMany f", "TooLong f[1].v"]);
});

test("forgives doubled items of sets and maps, and never embedded metadata", () => {
  assert.deepEqual(
    listUpdateErrors({ type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } }, ["a", "a"]),
    [],
  );
  const embedded: JsonObject = {
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
  };
  assert.deepEqual(listUpdateErrors(embedded, { apiVersion: "v1", kind: "-" }), ["Invalid f.kind"]);
  assert.deepEqual(listUpdateErrors(embedded, { apiVersion: "v1", kind: "A", metadata: { labels: 1 } }), [
    "Invalid f.metadata",
  ]);
});

test("does not look at the object's name again", () => {
  const { errors } = validateUpdate(compileForTest(wrapSchema(SHORT)), { metadata: { name: "Upper" }, f: "a" });
  assert.deepEqual(errors, []);
});

test("ratchets from Kubernetes 1.30 on", () => {
  assert.deepEqual(["1.29.14", "1.30.0", "v1.36.3", "1.9.0"].map(hasRatcheting), [false, true, true, false]);
});
