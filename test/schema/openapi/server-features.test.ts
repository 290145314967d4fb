import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type Json, type JsonObject, textAt } from "../../../src/model/json.ts";
import { judgeDefinition } from "../../../src/schema/crd/index.ts";
import { listErrors, validateField, wrapSpec } from "../../../verify/schema/cel/cases.ts";
import { ERRORS, FIELDS, TRUE } from "../../../verify/schema/cel/table.ts";
import { ORACLE_MINOR, findOracle } from "../../../verify/differential/oracle.ts";

/** A rule, the first minor that accepts it in the installed CRD and the first that accepts it as new. */
const RULES: readonly (readonly [rule: string, installed: number, isNew: number])[] = [
  ["self.i < 1.5", 28, 29],
  ["self.?s.hasValue()", 28, 29],
  ["[?self.?s] == []", 28, 29],
  ["{?'a': self.?s} == {}", 28, 29],
  ["optional.of(1).optMap(x, x + 1).hasValue()", 28, 29],
  ["quantity('1Gi').isInteger()", 28, 29],
  ["'%s'.format([self.s]) == ''", 29, 30],
  ["strings.quote(self.s) == ''", 29, 30],
  ["sets.contains(self.list, ['a'])", 29, 30],
  ["isIP(self.s)", 29, 29],
  ["cidr('10.0.0.0/8').containsIP('10.0.0.1')", 29, 29],
  ["string(ip('::1')) == '::1'", 29, 29],
  ["!format.dns1123Label().validate('a').hasValue()", 31, 32],
  ["self.list.all(i, v, i < 4 && v != 'z')", 32, 33],
  ["{'a': 1}.transformMap(k, v, v + 1) == {'a': 2}", 32, 33],
  ["[1, 2].first().hasValue()", 33, 33],
  ["[self.?s].unwrapOpt() == []", 33, 33],
  ["isSemver('1.2.3')", 33, 34],
  // Earlier API servers estimate a cost beyond the limit.
  ["quantity('1Ki') == quantity('1024')", 32, 32],
  ["dyn(self.keyed) == dyn(self.keyed2)", 33, 33],
  ["[1, 2].sort() == [1, 2]", 34, 35],
  ["[1, 2].sortBy(x, -x) == [2, 1]", 34, 35],
  ["lists.range(3) == [0, 1, 2]", 34, 35],
];

function define(rules: readonly Json[], more: JsonObject = {}): JsonObject {
  const spec = { ...FIELDS, ...more, "x-kubernetes-validations": rules };
  return wrapSpec(spec);
}

/** Why the definition is refused: as a new one, and in place of one that differs in a description alone. */
function judgeBoth(rules: readonly Json[], minor: number): readonly [asNew: string, installed: string] {
  const installed = define(rules, { description: "before" });
  const definition = define(rules);
  const first = judgeDefinition(definition, undefined, minor);
  const second = judgeDefinition(definition, installed, minor);
  return [first.refusals[0]?.reason ?? "", second.refusals[0]?.reason ?? ""];
}

test("a rule may use what its API server knows, and a new rule what the one of the minor before knows too", () => {
  const wrong = RULES.filter(([rule, installed, isNew]) => {
    const accepts = (minor: number, at: 0 | 1): boolean => judgeBoth([{ rule, message: "m" }], minor)[at] === "";
    return accepts(installed - 1, 1) || !accepts(installed, 1) || accepts(isNew - 1, 0) || !accepts(isNew, 0);
  });
  assert.deepEqual(wrong, []);
});

test("the length of a value that may be an integer counts in the cost from Kubernetes 1.34 on, that of an enum from 1.29 on", () => {
  const judge = (schema: JsonObject, minor: number): boolean => {
    const items = {
      ...schema,
      "x-kubernetes-validations": [{ rule: "self.split('@')[0].matches('^a+$')", message: "m" }],
    };
    return judgeDefinition(wrapSpec({ type: "array", maxItems: 500, items }), undefined, minor).refusals.length === 0;
  };
  const mixed = { "x-kubernetes-int-or-string": true, maxLength: 40 };
  assert.deepEqual(
    [33, 34].map((minor) => judge(mixed, minor)),
    [false, true],
  );
  assert.deepEqual(
    [28, 29].map((minor) => judge({ type: "string", enum: ["a"] }, minor)),
    [false, true],
  );
});

test("before Kubernetes 1.34, server-side apply needs every key of an item", () => {
  const properties = { a: { type: "string" }, b: { type: "string" } };
  const list = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a", "b"] };
  const schema = { type: "array", items: { type: "object", properties }, ...list };
  const faults = [33, 34].map(
    (kubernetesMinor) => validateField(schema, [{ a: "x" }], { kubernetesMinor }).applyFaults,
  );
  const message = "Server-side apply accepts no item without b in this list";
  assert.deepEqual(faults, [[{ path: "f[0].b", message }], []]);
});

test("before Kubernetes 1.36, a format lets texts and lists pass for a value of any type that is no number", () => {
  const errors = [35, 36].map((kubernetesMinor) =>
    ["boolean", "integer"].map((type) => listErrors({ type, format: "date" }, [], { kubernetesMinor }).length),
  );
  assert.deepEqual(errors, [
    [0, 1],
    [1, 1],
  ]);
});

test("a refusal names the minor that accepts the rule", () => {
  const [reason] = judgeBoth([{ rule: "[1, 2].sort() == [1, 2]", message: "m" }], 34);
  assert.equal(reason, "there is no function sort (Kubernetes 1.35 and later accept this expression)");
  const [never] = judgeBoth([{ rule: "[1, 2].shuffle() == [1, 2]", message: "m" }], 34);
  assert.equal(never, "there is no function shuffle");
});

test("the API server's own packages agree on every function, in new rules and in those of the installed CRD", async (t) => {
  const oracle = await findOracle();
  if (typeof oracle === "string") return t.skip(oracle);
  const folder = mkdtempSync(join(tmpdir(), "preflight-features-"));
  try {
    const own = RULES.map(([rule]) => rule);
    const rules: readonly Json[] = [
      ...[...own, ...Object.values(TRUE).flat(), ...ERRORS].map((rule) => ({ rule, message: "m" })),
      ...own.map((rule) => ({ rule: "self.i > 0", messageExpression: `(${rule}) ? 'a' : 'b'` })),
    ];
    const questions = rules.flatMap((rule, i) => {
      const crd = join(folder, `${i}.json`);
      const live = join(folder, `${i}-before.json`);
      writeFileSync(crd, JSON.stringify(define([rule])));
      writeFileSync(live, JSON.stringify(define([rule], { description: "before" })));
      return [
        { crd, check: true as const },
        { crd, check: true as const, live },
      ];
    });
    const answers = await oracle(questions);
    const differ = rules.flatMap((rule, i) => {
      const ours = judgeBoth([rule], ORACLE_MINOR).map((reason) => reason === "");
      const theirs = [2 * i, 2 * i + 1].map((at) => answers[at]?.["valid"] === true);
      const errors = [2 * i, 2 * i + 1].map((at) => textAt(answers[at], "error")?.slice(0, 1_000));
      return ours.join() === theirs.join() ? [] : [{ rule, ours, theirs, errors }];
    });
    assert.deepEqual(differ, []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("equal values with a null, or with a field whose name needs escaping, are equal since 1.34", () => {
  const schema: JsonObject = {
    type: "object",
    properties: { __x__: { type: "string" }, a: { type: "string", nullable: true } },
    "x-kubernetes-validations": [{ rule: "self == self" }],
  };
  const values: readonly JsonObject[] = [{ a: "x" }, { a: null }, { __x__: "x" }];
  const counts = [33, 34].map((kubernetesMinor) =>
    values.map((value) => listErrors(schema, value, { kubernetesMinor }).length),
  );
  assert.deepEqual(counts, [
    [0, 1, 1],
    [0, 0, 0],
  ]);
});
