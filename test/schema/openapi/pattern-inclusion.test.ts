import assert from "node:assert/strict";
import { test } from "node:test";
import { type TextLimits, compareTexts, compilePattern } from "../../../src/schema/openapi/index.ts";
import { type Random, createRandom } from "../../../verify/schema/random/random.ts";

const INCLUDED: readonly (readonly [TextLimits, TextLimits])[] = [
  [{ pattern: "^https://" }, { pattern: "^(https://|mailto:)" }],
  [{ pattern: "^[a-z]{1,5}$" }, { pattern: "^[a-z0-9]{1,6}$" }],
  [{ pattern: "^a$" }, { pattern: "(?i)A" }],
  [{ pattern: "^[kK\\x{212a}]$" }, { pattern: "(?i)k" }],
  [{ pattern: "\\bfoo\\b" }, { pattern: "foo" }],
  [{ pattern: "(?m)^a$" }, { pattern: "a" }],
  [{ pattern: "^.*$" }, { pattern: "^(?s).*$" }],
  [{ pattern: "^\\p{L}+$" }, { pattern: "^[\\p{L}\\p{N}]*$" }],
  [{ pattern: "^\\x{10000}$" }, { pattern: "^.$" }],
  [{ pattern: "^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$" }, { pattern: "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$" }],
  [{ pattern: "^(?P<x>a)(?P<x>b)$" }, { pattern: "ab" }],
  [{ pattern: "^a{3,5}$" }, { minLength: 3, maxLength: 5 }],
  [{ pattern: "^a+$", maxLength: 5 }, { pattern: "^a{0,5}$" }],
  [{ maxLength: 0 }, { pattern: "^$" }],
  [{ pattern: "a" }, {}],
  [{ minLength: 3, maxLength: 2 }, { pattern: "a" }],
  [
    { minLength: 2, maxLength: 5 },
    { minLength: 1, maxLength: 5 },
  ],
  [{ minLength: 3, maxLength: 2 }, { maxLength: 1 }],
  [
    { minLength: -1, maxLength: 2 },
    { minLength: 0, maxLength: 2 },
  ],
];

for (const [before, after] of INCLUDED)
  test(`${JSON.stringify(before)} is within ${JSON.stringify(after)}`, () =>
    assert.deepEqual(compareTexts(before, after), { kind: "included" }));

const REFUSED: readonly (readonly [TextLimits, TextLimits, string])[] = [
  [{ pattern: "^(https://|mailto:)" }, { pattern: "^https://" }, "mailto:"],
  [{ pattern: "foo" }, { pattern: "\\bfoo\\b" }, "afoo"],
  [{ pattern: "(?i)^s$" }, { pattern: "^[sS]$" }, "\u017f"],
  [{ pattern: "^(?s).$" }, { pattern: "^.$" }, "\n"],
  [{ pattern: "a" }, { pattern: "(?m)^a" }, "ba"],
  [{}, { minLength: 1 }, ""],
  [{ maxLength: 3 }, { maxLength: 2 }, "aaa"],
  [{ minLength: 4 }, { maxLength: 2 }, "aaaa"],
  [{ minLength: 1 }, { minLength: 2, maxLength: 9 }, "a"],
  // Farther than any search of states goes.
  [{}, { maxLength: 5_000 }, "a".repeat(5_001)],
  [{ pattern: "^a+$", maxLength: 6 }, { pattern: "^a{0,5}$" }, "aaaaaa"],
];

for (const [before, after, text] of REFUSED)
  test(`${JSON.stringify(after)} refuses a text that ${JSON.stringify(before)} allows`, () =>
    assert.deepEqual(compareTexts(before, after), { kind: "refused", text }));

test("what is too large, or no pattern, is undecided", () => {
  for (const [before, after] of [
    ["(a|b)*a(a|b){14}", "(a|b)*a(a|b){13}"],
    ["(", "a"],
    ["a", "("],
    ["(?i)\u00e4", "\u00e4"],
  ] as const)
    assert.deepEqual(compareTexts({ pattern: before }, { pattern: after }), { kind: "undecided" }, before);
  assert.deepEqual(compareTexts({}, { maxLength: 2 ** 21 }), { kind: "undecided" });
});

const ATOMS: readonly [string, ...string[]] = [
  "a",
  "b",
  "[ab]",
  "[^a]",
  ".",
  "\\w",
  "^",
  "$",
  "\\b",
  "\\B",
  "(?m:^)",
  "(?m:$)",
  "(?i:A)",
  "\\n",
  "(?s:.)",
];
const COUNTS: readonly [string, ...string[]] = ["", "", "", "*", "+", "?", "{2}", "{0,2}", "{1,3}"];

function buildPattern(random: Random, depth: number): string {
  const part = (): string => {
    if (depth > 0 && random.chance(0.3)) return `(${buildPattern(random, depth - 1)})${random.pick(COUNTS)}`;
    const atom = random.pick(ATOMS);
    return /^(?:\^|\$|\\[bB]|\(\?m)/.test(atom) ? atom : atom + random.pick(COUNTS);
  };
  const branch = (): string => Array.from({ length: random.below(4) }, part).join("");
  return Array.from({ length: random.chance(0.3) ? 2 : 1 }, branch).join("|");
}

/** All texts of up to four of these characters. */
function listTexts(): readonly string[] {
  const longer = (texts: readonly string[]): readonly string[] =>
    texts.flatMap((text) => ["a", "b", "A", "-", "\n"].map((letter) => text + letter));
  const all = [[""]].map((texts) => [...texts]);
  for (let length = 1; length <= 4; length++) all.push([...longer(all.at(-1) ?? [])]);
  return all.flat();
}

const PAIRS = 400;
const SEED = 1;

test("no text contradicts what is decided of random patterns", () => {
  const random = createRandom(SEED);
  const texts = listTexts();
  const counts = { included: 0, refused: 0, undecided: 0 };
  for (let i = 0; i < PAIRS; i++) {
    const before = buildPattern(random, 2);
    const after = random.chance(0.5) ? `${before}|${buildPattern(random, 1)}` : buildPattern(random, 2);
    const limits = random.chance(0.3) ? { minLength: random.below(3), maxLength: 1 + random.below(4) } : {};
    const [old, now] = random.chance(0.5) ? [before, after] : [after, before];
    const result = compareTexts({ pattern: old, ...limits }, { pattern: now });
    counts[result.kind]++;
    const fits = (text: string): boolean =>
      [...text].length >= (limits.minLength ?? 0) &&
      [...text].length <= (limits.maxLength ?? Infinity) &&
      compilePattern(old).test(text);
    const refused =
      result.kind === "refused" ? [result.text] : texts.filter((text) => fits(text) && !compilePattern(now).test(text));
    const context = `${old} -> ${now} ${JSON.stringify({ limits, result, refused })}`;
    if (result.kind === "included") assert.deepEqual(refused, [], context);
    if (result.kind === "refused") assert.ok(fits(result.text) && !compilePattern(now).test(result.text), context);
  }
  assert.equal(counts.undecided, 0);
  assert.ok(counts.included > PAIRS / 10 && counts.refused > PAIRS / 10, JSON.stringify(counts));
});
