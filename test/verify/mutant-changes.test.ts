import assert from "node:assert/strict";
import { parse } from "acorn";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  type Compare,
  EXIT_CODES,
  MUTANTS,
  type MutantOutcome,
  findMutants as findPlanted,
} from "../../verify/differential/mutants.ts";
import { judgeFailure } from "../../verify/mutants/failure.ts";
import { findMutants } from "../../verify/mutants/find-mutants.ts";
import { instrument } from "../../verify/mutants/instrument.ts";
import { mutateRegex } from "../../verify/mutants/regex-changes.ts";
import { EndlessError } from "../../verify/mutants/switchboard.ts";

const CHANGES: readonly [source: string, ...mutants: string[]][] = [
  ["if (a) b = c;", "a -> true", "a -> false"],
  ["while (a) b = c;", "a -> false"],
  ["if (a === b) c = d;", "a === b -> true", "a === b -> false"],
  ["x = a === b;", "a === b -> a !== b"],
  ["x = a <= b;", "a <= b -> a < b", "a <= b -> a > b"],
  ["x = a && b;", "a && b -> a || b"],
  ["x = (a ?? b) || c;", "(a ?? b) || c -> ((a ?? b)) && c", "a ?? b -> a && b"],
  ["x = a - b;", "a - b -> a + b"],
  ['x = a + "b";'],
  ["x = !a;", "!a -> a"],
  ["x += a;", "x += a -> x -= a"],
  ["x++;", "x++ -> x--"],
  ["x = 7;", "7 -> 8"],
  ["x = [7];"],
  ["a.b(c);", "a.b(c) -> undefined"],
  ["x = a.some(b);", "some -> every"],
  ["x = (a ?? b).filter(c);", ".filter(c) -> ", "a ?? b -> a && b"],
  ["x = a?.b.filter(c < d);", ".filter(c < d) -> ", "c < d -> c <= d", "c < d -> c >= d"],
  ["const f = (): string => `${a}`;", '`${a}` -> ""'],
  ["function f(): boolean { return true; }", "true -> false"],
  ["function f() { return isGood(a); }", "isGood(a) -> !(isGood(a))"],
  ["function f() { return a.map(b); }", "a.map(b) -> []"],
  ["const f = () => ({ a });", "{ a } -> {}"],
  ["function* f() { yield a; }", "yield a -> undefined"],
  ["x = a as number;"],
];

for (const [source, ...expected] of CHANGES) {
  test(`${source} has ${expected.length} mutants`, () => {
    const found = findMutants("a.ts", source);
    assert.deepEqual(
      found.mutants.map(({ original, mutated }) => `${original} -> ${mutated}`),
      expected,
    );
    parse(instrument("a.ts", found), { ecmaVersion: "latest", sourceType: "module" });
  });
}

test("a mutant has the position of the source with its types", () => {
  const [mutant] = findMutants("a.ts", "type A = 1;\nconst x: number = 3;\n").mutants;
  assert.deepEqual([mutant?.line, mutant?.column, mutant?.sourceLine], [2, 19, "const x = 3;"]);
});

const PATTERNS: readonly [pattern: string, flags: string, ...mutants: string[]][] = [
  ["^a$", "", "/a$/", "/^a/"],
  ["a+b*", "", "/ab*/", "/a+b+/"],
  ["a?", "", "/a/"],
  ["a+?", ""],
  ["(?:a){2}", "", "/(?:a)/"],
  ["[ab]", "", "/[^ab]/"],
  ["[^a+]", "", "/[a+]/"],
  ["\\d\\.", "", "/\\D\\./"],
  ["\\^a", "i", "/\\^a/"],
  ["[]", ""],
];

for (const [pattern, flags, ...expected] of PATTERNS)
  test(`/${pattern}/${flags} has ${expected.length} mutants`, () => {
    assert.deepEqual(mutateRegex(pattern, flags), expected);
  });

const ROOT = "file:///project/";

function throwAt(error: Error, place: string): Error {
  return Object.assign(error, { stack: `${error.name}\n    at f (${place}:1:1)` });
}

test("a failed assertion, an error of the language and one of the product kill", () => {
  assert.equal(judgeFailure(new assert.AssertionError({ message: "differs" }), ROOT), "killed");
  assert.equal(judgeFailure(throwAt(new TypeError("is no function"), `${ROOT}src/a.ts`), ROOT), "killed");
  assert.equal(judgeFailure(throwAt(new Error("not understood"), `${ROOT}src/a.ts`), ROOT), "killed");
});

test("errors of others say nothing, and what goes on and on is endless", () => {
  assert.equal(judgeFailure(throwAt(new Error("no server"), `${ROOT}test/support/a.ts`), ROOT), "other");
  assert.equal(judgeFailure(Object.assign(new TypeError("invalid"), { code: "ERR_INVALID_ARG_TYPE" }), ROOT), "other");
  assert.equal(judgeFailure("a text", ROOT), "other");
  assert.equal(judgeFailure(new EndlessError("goes on"), ROOT), "endless");
  assert.equal(judgeFailure(new RangeError("Maximum call stack size exceeded"), ROOT), "endless");
});

async function plantAll(compare: Compare): Promise<readonly MutantOutcome[]> {
  const outcomes: MutantOutcome[] = [];
  for await (const outcome of findPlanted({ seed: 1, verdicts: 1 }, () => 0, compare)) outcomes.push(outcome);
  return outcomes;
}

test("a planted fault is found by a difference alone, not by a crash", async () => {
  const codes: (number | null)[] = [EXIT_CODES.same, EXIT_CODES.different, EXIT_CODES.same, EXIT_CODES.crashed, null];
  const compare = (): Promise<number | null> => Promise.resolve(codes.shift() ?? EXIT_CODES.crashed);
  const outcomes = await plantAll(compare);
  assert.deepEqual(
    outcomes.slice(0, 4).map(({ kind }) => kind),
    ["found", "missed", "crashed", "crashed"],
  );
});

test("no fault is planted if something differs without one", async () => {
  const compare = (): Promise<number> => Promise.resolve(EXIT_CODES.different);
  await assert.rejects(plantAll(compare), /without a fault, the comparison ends with 1/);
});

test("each fault of the differential comparison is in the code, once", () => {
  const root = join(import.meta.dirname, "../../src/schema");
  const counts = MUTANTS.map(({ file, from }) => readFileSync(join(root, file), "utf8").split(from).length - 1);
  assert.deepEqual(
    MUTANTS.filter((_, i) => counts[i] !== 1),
    [],
  );
});
