import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { Json } from "../../../src/model/json.ts";
import {
  type CelValue,
  type CompiledExpression,
  compileObjectExpression,
  DYN,
  evaluateExpression,
  forgetParts,
  jsonToValue,
} from "../../../src/schema/cel/index.ts";
import { API_SERVER_FUNCTIONS } from "../../../src/schema/cel/library/api-server.ts";
import { CALL_LIMITS } from "../../../src/schema/cel/runtime/environment.ts";
import { API_SERVER_MACROS } from "../../../src/schema/cel/syntax/macros.ts";

function compileText(text: string, isShared?: true): CompiledExpression {
  const given = { variables: [["object", DYN] as const], functions: API_SERVER_FUNCTIONS, macros: API_SERVER_MACROS };
  const compiled = compileObjectExpression(text, { ...given, mayMix: true, isShared });
  return compiled.kind === "expression" ? compiled : assert.fail(`${text}: ${compiled.message}`);
}

const TEXTS = [
  'object.metadata.name == "a"',
  'object.metadata.name != "a"',
  "object.metadata.?name",
  'object.metadata.labels["x"] == "1"',
  'object.metadata.?labels[?"x"].orValue("none")',
  'object.?metadata.?labels.?x.orValue("other")',
  "object.metadata.labels.y",
  "has(object.metadata.labels)",
  "object.?spec.?list.orValue([]).map(one, one.?inner.?n.orValue(0))",
  "object.?spec.?list.orValue([]).exists(one, one.inner.n == 2)",
  "object.spec.list[0].inner.n + object.spec.list[0].inner.n",
  "object.spec.name.inner",
  "object.?spec.?name.?inner",
  "[1, 2].transformMap(i, v, {'a': {'b': v}}).map(k, k)",
  "optional.of(object).?metadata.?name",
];

const OBJECTS: readonly Json[] = [
  { metadata: { name: "a", labels: { x: "1" } }, spec: { list: [{ inner: { n: 1 } }, { inner: { n: 2 } }, {}] } },
  { metadata: { name: "b" }, spec: { name: "text", list: [{ inner: { n: 2 } }] } },
  { metadata: { labels: { y: null } }, spec: null },
  { metadata: { labels: { x: "1", y: "2" } } },
];

test("what expressions share of an object changes no value and no cost of theirs, wherever a limit ends them", () => {
  const shared = TEXTS.map((text) => compileText(text, true));
  const alone = TEXTS.map((text) => compileText(text));
  for (const object of [...OBJECTS, ...OBJECTS.toReversed()].map((json) => jsonToValue(json)))
    for (const [i, text] of TEXTS.entries())
      for (const cost of [CALL_LIMITS.cost, ...Array(12).keys()]) {
        const limits = { ...CALL_LIMITS, cost };
        const [one, other] = [shared, alone].map((codes) =>
          evaluateExpression(codes[i] ?? assert.fail(), [object], limits),
        );
        assert.deepEqual(one, other, `${text} within ${cost}`);
      }
});

/** How often `name` is read of objects that several expressions are evaluated for. */
function countReads(
  texts: readonly string[],
  evaluate: (codes: readonly CompiledExpression[], value: CelValue) => void,
) {
  let reads = 0;
  const metadata = {
    get name() {
      reads += 1;
      return "a";
    },
  };
  evaluate(
    texts.map((text) => compileText(text, true)),
    jsonToValue({ metadata }),
  );
  return reads;
}

test("the same steps are taken once for an object, until they are forgotten", () => {
  const texts = ['object.metadata.name == "a"', 'object.metadata.name.startsWith("b")', "object.?metadata.?name"];
  const once = countReads(texts, (codes, value) => {
    for (const code of [...codes, ...codes]) evaluateExpression(code, [value]);
  });
  assert.equal(once, 2);
  const again = countReads(texts, (codes, value) => {
    for (const code of codes) {
      evaluateExpression(code, [value]);
      forgetParts();
    }
  });
  assert.equal(again, 3);
});
