import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { Json } from "../../../src/model/json.ts";
import {
  type CompiledExpression,
  type Expr,
  compile,
  compileObjectExpression,
  DYN,
  evaluateExpression,
  jsonToValue,
} from "../../../src/schema/cel/index.ts";
import { API_SERVER_FUNCTIONS } from "../../../src/schema/cel/library/api-server.ts";
import { CALL_LIMITS } from "../../../src/schema/cel/runtime/environment.ts";
import { ACCUMULATOR, API_SERVER_MACROS } from "../../../src/schema/cel/syntax/macros.ts";

/** Under another name, what a quantifier joins is folded step by step. */
function renameAccumulators(expr: Expr): Expr {
  return JSON.parse(JSON.stringify(expr, toPlain), (key, value: unknown) => {
    if (value === ACCUMULATOR && (key === "name" || key === "accumulator")) return "@other";
    return key === "optional" ? new Set() : fromPlain(value);
  });
}

function toPlain(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? { int: String(value) } : value;
}

function fromPlain(value: unknown): unknown {
  return typeof value === "object" && value !== null && "int" in value ? BigInt(String(value.int)) : value;
}

type Pair = { readonly text: string; readonly quick: CompiledExpression; readonly slow: CompiledExpression };

function compileTwice(text: string): Pair {
  const given = { variables: [["object", DYN] as const], functions: API_SERVER_FUNCTIONS, macros: API_SERVER_MACROS };
  const quick = compileObjectExpression(text, { ...given, mayMix: true });
  if (quick.kind === "fault") return assert.fail(`${text}: ${quick.message}`);
  const environment = { slots: new Map([["object", 0]]), size: 1, functions: API_SERVER_FUNCTIONS };
  return { text, quick, slow: { ...quick, code: compile(renameAccumulators(quick.syntax), environment) } };
}

const BODIES = [
  "x == 2",
  "x != 2",
  "x > 1",
  "x.a == 1",
  "x.?a.orValue(0) == 1",
  "x.?a.hasValue()",
  "x.?a.?b.hasValue()",
  "has(x.a)",
  "x",
  "true",
  "object.missing",
  "x in [1, 2]",
  "object.list.exists(y, y == x)",
  "object.list.all(x, x == 1) || x == 2",
  "object.list.exists_one(y, y == x)",
];
const RANGES = ["object.list", "object.?list.orValue([])", "object.map", "object.list.map(x, x)", "[object.list, 2]"];
const QUANTIFIERS = ["exists", "all"];
const OBJECTS: readonly Json[] = [
  { list: [], map: {} },
  { list: [1, 2, 3], map: { a: 1 } },
  { list: [{ a: 1 }, 2, null], map: { a: { a: 1 }, b: 2 } },
  { list: [true, false], map: { b: true } },
  { list: [{ a: null }, { a: { b: 1 } }, { a: 2 }], map: null },
  { list: "text", map: 1 },
  {},
];

test("what `exists` and `all` say and cost is what their expansion says and costs, wherever a limit ends them", () => {
  const pairs = RANGES.flatMap((range) =>
    QUANTIFIERS.flatMap((name) => BODIES.map((body) => compileTwice(`${range}.${name}(x, ${body})`))),
  );
  const outcomes = new Set<string>();
  for (const json of OBJECTS)
    for (const { text, quick, slow } of pairs)
      for (const cost of [CALL_LIMITS.cost, ...Array(24).keys()]) {
        const [one, other] = [quick, slow].map((code) =>
          evaluateExpression(code, [jsonToValue(json)], { ...CALL_LIMITS, cost }),
        );
        assert.deepEqual(one, other, `${text} of ${JSON.stringify(json)} within ${cost}`);
        outcomes.add(one?.kind === "value" ? JSON.stringify(one.value) : (one?.kind ?? ""));
      }
  assert.deepEqual([...outcomes].toSorted(), ["costLimit", "error", "false", "true"]);
});

test("`hasValue` of steps says and costs what it does of the optional that they make", () => {
  const texts = ["object.?list", "object.?list[?0]", "object[?'map'].?a", "object.missing.?list", "object.?map.?a.?a"];
  for (const json of OBJECTS)
    for (const text of texts) {
      const [asked, made] = [`${text}.hasValue()`, `[${text}][0].hasValue()`].map((one) =>
        evaluateExpression(compileTwice(one).quick, [jsonToValue(json)]),
      );
      const { cost, work: _, memory: _made, ...outcome } = asked ?? assert.fail();
      const { cost: more, work: _work, memory: _memory, ...wanted } = made ?? assert.fail();
      assert.deepEqual(outcome, wanted, `${text} of ${JSON.stringify(json)}`);
      // The list, and the attribute with its only step.
      if (outcome.kind === "value") assert.equal(more - cost, 12, text);
    }
});
