import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { JsonObject, Json } from "../../../src/model/json.ts";
import { validateObject } from "../../../src/schema/crd/index.ts";
import { compileForTest } from "../../../verify/schema/cel/cases.ts";

function buildSchema(rule: { readonly [key: string]: Json }, more: { readonly [key: string]: Json } = {}): Json {
  return { type: "array", items: { type: "string" }, "x-kubernetes-validations": [rule], ...more };
}

function validateField(rules: Json, value: Json): ReturnType<typeof validateObject> {
  return validateObject(compileForTest({ type: "object", properties: { f: rules } }), { f: value });
}

const MANY_ITEMS = Array.from({ length: 2_000 }, (_, i) => `item ${i}`);

test("stops a rule that exceeds the cost limit of one evaluation", () => {
  const { errors, unevaluatedRules } = validateField(
    buildSchema({ rule: "self.all(a, self.all(b, self.all(c, a + b != c)))" }),
    MANY_ITEMS,
  );
  assert.deepEqual(unevaluatedRules, []);
  assert.match(errors[0]?.message ?? "", /call cost exceeds limit/);
  assert.equal(errors.length, 1);
});

test("a count of costs below zero is more than any budget", () => {
  const { errors } = validateField(buildSchema({ rule: "[self, self, self].flatten(-9).size() == 3" }), ["a"]);
  assert.match(errors[0]?.message ?? "", /running out of cost budget/);
  const messageExpression = "string([self, self, self].flatten(-9).size())";
  const said = validateField(buildSchema({ rule: "self.size() > 1", messageExpression }), ["a"]);
  assert.match(said.errors[0]?.message ?? "", /^messageExpression evaluation failed due to running out of cost budget/);
});

test("runs no further rule once the object's budget is spent", () => {
  const item = {
    type: "string",
    "x-kubernetes-validations": [{ rule: "self.matches('a{1,1000}') || size(self) > 0" }],
  };
  const rule = { rule: "self.all(a, self[0] != a || self.all(b, b.contains('item')))" };
  const heavy = { type: "array", items: buildSchema(rule) };
  const { errors } = validateField(
    heavy,
    Array.from({ length: 900 }, () => MANY_ITEMS),
  );
  assert.deepEqual(errors.map(({ path }) => path).filter((path) => path.startsWith("f[")).length, 1);
  assert.match(errors[0]?.message ?? "", /running out of cost budget/);
  assert.deepEqual(validateField({ type: "array", items: item }, MANY_ITEMS).errors, []);
});

test("stops a rule whose strings grow endlessly", () => {
  const doubled = "[s, s, s, s, s, s, s, s, s, s].join(s)";
  const rule = `self.all(s, ${doubled}.replace('', ${doubled}.replace('', ${doubled})).size() > 0)`;
  const { errors, unevaluatedRules } = validateField(buildSchema({ rule }), ["x".repeat(100_000)]);
  assert.equal(errors.length + unevaluatedRules.length, 1);
});

/** For the API server a join or a comparison of lists costs 1, whatever they hold. */
const MANY_LISTS = `[${"self, ".repeat(20)}self]`;
const EXHAUSTING: readonly (readonly [what: string, rule: string])[] = [
  ["memory, and holds", "self.map(a, self + self).size() > 0"],
  ["memory, and fails", "self.map(a, self + self).size() == 0"],
  ["work, and holds", `self.all(a, ${MANY_LISTS} == ${MANY_LISTS})`],
  ["work, and fails", `self.exists(a, ${MANY_LISTS} != ${MANY_LISTS})`],
];

for (const [what, rule] of EXHAUSTING) {
  test(`a rule within the API server's costs is not evaluated if it takes too much here: ${what}`, () => {
    const { errors, unevaluatedRules } = validateField(buildSchema({ rule }), MANY_ITEMS);
    assert.deepEqual([errors, unevaluatedRules], [[], [{ path: "f", location: "f", rule }]]);
    const judged = validateField(buildSchema({ rule }), MANY_ITEMS.slice(0, 50));
    assert.deepEqual([judged.errors.length, judged.unevaluatedRules], [what.endsWith("fails") ? 1 : 0, []]);
  });
}

test("a failure is left open if its message takes too much, and others are still told", () => {
  const messageExpression = "string(self.map(a, self + self).size())";
  const rules: readonly Json[] = [{ rule: "self.size() == 0", messageExpression }, { rule: "self[0] == ''" }];
  const { errors, unevaluatedRules } = validateField(
    { type: "array", items: { type: "string" }, "x-kubernetes-validations": rules },
    MANY_ITEMS,
  );
  assert.deepEqual(
    [errors.map(({ message }) => message), unevaluatedRules.map(({ rule }) => rule)],
    [["failed rule: self[0] == ''"], ["self.size() == 0"]],
  );
});

test("reports a rule as not evaluated if it can't be compiled", () => {
  assert.deepEqual(validateField(buildSchema({ rule: "self.nonsense()" }), ["a"]).unevaluatedRules, [
    { path: "f", location: "f", rule: "self.nonsense()" },
  ]);
});

test("evaluates rules about integers of 64 bits by all of their digits", () => {
  const even = { type: "integer", "x-kubernetes-validations": [{ rule: "self % 2 == 0" }] };
  const { errors, unevaluatedRules } = validateField(even, 2n ** 60n);
  assert.deepEqual([...errors, ...unevaluatedRules], []);
  assert.equal(validateField(even, 2n ** 60n + 1n).errors.length, 1);
});

test("reports a failure at the rule's fieldPath, with its reason and message", () => {
  const rule = {
    rule: "self.x == 'b'",
    messageExpression: "'x is ' + self.x",
    reason: "FieldValueForbidden",
    fieldPath: ".x",
  };
  const one = { type: "object", properties: { x: { type: "string" } }, "x-kubernetes-validations": [rule] };
  assert.deepEqual(validateField(one, { x: "a" }).errors, [
    { type: "FieldValueForbidden", path: "f.x", message: "x is a" },
  ]);
  const failing = {
    ...one,
    "x-kubernetes-validations": [{ ...rule, messageExpression: "'a\\nb'", message: " plain " }],
  };
  assert.equal(validateField(failing, { x: "a" }).errors[0]?.message, "plain");
});

test("runs no rules if other errors keep the API server from running them", () => {
  const one = {
    type: "object",
    required: ["y"],
    properties: { x: { type: "string" } },
    "x-kubernetes-validations": [{ rule: "false" }],
  };
  assert.deepEqual(
    validateField(one, {}).errors.map(({ path }) => path),
    ["f.y"],
  );
});

test("skips transition rules, and runs those with optionalOldSelf without an old value", () => {
  const rules: readonly JsonObject[] = [
    { rule: "self == oldSelf" },
    { rule: "!oldSelf.hasValue() && oldSelf.orValue('z') == 'z'", optionalOldSelf: true },
  ];
  assert.deepEqual(validateField({ type: "string", "x-kubernetes-validations": rules }, "a").errors, []);
});

test("charges nothing for a negative number or a negation of a negation, as the API server", () => {
  const numbers = Array.from({ length: 420 }, (_, i) => i);
  for (const rule of ["self.all(x, self.all(y, y > -1))", "self.all(x, self.all(y, !!(y >= 0)))"]) {
    const list = { type: "array", items: { type: "integer" }, "x-kubernetes-validations": [{ rule }] };
    assert.deepEqual(validateField(list, numbers).errors, []);
  }
});

test("leaves a rule whose macros expand without end", () => {
  const rule = `${Array.from({ length: 16 }).reduce<string>((text) => `${text}.optMap(x, x)`, "optional.of(1)")}.hasValue()`;
  assert.equal(validateField(buildSchema({ rule }), ["a"]).unevaluatedRules.length, 1);
});
