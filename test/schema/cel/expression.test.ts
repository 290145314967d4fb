import { strict as assert } from "node:assert";
import { test } from "node:test";
import { type Json, parseObject } from "../../../src/model/json.ts";
import {
  type Declarations,
  type Evaluation,
  type Taken,
  type CompiledExpression,
  compileObjectExpression,
  evaluateExpression,
} from "../../../src/schema/cel/index.ts";
import { CALL_LIMITS } from "../../../src/schema/cel/runtime/environment.ts";
import { API_SERVER_MACROS } from "../../../src/schema/cel/syntax/macros.ts";
import { DYN } from "../../../src/schema/cel/types/types.ts";
import { API_SERVER_FUNCTIONS } from "../../../src/schema/cel/library/api-server.ts";
import { jsonToValue } from "../../../src/schema/cel/values/unstructured.ts";

const OBJECT: Json = {
  metadata: { name: "a", namespace: "b", labels: { z: "1", "app.kubernetes.io/name": "x", a: "2" }, gone: null },
  spec: { replicas: 3, ratio: 0.5, huge: 1e300, list: [1, null, "x", { y: [true] }], none: [], empty: {} },
};

const DECLARED: Declarations = {
  variables: [["object", DYN]],
  functions: API_SERVER_FUNCTIONS,
  macros: API_SERVER_MACROS,
};

function compileText(text: string): CompiledExpression {
  const compiled = compileObjectExpression(text, DECLARED);
  return compiled.kind === "expression" ? compiled : assert.fail(`${text}: ${compiled.message}`);
}

function evaluate(text: string, object: Json, cost = CALL_LIMITS.cost): Evaluation {
  return evaluateExpression(compileText(text), [jsonToValue(object)], { ...CALL_LIMITS, cost });
}

const TRUE: readonly string[] = [
  "type(object.spec.replicas) == int && object.spec.replicas + 1 == 4",
  "type(object.spec.ratio) == double && object.spec.ratio == 0.5 && type(object.spec.huge) == double",
  "object.metadata.namespace == 'b' && object.metadata.labels['app.kubernetes.io/name'] == 'x'",
  "has(object.metadata.gone) && object.metadata.gone == null && object.metadata.size() == 4",
  "object.?status.?phase.orValue('none') == 'none' && object.?metadata.?gone.orValue('absent') == null",
  "object.metadata.labels.map(k, k) == ['a', 'app.kubernetes.io/name', 'z']",
  "object.metadata.labels.transformList(k, v, k + v) == ['a2', 'app.kubernetes.io/namex', 'z1']",
  "object.spec.list.size() == 4 && object.spec.list[1] == null && object.spec.list[3].y[0] && 'x' in object.spec.list",
  "object.spec.list.filter(x, type(x) == int) == [1] && object.spec.none == [] && object.spec.empty == {}",
  "object.metadata.labels == {'a': '2', 'z': '1', 'app.kubernetes.io/name': 'x'} && object.spec.empty == {}",
  "object.spec == object.spec && object.spec != object.metadata && object.spec.list != object.spec.none",
];

/** What the API server does with values that type-checking can't tell, found by random expressions. */
const DYNAMIC: readonly string[] = [
  "object.spec.replicas.orValue(4) == 3 && dyn(dyn(3).or(optional.of(4))) == 3",
  "[dyn(2), dyn('a'), dyn(1)].max() == 2 && [dyn(2), dyn('a'), dyn(1)].min() == 1",
  "[dyn('a'), dyn(1)].isSorted() && ![dyn(2), dyn('a'), dyn(1), dyn(0)].isSorted()",
  "dyn(optional.of('abc')).matches('b') && dyn(optional.of(optional.of('abc'))).find('b') == 'b'",
  "dyn(type(1)).matches('int')",
  "optional.ofNonZeroValue(optional.none()).hasValue()",
  "dyn((true ? optional.of(optional.of(1)) : optional.none()).value()) == 1 && optional.of(optional.of(1)).value().hasValue()",
  "!object.?gone[object.nothing.at.all].hasValue()",
  "dyn([1]).distinct().sum() == 1",
  "!has(object.spec.?nothing.at) && has(object.?spec.list)",
  "'%.2f'.format([1e21]) == '1,000,000,000,000,000,000,000.00' && '%s'.format([[-1e22]]) == '[-10000000000000000000000.000000]'",
];

const NOTHING: Taken = { cost: 0, work: 0, memory: 0 };

for (const text of [...TRUE, ...DYNAMIC]) {
  test(`reads JSON without a schema: ${text}`, () =>
    assert.deepEqual({ ...evaluate(text, OBJECT), ...NOTHING }, { kind: "value", value: true, ...NOTHING }));
}

const FAILING: readonly (readonly [text: string, reason: string])[] = [
  ["object.spec.missing == 1", "no such key: missing"],
  ["object.spec.list['a']", "no such overload"],
  ["[1, 2][dyn(1e300)]", "no such overload"],
  ["[dyn(null)].max()", "no such overload"],
  // Type-checking leaves the first overload of max, which takes ints.
  ["dyn(['a']).distinct().max()", "no such overload"],
];

for (const [text, reason] of FAILING) {
  test(`fails as the API server: ${text}`, () => {
    const evaluation = evaluate(text, OBJECT);
    assert.deepEqual([evaluation.kind, evaluation.kind === "error" && evaluation.text], ["error", reason]);
  });
}

test("reads integers of 64 bits with all their digits", () => {
  const object = parseObject('{"bytes": 9223372036854775807}') ?? {};
  const evaluation = evaluate("object.bytes - 9223372036854775800", object);
  assert.deepEqual([evaluation.kind, evaluation.kind === "value" && evaluation.value], ["value", 7n]);
});

test("ends at the limit of the cost, and says what was spent", () => {
  const text = "object.spec.list.all(x, object.spec.list.all(y, x == x))";
  assert.equal(evaluate(text, OBJECT, 50).kind, "costLimit");
  assert.ok(evaluate(text, OBJECT).cost > 50);
});

test("names the variables that an expression uses, and the type of its value", () => {
  const { names, type } = compileText("object.spec.list.exists(spec, spec == 1)");
  assert.deepEqual([[...names], type.kind], [["object"], "bool"]);
  assert.deepEqual([...compileText("1 + 1").names], []);
});

test("says where a fault is", () => {
  const text = "object.spec.replicas > 1 && objekt.spec";
  const fault = compileObjectExpression(text, DECLARED);
  if (fault.kind !== "fault") assert.fail("it compiles");
  assert.deepEqual([text.slice(fault.start, fault.end), fault.message], ["objekt", "the name objekt is not declared"]);
});
