import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { Json } from "../../../src/model/json.ts";
import { API_SERVER_FUNCTIONS } from "../../../src/schema/cel/library/api-server.ts";
import { API_SERVER_MACROS } from "../../../src/schema/cel/macros/table.ts";
import { compile } from "../../../src/schema/cel/runtime/compiler.ts";
import { jsonToValue } from "../../../src/schema/cel/runtime/values/unstructured.ts";
import { type CelValue, UnsupportedError } from "../../../src/schema/cel/runtime/values/value.ts";
import { parseExpression } from "../../../src/schema/cel/syntax/parser.ts";

const OBJECT: Json = {
  metadata: { name: "a", namespace: "b", labels: { z: "1", "app.kubernetes.io/name": "x", a: "2" }, gone: null },
  spec: { replicas: 3, ratio: 0.5, huge: 1e300, list: [1, null, "x", { y: [true] }], none: [], empty: {} },
};

function evaluate(text: string, object: Json): CelValue {
  const environment = {
    slots: new Map([["object", 0]]),
    size: 1,
    functions: API_SERVER_FUNCTIONS,
  };
  const code = compile(parseExpression(text, API_SERVER_MACROS), environment);
  return code({ variables: [jsonToValue(object)], spent: 0, costLimit: 10_000 });
}

const TRUE: readonly string[] = [
  "type(object.spec.replicas) == int && object.spec.replicas + 1 == 4",
  "type(object.spec.ratio) == double && object.spec.ratio == 0.5 && type(object.spec.huge) == double",
  "object.metadata.namespace == 'b' && object.metadata.labels['app.kubernetes.io/name'] == 'x'",
  "!has(object.metadata.gone) && !('gone' in object.metadata) && object.metadata.size() == 3",
  "object.?status.?phase.orValue('none') == 'none' && object.?metadata.?gone.orValue('absent') == 'absent'",
  "object.metadata.labels.map(k, k) == ['a', 'app.kubernetes.io/name', 'z']",
  "object.metadata.labels.transformList(k, v, k + v) == ['a2', 'app.kubernetes.io/namex', 'z1']",
  "object.spec.list.size() == 4 && object.spec.list[1] == null && object.spec.list[3].y[0] && 'x' in object.spec.list",
  "object.spec.list.filter(x, type(x) == int) == [1] && object.spec.none == [] && object.spec.empty == {}",
  "object.metadata == {'name': 'a', 'namespace': 'b', 'labels': {'a': '2', 'z': '1', 'app.kubernetes.io/name': 'x'}}",
  "object.spec == object.spec && object.spec != object.metadata && object.spec.list != object.spec.none",
];

for (const text of TRUE) {
  test(`reads JSON without a schema: ${text}`, () => assert.equal(evaluate(text, OBJECT), true));
}

test("fails as the API server where a member is absent", () => {
  assert.deepEqual(evaluate("object.spec.missing == 1", OBJECT), { kind: "failure", text: "no such key: missing" });
});

test("does not guess at an integer that JSON.parse may have rounded", () => {
  const object = { sizes: { bytes: 2 ** 60 }, other: 1 };
  assert.throws(() => evaluate("object.sizes.bytes", object), UnsupportedError);
  assert.equal(evaluate("object.other", object), 1n);
});
