import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { Json } from "../../../src/model/json.ts";
import { judge } from "../../../src/schema/judge.ts";
import { prepared } from "../cases.ts";

function schema(rule: { readonly [key: string]: Json }, more: { readonly [key: string]: Json } = {}): Json {
  return { type: "array", items: { type: "string" }, "x-kubernetes-validations": [rule], ...more };
}

function verdictOf(rules: Json, value: Json): ReturnType<typeof judge> {
  return judge(prepared({ type: "object", properties: { f: rules } }), { f: value });
}

const MANY = Array.from({ length: 2_000 }, (_, i) => `item ${i}`);

test("stops a rule that costs more than one evaluation may", () => {
  const { errors, rules } = verdictOf(schema({ rule: "self.all(a, self.all(b, self.all(c, a + b != c)))" }), MANY);
  assert.deepEqual(rules, []);
  assert.match(errors[0]?.message ?? "", /call cost exceeds limit/);
  assert.equal(errors.length, 1);
});

test("runs no further rule once the object's budget is spent", () => {
  const item = {
    type: "string",
    "x-kubernetes-validations": [{ rule: "self.matches('a{1,1000}') || size(self) > 0" }],
  };
  const rule = { rule: "self.all(a, self[0] != a || self.all(b, b.contains('item')))" };
  const heavy = { type: "array", items: schema(rule) };
  const { errors } = verdictOf(
    heavy,
    Array.from({ length: 900 }, () => MANY),
  );
  assert.deepEqual(errors.map(({ path }) => path).filter((path) => path.startsWith("f[")).length, 1);
  assert.match(errors[0]?.message ?? "", /running out of cost budget/);
  assert.deepEqual(verdictOf({ type: "array", items: item }, MANY).errors, []);
});

test("gives up on texts that grow without end", () => {
  const doubled = "[s, s, s, s, s, s, s, s, s, s].join(s)";
  const rule = `self.all(s, ${doubled}.replace('', ${doubled}.replace('', ${doubled})).size() > 0)`;
  const { errors, rules } = verdictOf(schema({ rule }), ["x".repeat(100_000)]);
  assert.equal(errors.length + rules.length, 1);
});

test("calls a rule not evaluated where it can't be compiled, and where a number can't be read exactly", () => {
  assert.deepEqual(verdictOf(schema({ rule: "self.nonsense()" }), ["a"]).rules, [
    { path: "f", location: "f", rule: "self.nonsense()" },
  ]);
  const big = { type: "integer", "x-kubernetes-validations": [{ rule: "self % 2 == 0" }] };
  assert.equal(verdictOf(big, 2 ** 60).rules.length, 1);
  assert.deepEqual(verdictOf(big, 2 ** 60).errors, []);
});

test("tells a failure at the rule's field, with its reason and its own message", () => {
  const rule = {
    rule: "self.x == 'b'",
    messageExpression: "'x is ' + self.x",
    reason: "FieldValueForbidden",
    fieldPath: ".x",
  };
  const one = { type: "object", properties: { x: { type: "string" } }, "x-kubernetes-validations": [rule] };
  assert.deepEqual(verdictOf(one, { x: "a" }).errors, [
    { type: "FieldValueForbidden", path: "f.x", message: "x is a" },
  ]);
  const failing = {
    ...one,
    "x-kubernetes-validations": [{ ...rule, messageExpression: "'a\\nb'", message: " plain " }],
  };
  assert.equal(verdictOf(failing, { x: "a" }).errors[0]?.message, "plain");
});

test("runs no rule where other errors keep the API server from it", () => {
  const one = {
    type: "object",
    required: ["y"],
    properties: { x: { type: "string" } },
    "x-kubernetes-validations": [{ rule: "false" }],
  };
  assert.deepEqual(
    verdictOf(one, {}).errors.map(({ path }) => path),
    ["f.y"],
  );
});

test("skips transition rules, and gives those that allow it no old value", () => {
  const rules = [
    { rule: "self == oldSelf" },
    { rule: "!oldSelf.hasValue() && oldSelf.orValue('z') == 'z'", optionalOldSelf: true },
  ];
  assert.deepEqual(verdictOf({ type: "string", "x-kubernetes-validations": rules }, "a").errors, []);
});
