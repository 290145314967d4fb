import assert from "node:assert/strict";
import { test } from "node:test";
import { compareFates, compareFaults } from "../../../verify/play/compare.ts";
import { type ObjectFate, UNTOUCHED } from "../../../verify/play/truth.ts";

const FROZEN: ObjectFate = { ...UNTOUCHED, effect: "ratcheted", refused: ["spec.a"] };

test("what was said of an object agrees with what happened, or misses it, or differs", () => {
  const cases: readonly (readonly [said: ObjectFate, happened: ObjectFate, verdict: string])[] = [
    [UNTOUCHED, UNTOUCHED, "agreed"],
    [FROZEN, FROZEN, "agreed"],
    [UNTOUCHED, FROZEN, "missed"],
    [FROZEN, UNTOUCHED, "false alarm"],
    [FROZEN, { ...FROZEN, effect: "rejected" }, "wrong effect"],
    [FROZEN, { ...FROZEN, refused: ["spec.b"] }, "wrong effect"],
    [FROZEN, { ...FROZEN, refused: ["<nil>"] }, "agreed"],
    [{ ...FROZEN, effect: "applyRefused" }, { ...FROZEN, effect: "applyRefused", refused: [] }, "agreed"],
    [{ ...UNTOUCHED, dropped: ["spec.a"] }, { ...UNTOUCHED, dropped: ["spec.a", "spec.b"] }, "wrong effect"],
  ];
  for (const [said, happened, verdict] of cases) assert.equal(compareFates(said, happened), verdict);
});

test("findings without a fate are false alarms, and fates without a finding are missed", () => {
  const said = [
    { check: "a", risk: "R", object: "Pod n/x", group: "" },
    { check: "a", risk: "R", object: "Pod n/y", group: "" },
  ];
  const { hits, missed, alarms } = compareFaults(said, [
    { risk: "R", object: "Pod n/x" },
    { risk: "R", object: "Pod n/z" },
  ]);
  assert.deepEqual(
    [hits, missed, alarms].map((all) => all.map(({ object }) => object)),
    [["Pod n/x"], ["Pod n/z"], ["Pod n/y"]],
  );
});
