import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { Json, JsonObject } from "../../../../src/model/json.ts";
import { validateUpdate } from "../../../../src/schema/crd/index.ts";
import { wrapSchema, compileForTest, validateField } from "../../../../verify/schema/cel/cases.ts";
import { deepFreeze } from "../../../../src/cases/runner.ts";

const SHORT: JsonObject = { type: "string", maxLength: 1 };

/** The errors that remain if the value was already invalid, as "Required f.a". */
function listUpdateErrors(schema: Json, value: Json): readonly string[] {
  assert.notDeepEqual(validateField(schema, value).errors, [], "the value is wrong to begin with");
  const { errors } = validateUpdate(compileForTest(wrapSchema(schema)), deepFreeze({ f: value }));
  return errors.map(({ type, path }) => `${type.replace("FieldValue", "")} ${path}`);
}

test("tolerates an invalid value that doesn't change, at any depth", () => {
  assert.deepEqual(listUpdateErrors(SHORT, "ab"), []);
  assert.deepEqual(listUpdateErrors({ type: "object", properties: { a: SHORT } }, { a: "ab" }), []);
  assert.deepEqual(
    listUpdateErrors({ type: "object", additionalProperties: SHORT, maxProperties: 1 }, { a: "ab", b: "" }),
    [],
  );
  assert.deepEqual(listUpdateErrors({ type: "array", items: SHORT }, ["ab"]), []);
  assert.deepEqual(listUpdateErrors({ type: "string", enum: ["a"] }, "b"), []);
});

test("reports errors of the object as a whole", () => {
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
    "validates alternatives of the object again",
  );
});

test("treats a map with undefined fields, and a list whose items lack unique keys, as changed", () => {
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

test("tolerates duplicate items of sets and maps, but never invalid embedded metadata", () => {
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
  assert.deepEqual(listUpdateErrors(embedded, { apiVersion: "v1", kind: "A", metadata: 1 }), ["Invalid f.metadata"]);
});

test("doesn't validate the object's name again", () => {
  const { errors } = validateUpdate(compileForTest(wrapSchema(SHORT)), { metadata: { name: "Upper" }, f: "a" });
  assert.deepEqual(errors, []);
});

/** What a rule with an optional old value, which the API server reads without its schema, says of a value that does not change. */
function listOptionalErrors(schema: JsonObject, value: Json, rule: string): readonly string[] {
  const rules = { "x-kubernetes-validations": [{ rule, optionalOldSelf: true }] };
  const compiled = compileForTest(wrapSchema({ ...schema, ...rules }));
  return validateUpdate(compiled, deepFreeze({ f: value }), (stored) => stored).errors.map(({ message }) => message);
}

test("compares a list that is a map with an optional old value by its keys", () => {
  const list: JsonObject = {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
    items: { type: "object", required: ["k"], properties: { k: { type: "integer" } } },
  };
  const rule = "!oldSelf.hasValue() || self == oldSelf.value()";
  assert.deepEqual(listOptionalErrors(list, [{ k: 1 }, { k: 2 }], rule), []);
});

test("compares what has no schema with an optional old value as it is read", () => {
  const preserved: JsonObject = { "x-kubernetes-preserve-unknown-fields": true };
  const list: JsonObject = {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
    items: { type: "object", required: ["k"], properties: { any: preserved, k: { type: "string" } } },
  };
  for (const any of [65, 1e20, 1.5, "a", true, [1, "b"], { c: {} }])
    assert.deepEqual(listOptionalErrors(list, [{ k: "x", any }], "!oldSelf.hasValue() || self == oldSelf.value()"), []);
});

test("compares a null of an optional old value with one that the schema doesn't allow", () => {
  const rule = "oldSelf.optMap(o, o == self).orValue(true)";
  assert.deepEqual(listOptionalErrors({ type: "array", items: SHORT }, [null], rule), [`failed rule: ${rule}`]);
});

test("runs no rule on a duration whose number is too large, even if it doesn't change", () => {
  const schema: JsonObject = {
    type: "string",
    format: "duration",
    "x-kubernetes-validations": [{ rule: "self == self" }],
  };
  assert.deepEqual(listUpdateErrors(schema, "3 moons"), ["Invalid f"]);
  assert.deepEqual(listUpdateErrors(schema, "9223372036854775808h"), ["Invalid f"]);
});

test("has an old value of the apiVersion, and tolerates no fault of it", () => {
  const list = (rule: JsonObject): readonly string[] => {
    const properties = { apiVersion: { type: "string", "x-kubernetes-validations": [rule] } };
    const { errors } = validateUpdate(compileForTest({ type: "object", properties }), { apiVersion: "a/v1" });
    return errors.map(({ path }) => path);
  };
  assert.deepEqual(list({ rule: "oldSelf.hasValue()", optionalOldSelf: true }), []);
  assert.deepEqual(list({ rule: "self == oldSelf" }), []);
  assert.deepEqual(list({ rule: "self == ''" }), ["apiVersion"]);
});

test("compares the items of a set as Go finds them: no time, and no whole number of the type number", () => {
  const listFailures = (items: JsonObject, value: Json, rule: string): readonly string[] => {
    const schema = { type: "array", items, "x-kubernetes-list-type": "set", "x-kubernetes-validations": [{ rule }] };
    return validateField(schema, value).errors.map(({ message }) => message);
  };
  const same = "self == self";
  const added = "(self + self).size() == 1";
  for (const [items, value] of [
    [{ type: "number" }, [99]],
    [{ type: "string", format: "date" }, ["2024-01-01"]],
  ] as const) {
    assert.deepEqual(listFailures(items, value, same), [`failed rule: ${same}`]);
    assert.deepEqual(listFailures(items, value, added), [`failed rule: ${added}`]);
  }
  assert.deepEqual(listFailures({ type: "number" }, [1.5], same), []);
  assert.deepEqual(listFailures({ type: "integer" }, [99], added), []);
  const bytes = listFailures({ type: "string", format: "byte" }, ["YWJj"], same);
  assert.match(bytes[0] ?? "", /^internal error: hash of unhashable type/);
});

test("fails sets functions on items that can't be read, even if they don't change", () => {
  const rules = [{ rule: "sets.contains(self, self)" }];
  const schema = { type: "array", items: { type: "object" }, "x-kubernetes-validations": rules };
  assert.deepEqual(listUpdateErrors(schema, ["x"]), ["Invalid f"]);
});

test("metadata that is looked for in a written list says itself whether it is equal to what has other fields", () => {
  const m = { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true };
  const rule = "self.m.metadata in [oldSelf.m.metadata]";
  const compiled = compileForTest({ type: "object", properties: { m }, "x-kubernetes-validations": [{ rule }] });
  const build = (metadata: JsonObject): JsonObject => ({ m: { apiVersion: "v1", kind: "A", metadata } });
  const count = (old: JsonObject, next: JsonObject): number =>
    validateUpdate(compiled, build(old), () => build(next)).errors.length;
  assert.equal(count({ labels: { a: "b" } }, { name: "x" }), 1);
  assert.equal(count({ name: "x" }, { labels: { a: "b" } }), 0);
});
