import assert from "node:assert/strict";
import { test } from "node:test";
import { compareNeeds, countKit, countProgram, findNeeds, type JudgedMutant } from "../../verify/kit/matrix.ts";
import { findSchemaChanges } from "../../verify/kit/schema-changes.ts";
import { widenPattern } from "../../verify/kit/wider-patterns.ts";

const mutant = (label: string, part: string, ...by: readonly string[]): JudgedMutant => ({ label, part, by });
const JUDGED: readonly JudgedMutant[] = [
  mutant("1", "src/lift", "cases/a.yaml", "cases/b.yaml", "cases/c.yaml"),
  mutant("2", "src/lift", "cases/a.yaml", "cases/b.yaml"),
  mutant("3", "src/lift", "cases/a.yaml"),
  mutant("4", "src/lift"),
  mutant("5", "src/model", "cases/b.yaml", "documents.yaml: accepted: A base."),
];
const NAMES = ["cases/a.yaml", "cases/b.yaml", "cases/c.yaml", "documents.yaml: accepted: A base."];

test("a part is needed for what it alone notices, or since no other notices as much", () => {
  const [a, b, c, base] = findNeeds(NAMES, JUDGED);
  assert.deepEqual(a, { name: NAMES[0], alone: 1, rarest: JUDGED[2], within: [] });
  assert.deepEqual(b, { name: NAMES[1], alone: 0, rarest: JUDGED[1], within: [] });
  assert.deepEqual(c, { name: NAMES[2], alone: 0, rarest: JUDGED[0], within: [NAMES[0], NAMES[1]] });
  assert.deepEqual(base, { name: NAMES[3], alone: 0, rarest: JUDGED[4], within: [NAMES[1]] });
});

test("what notices nothing is needed for nothing", () => {
  assert.deepEqual(findNeeds(["a", "b"], [mutant("1", "src/lift", "b")])[0], {
    name: "a",
    alone: 0,
    rarest: undefined,
    within: ["b"],
  });
});

test("a part that another stands for needs a reason, and no other has one", () => {
  const needs = findNeeds(NAMES, JUDGED);
  const toReasons = (names: readonly (string | undefined)[]) => names.map((name = "") => ({ name, why: "its rule" }));
  assert.deepEqual(compareNeeds(needs, []), { open: [NAMES[2], NAMES[3]], stale: [] });
  assert.deepEqual(compareNeeds(needs, toReasons([NAMES[2], NAMES[3]])), { open: [], stale: [] });
  assert.deepEqual(compareNeeds(needs, toReasons([...NAMES, "gone"])).stale, [NAMES[0], NAMES[1], "gone"]);
});

test("the figures count each program and each part of the kit", () => {
  assert.deepEqual(countProgram(JUDGED), [
    ["src/lift", "4", "3", "1"],
    ["src/model", "1", "1", "0"],
  ]);
  assert.deepEqual(countKit(findNeeds(NAMES, JUDGED)), [
    ["cases", "3", "1", "1", "1"],
    ["documents.yaml", "1", "0", "0", "1"],
  ]);
});

test("a schema is changed in one place, and is as it was before", () => {
  const schema = {
    required: ["a", "b"],
    properties: { a: { type: "string", minLength: 1 }, b: { enum: ["x", "y"] }, c: { pattern: "^[b-z]{1,2}$" } },
  };
  const before = JSON.stringify(schema);
  const texts = findSchemaChanges(schema).map(({ apply, undo }) => {
    apply();
    const text = JSON.stringify(schema);
    undo();
    assert.equal(JSON.stringify(schema), before);
    return text;
  });
  assert.equal(new Set(texts).size, texts.length);
  assert.ok(texts.every((text) => text !== before));
  for (const part of [
    '"required":["b"]',
    '"a":true',
    '"minLength":2',
    '"enum":["y"]',
    '{"type":"null"}',
    "[ab-z]{1,2}",
  ])
    assert.ok(
      texts.some((text) => text.includes(part)),
      part,
    );
});

const WIDER: readonly [pattern: string, ...wider: string[]][] = [
  ["^a$", "^a?$"],
  ["\\d", "[\\d\u0663]"],
  ["(?:0|1)+", "(?:0?|1)+", "(?:0|1?)+", "(?:0|1)*"],
  ["[b]{1,3}", "[0b]{1,3}", "[\\-b]{1,3}", "[ab]{1,3}", "[ b]{1,3}", "[\u0663b]{1,3}", "[b]{1,4}"],
  ["[^b]"],
];
for (const [pattern, ...wider] of WIDER)
  test(`/${pattern}/ has ${wider.length} wider patterns`, () => assert.deepEqual(widenPattern(pattern), wider));
