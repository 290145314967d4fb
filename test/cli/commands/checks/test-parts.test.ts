import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { formatDifference } from "../../../../src/cli/commands/checks/case-results.ts";
import { applyMutation, listMutations } from "../../../../src/cli/commands/checks/undecided.ts";

describe("a difference of texts", () => {
  const LONG = ["a", "b", "c", "d", "e", "f", "g"];
  const cases: readonly (readonly [what: string, from: string, to: string, lines: readonly string[]])[] = [
    ["is nothing if they are equal", "a\nb\n", "a\nb\n", []],
    ["is a line instead of another", "a\nb\nc", "a\nx\nc", ["  a", "- b", "+ x", "  c"]],
    ["is a line that is added", "a\nc", "a\nb\nc\n", ["  a", "+ b", "  c"]],
    ["is all of a text beside an empty one", "", "a\nb", ["-", "+ a", "+ b"]],
    [
      "leaves out what is far from it",
      LONG.join("\n"),
      LONG.with(3, "x").join("\n"),
      ["  ...", "  b", "  c", "- d", "+ x", "  e", "  f", "  ..."],
    ],
  ];
  for (const [what, from, to, lines] of cases) test(what, () => assert.deepEqual(formatDifference(from, to), lines));
});

const DOCUMENT = {
  metadata: { name: "true" },
  spec: {
    title: "a == b",
    reads: {
      pods: { list: "v1/pods", where: 'object.x != "a == b"', when: "a < 1", index: { byA: "object.a && true" } },
    },
    variables: [{ name: "a", expression: "!pods.items.exists(p, p.all)" }],
    risks: [
      {
        findings: [
          { forEach: "pods.items", when: 'a in ["True"] || a.exists == 1', object: "{}", message: "${a == b}" },
        ],
        fix: [{ patch: { object: { kind: "!a" } } }],
      },
    ],
    unknowns: [{ when: "a >= b", where: "${a >= b}", message: "a > b" }],
  },
};

test("mutations are of operators in expressions, never of texts", () => {
  const changed = listMutations(DOCUMENT).map((one) => {
    const { place, start, end } = one;
    const steps: unknown = place.reduce<unknown>(
      (here, step) => (typeof here === "object" && here !== null ? Reflect.get(here, step) : undefined),
      applyMutation(DOCUMENT, one),
    );
    return [place.at(-1), one.expression.slice(start, end), steps];
  });
  assert.deepEqual(changed, [
    ["where", "!=", 'object.x == "a == b"'],
    ["when", "<", "a >= 1"],
    ["byA", "&&", "object.a || true"],
    ["byA", "true", "object.a && false"],
    ["expression", "!", "pods.items.exists(p, p.all)"],
    ["expression", "exists", "!pods.items.all(p, p.all)"],
    ["when", '"True"', 'a in ["False"] || a.exists == 1'],
    ["when", "||", 'a in ["True"] && a.exists == 1'],
    ["when", "==", 'a in ["True"] || a.exists != 1'],
    ["when", ">=", "a < b"],
  ]);
});
