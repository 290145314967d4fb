import assert from "node:assert/strict";
import { test } from "node:test";
import { type ComparedObject, compareFates } from "../../../verify/play/compare.ts";
import { listDifferences } from "../../../verify/play/differences.ts";
import { createMemory } from "../../../verify/play/memory.ts";
import { formatResults } from "../../../verify/play/page.ts";
import { PLAYED_PAIRS } from "../../../verify/play/played-pairs.ts";
import { summarizePlay } from "../../../verify/play/play-record.ts";
import type { PlayedCrd } from "../../../verify/play/played-crd.ts";
import type { PlayResult } from "../../../verify/play/play-result.ts";
import { type ObjectFate, UNTOUCHED } from "../../../verify/play/truth.ts";

const CRD: PlayedCrd = {
  name: "things.example.com",
  before: {},
  after: {},
  versions: [{ before: "v1", after: "v1" }],
  isChanged: true,
  changes: ["pattern"],
};
const FROZEN: ObjectFate = { ...UNTOUCHED, effect: "ratcheted", refused: ["spec.a"] };

function compare(said: ObjectFate, happened: ObjectFate): ComparedObject {
  return {
    crd: CRD,
    object: "Thing a",
    version: "v1",
    body: {},
    said,
    happened,
    verdict: compareFates(said, happened),
  };
}

function buildResult(comparisons: readonly ComparedObject[]): PlayResult {
  const [pair] = PLAYED_PAIRS;
  assert.ok(pair);
  const definitions = { hits: [], missed: [], alarms: [] };
  const rest = { refusals: [], unlistable: new Set<never>(), definitions, faults: [], unknowns: [] };
  return { pair, seed: 7, seconds: 60, crds: [CRD], comparisons, ...rest };
}

test("a round has more of what broke a prediction in the round before, and tells it once", () => {
  const memory = createMemory();
  const broken = buildResult([compare(UNTOUCHED, FROZEN)]);
  assert.equal(memory.weighCrd(CRD), 1);
  assert.equal(memory.learn(broken).length, 1);
  assert.deepEqual(memory.learn(broken), []);
  assert.ok(memory.weighCrd(CRD) > 1);
  assert.ok(memory.weighChange("pattern") > memory.weighChange("enum"));
});

test("a list that fails without an object that can't be read is a difference", () => {
  const result = { ...buildResult([compare(FROZEN, FROZEN)]), unlistable: new Set([CRD]) };
  assert.deepEqual(
    listDifferences(result).map(({ kind, text, object }) => `${kind}: ${object} ${text}`),
    ["missed: things.example.com its list fails"],
  );
});

test("the page counts hits and differences, and names each difference", () => {
  const page = formatResults([summarizePlay(buildResult([compare(FROZEN, FROZEN), compare(UNTOUCHED, FROZEN)]))]);
  assert.match(page, /1 plays? of 2 objects, with seed 7: 1 difference/);
  assert.match(page, /\| 4\.12 to 4\.13 \| 1\.36 for both \| 2 \| 1 \| 0 \| 0 \| 1 \| 1 \| 0 \| 0 \| 60 \|/);
  assert.match(page, /\| missed \| Thing a \| through v1, said none, happened ratcheted of spec\.a \| not known \|/);
});
