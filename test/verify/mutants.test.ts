import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, describe, test } from "node:test";
import { type CampaignResult, runCampaign } from "../../verify/mutants/campaign.ts";
import type { Equivalent } from "../../verify/mutants/equivalents.ts";
import { formatMutant } from "../../verify/mutants/mutation.ts";
import { countOutcomes, formatResult, getKilledShare } from "../../verify/mutants/report.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const root = createTemporaryFolder("mutants-test");
const OUTSIDE = `${root}-outside`;

/** A project of a few lines, whose tests are weak, strong, slow or wrong. */
const FILES: Readonly<Record<string, string>> = {
  "package.json": '{ "type": "module" }',
  "src/small/weak.ts": "export const isOver = (value: number): boolean => value > 3;\n",
  "test/small/weak.test.ts": `
    import { test } from "node:test";
    import { isOver } from "../../src/small/weak.ts";
    test("asserts nothing", () => void isOver(4));`,
  "src/small/strong.ts": "export const isUnder = (value: number): boolean => value < 3;\n",
  "test/small/strong.test.ts": `
    import assert from "node:assert/strict";
    import { describe, test } from "node:test";
    import { isUnder } from "../../src/small/strong.ts";
    describe("a suite", () => {
      for (const [value, expected] of [[2, true], [3, false], [4, false]])
        test("asserts both sides", () => assert.equal(isUnder(value), expected));
      test("fails", () => assert.fail());
    });`,
  "src/small/same.ts": "export const max = (a: number, b: number): number => (a > b ? a : b);\n",
  "test/small/same.test.ts": `
    import assert from "node:assert/strict";
    import { test } from "node:test";
    import { max } from "../../src/small/same.ts";
    test("is the larger one", () => assert.deepEqual([max(1, 2), max(2, 1), max(2, 2)], [2, 2, 2]));`,
  "src/small/crash.ts": `export function stop(isDone: boolean): void {
  if (isDone) Reflect.get(process, "_kill")(process.pid, 9);
}
`,
  "test/small/crash.test.ts": `
    import { test } from "node:test";
    import { stop } from "../../src/small/crash.ts";
    test("goes on", () => stop(false));`,
  "src/small/endless.ts": `export function count(most: number): number {
  let sum = 0;
  for (let i = 0; i < most; i += 1) sum += i;
  return sum;
}
export function wait(isLate: boolean): void {
  if (isLate) for (;;);
}
export const hear = (isHeard: boolean): Promise<void> => new Promise((resolve) => (isHeard ? resolve() : undefined));
`,
  "test/small/endless.test.ts": `
    import assert from "node:assert/strict";
    import { test } from "node:test";
    import { count, hear, wait } from "../../src/small/endless.ts";
    test("counts", () => assert.equal(count(4), 6));
    test("does not wait", () => wait(false));
    test("hears", () => hear(true));`,
  "src/small/loaded.ts": "const NAME = /^a+$/;\nexport const isName = (text: string): boolean => NAME.test(text);\n",
  "test/small/loaded.test.ts": `
    import assert from "node:assert/strict";
    import { test } from "node:test";
    import { isName } from "../../src/small/loaded.ts";
    test("is a name", () => assert.deepEqual(["a", "aa", "ba", "ab"].map(isName), [true, true, false, false]));`,
  "src/small/escape.ts": `export const place = (isInside: boolean): string => (isInside ? "inside" : ${JSON.stringify(OUTSIDE)});\n`,
  "test/small/escape.test.ts": `
    import { mkdtempSync, writeFileSync } from "node:fs";
    import { tmpdir } from "node:os";
    import { join, resolve } from "node:path";
    import { test } from "node:test";
    import { place } from "../../src/small/escape.ts";
    test("writes inside", () => writeFileSync(resolve(mkdtempSync(join(tmpdir(), "x-")), place(true)), ""));`,
  "test/small/server.test.ts": `
    import { spawnSync } from "node:child_process";
    import { test } from "node:test";
    import "../../src/small/weak.ts";
    test("starts a process", () => void spawnSync("true"));`,
  "src/small/kept.ts": `let kept: number | undefined;
const compute = (a: number, b: number): number => a * b;
export const getArea = (): number => (kept ??= compute(3, 4));
`,
  "test/small/kept.test.ts": `
    import assert from "node:assert/strict";
    import { test } from "node:test";
    import { getArea } from "../../src/small/kept.ts";
    test("is twelve", () => assert.equal(getArea(), 12));`,
};

const EQUIVALENTS: readonly Equivalent[] = [
  { file: "src/small/same.ts", code: "a > b", mutant: "a >= b", why: "either of two equal numbers is the larger one" },
  { file: "src/small/same.ts", code: "a > c", mutant: "a >= c", why: "the line is gone" },
];

function outcomesOf({ judged }: CampaignResult, file: string): readonly string[] {
  return judged
    .filter(({ mutant }) => mutant.file === `src/small/${file}.ts`)
    .map(({ mutant, outcome }) => `${outcome.kind}: ${mutant.original} -> ${mutant.mutated}`)
    .toSorted();
}

describe("a campaign over a small project", () => {
  let result: CampaignResult;
  const settings = {
    root,
    folder: "src/small",
    share: { index: 1, of: 1 },
    seed: 1,
    seconds: 300,
    patience: 1,
    tests: Object.keys(FILES).filter((path) => path.startsWith("test/")),
    equivalents: EQUIVALENTS,
  };
  before(async () => {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    result = await runCampaign(
      settings,
      () => performance.now(),
      () => {},
    );
  });

  test("finds that a test asserts nothing", () => {
    assert.deepEqual(outcomesOf(result, "weak"), [
      "survived: 3 -> 4",
      "survived: value > 3 -> value <= 3",
      "survived: value > 3 -> value >= 3",
    ]);
  });

  test("has each mutant killed that a strong test sees", () => {
    assert.deepEqual(outcomesOf(result, "strong"), [
      "killed: 3 -> 4",
      "killed: value < 3 -> value <= 3",
      "killed: value < 3 -> value >= 3",
    ]);
  });

  test("leaves out a test that fails without a mutant, or that starts a process, and names it", () => {
    const names = result.leftOut.map(({ file, name, why }) => `${file}: ${name}: ${why.split("\n")[0]}`);
    assert.equal(names.length, 2, names.join("\n"));
    assert.match(names[0] ?? "", /^test\/small\/strong\.test\.ts: a suite > fails: AssertionError/);
    assert.match(names[1] ?? "", /^test\/small\/server\.test\.ts: starts a process: .*needs a process/);
  });

  test("counts an equivalent apart, and reports an entry that names nothing", () => {
    assert.deepEqual(outcomesOf(result, "same"), ["killed: a > b -> false", "killed: a > b -> true"]);
    assert.deepEqual(result.equivalents.map(formatMutant), ["src/small/same.ts:1:55  a > b -> a >= b"]);
    assert.deepEqual(result.stale, EQUIVALENTS.slice(1));
  });

  test("takes the end of the process for no kill", () => {
    assert.deepEqual(outcomesOf(result, "crash"), [
      "crashed: isDone -> true",
      "notReached: 9 -> 10",
      'notReached: Reflect.get(process, "_kill")(process.pid, 9) -> undefined',
      "survived: isDone -> false",
    ]);
  });

  test("ends what does not end by itself: a loop, one without a place in it, and a promise that nobody keeps", () => {
    const outcomes = outcomesOf(result, "endless").filter((line) => line.startsWith("endless"));
    assert.deepEqual(outcomes, ["endless: i += 1 -> i -= 1", "endless: isHeard -> false", "endless: isLate -> true"]);
  });

  test("switches on what is done while files are loaded", () => {
    assert.deepEqual(outcomesOf(result, "loaded"), [
      "killed: /^a+$/ -> /^a$/",
      "killed: /^a+$/ -> /^a+/",
      "killed: /^a+$/ -> /a+$/",
      "killed: NAME.test(text) -> !(NAME.test(text))",
    ]);
  });

  test("has a new process for what is computed once and kept", () => {
    assert.deepEqual(
      outcomesOf(result, "kept").filter((line) => !line.startsWith("killed")),
      [],
    );
  });

  test("lets no mutant change a file outside of its temporary folder, and takes that for no kill", () => {
    assert.deepEqual(outcomesOf(result, "escape"), ["other: isInside -> false", "survived: isInside -> true"]);
    assert.equal(existsSync(OUTSIDE), false);
  });

  test("says what it counted, and each mutant that lives", () => {
    const text = formatResult("src/small", result);
    assert.match(text, /^ {2}0\.0 % {2}src\/small\/weak\.ts: 3 mutants: 3 survived$/m);
    assert.match(text, /^survived: src\/small\/weak\.ts:1:51 {2}value > 3 -> value >= 3$/m);
    assert.match(text, /^stale, no mutant is so: src\/small\/same\.ts {2}a > c -> a >= c$/m);
    const { killed, survived, notReached } = countOutcomes("all", result.judged);
    const share = getKilledShare(countOutcomes("all", result.judged));
    assert.equal(share, (100 * killed) / (killed + survived + notReached));
  });

  test("runs only the mutants that are asked for, and says which of them there are not", async () => {
    const line = "src/small/weak.ts:1:51  value > 3 -> value >= 3";
    const asked = {
      ...settings,
      tests: ["test/small/weak.test.ts"],
      only: new Set([line, "src/small/weak.ts:9:9  a -> b"]),
    };
    const { judged, unknown } = await runCampaign(
      asked,
      () => performance.now(),
      () => {},
    );
    assert.deepEqual(
      judged.map(({ mutant }) => formatMutant(mutant)),
      [line],
    );
    assert.deepEqual(unknown, ["src/small/weak.ts:9:9  a -> b"]);
  });

  test("has shares that are all mutants together, in an order that the seed decides", async () => {
    const run = async (index: number, seed: number): Promise<readonly string[]> => {
      const share = { ...settings, tests: [], share: { index, of: 2 }, seed };
      const { judged } = await runCampaign(
        share,
        () => performance.now(),
        () => {},
      );
      return judged.map(({ mutant }) => formatMutant(mutant));
    };
    const first = await run(1, 1);
    const second = await run(2, 1);
    const again = await run(1, 1);
    const other = await run(1, 2);
    const all = result.judged.map(({ mutant }) => formatMutant(mutant));
    assert.deepEqual([...first, ...second].toSorted(), all.toSorted());
    assert.deepEqual(again, first);
    assert.notDeepEqual(other, first);
  });
});

test("the list of equivalents gives a reason for each", () => {
  const text = readFileSync(join(import.meta.dirname, "../../verify/mutants/equivalents.yaml"), "utf8");
  assert.equal(text.match(/^- file:/gm)?.length ?? 0, text.match(/^ {2}why: \S/gm)?.length ?? 0);
});
