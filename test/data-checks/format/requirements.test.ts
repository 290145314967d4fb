import { strict as assert } from "node:assert";
import { test } from "node:test";
import { listUsedFields, listUsedFunctions } from "../../../src/data-checks/format/parse.ts";
import { parseObject } from "../../../src/model/json.ts";

test("the functions and macros that texts call are known by their names before a parenthesis", () => {
  const texts = {
    a: ["x.exists(y, y)", "has\n(x)", "'a'.contains('b')"],
    b: "names.x + sizeof(1) + size (2) + quote",
    c: { d: "crosses\t('4.19') + condition\r(x)" },
  };
  assert.deepEqual(listUsedFunctions(texts), ["condition", "contains", "crosses", "exists", "has", "size"]);
  assert.deepEqual(listUsedFunctions({}), []);
});

test("the fields of a format that documents use are those of its schema, without the names that authors give", () => {
  // As text, since an object with the key "then" is taken for a promise.
  const definitions =
    parseObject(`{
      "read": {"type": "object", "properties": {"list": {"type": "string"}, "only": {}}},
      "command": {
        "if": {"type": "array"},
        "then": {"type": "array", "items": {"properties": {"get": {}}}},
        "else": {"properties": {"run": {}}}
      },
      "choice": {"if": {"type": "string"}, "then": {}, "else": {"properties": {"key": {}}}}
    }`) ?? {};
  const schema = {
    properties: {
      spec: {
        properties: {
          title: {},
          reads: { additionalProperties: { $ref: "#/definitions/read" } },
          fix: { $ref: "#/definitions/command" },
          see: { $ref: "#/definitions/command" },
          choice: { $ref: "#/definitions/choice" },
        },
      },
    },
  };
  const spec = {
    title: "a",
    reads: { nodes: { list: "v1/nodes" }, list: { only: { list: 1 } } },
    fix: [{ get: {}, run: "a" }],
    see: { run: "a", get: 1 },
    choice: "key",
  };
  assert.deepEqual(listUsedFields([{ spec }, { spec: { title: "b", other: 1 } }, "text"], schema, definitions), [
    "spec",
    "spec.choice",
    "spec.fix",
    "spec.fix.get",
    "spec.reads",
    "spec.reads.list",
    "spec.reads.only",
    "spec.see",
    "spec.see.run",
    "spec.title",
  ]);
  assert.deepEqual(listUsedFields([{ spec: { choice: { key: 1 } } }], schema, definitions), [
    "spec",
    "spec.choice",
    "spec.choice.key",
  ]);
});
