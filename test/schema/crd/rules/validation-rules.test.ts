import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { JsonObject, Json } from "../../../../src/model/json.ts";
import { validateObject } from "../../../../src/schema/crd/index.ts";
import { usesOldSelf } from "../../../../src/schema/crd/rules/rule-program.ts";
import { compileForTest } from "../../../../verify/schema/cel/cases.ts";

function buildRule(text: string, more: { readonly [key: string]: Json } = {}): Json {
  return [{ rule: text, ...more }];
}

const SCHEMA = {
  type: "object",
  "x-kubernetes-validations": buildRule("root"),
  properties: {
    list: {
      type: "array",
      items: {
        type: "object",
        properties: { x: { type: "string", nullable: true, "x-kubernetes-validations": buildRule("item") } },
      },
    },
    map: { type: "object", additionalProperties: { type: "string", "x-kubernetes-validations": buildRule("entry") } },
    filled: { type: "string", default: "x", "x-kubernetes-validations": buildRule("filled") },
    fixed: { type: "string", "x-kubernetes-validations": buildRule("self == oldSelf") },
    optional: {
      type: "string",
      "x-kubernetes-validations": buildRule("oldSelf.hasValue()", { optionalOldSelf: true }),
    },
  },
};

test("lists each rule that has a value once, at the first such value", () => {
  const object: JsonObject = { list: [{}, { x: null }, { x: "a" }, { x: "b" }], map: { "a.b": "c" }, fixed: "y" };
  assert.deepEqual(validateObject(compileForTest(SCHEMA), object).unevaluatedRules, [
    { path: "", location: "", rule: "root" },
    { path: "filled", location: "filled", rule: "filled" },
    { path: "list[2].x", location: "list[*].x", rule: "item" },
    { path: "map[a.b]", location: "map[*]", rule: "entry" },
  ]);
});

test("compiles all rules of a schema", () => {
  const locations = [...compileForTest(SCHEMA).programs.keys()].map((one) => one.location);
  assert.deepEqual(locations.toSorted(), ["", "filled", "fixed", "list[*].x", "map[*]", "optional"]);
});

const USES: readonly (readonly [string, boolean])[] = [
  ["self == oldSelf", true],
  ["self.x.oldSelf == 1", false],
  ["self.?oldSelf.hasValue()", false],
  ["self.oldSelf + oldSelf", true],
  [".oldSelf == self", true],
  ["self == 'oldSelf'", false],
  ['self == "it\\"s oldSelf"', false],
  ["self == r'\\' + oldSelf", true],
  ["self == '''a\n'oldSelf''' ", false],
  ["self == r'''\\''' + oldSelf", true],
  ["self == b'oldSelf'", false],
  ["self == 1 // oldSelf", false],
  ["oldSelf2 == notOldSelf", false],
  ["self.`oldSelf`", false],
  ["self.all(x, x == 1 ? oldSelf : self)", true],
  ["[1].size() == oldSelf.size()", true],
  ["", false],
];

for (const [expression, uses] of USES) {
  test(`${uses ? "finds" : "doesn't find"} oldSelf in ${JSON.stringify(expression)}`, () =>
    assert.equal(usesOldSelf(expression), uses));
}
