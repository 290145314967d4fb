import assert from "node:assert/strict";
import { test } from "node:test";
import { findDecisionFaults } from "../support/docs/decision-faults.ts";
import { listFiles, readFile } from "../support/docs/pages.ts";

const FOLDER = "docs/design/decisions/";
const index = readFile(`${FOLDER}README.md`);
const paths = listFiles(`${FOLDER}*.md`).filter((path) => !path.endsWith("/README.md"));

test("each decision is a short record with its reason", () => {
  const pages = paths.map((path) => ({ path, text: readFile(path) }));
  assert.deepEqual(pages.flatMap(findDecisionFaults), []);
});

test("the index has a row for each subject", () => {
  const rows = [...index.matchAll(/^\| \[([\w-]+\.md)\]\(\1\)/gm)].map(([, name = ""]) => `${FOLDER}${name}`);
  assert.ok(paths.length > 5);
  assert.deepEqual(rows.toSorted(), paths.toSorted());
});

const RECORD =
  "# Subject\n\n## Group\n\nText.\n\n### It is so\n\nText.\n\n- Why: a reason.\n- Revisit if: it changes.\n";
const PLANTED: readonly (readonly [from: string, to: string, fault: RegExp])[] = [
  ["- Why: a reason.\n", "", /### It is so: it has no reason$/],
  ["- Revisit if", "- Weighed: another.\n- Because", /its points are Why, Weighed, Because$/],
  ["- Why: a reason.", "- Weighed: another.\n- Why: a reason.", /its points are Weighed, Why, Revisit if$/],
  ["Text.", "Text. ".repeat(101), /## Group: more than 100 words/],
];

test("a record that is sound is left alone", () => {
  assert.deepEqual(findDecisionFaults({ path: "a.md", text: RECORD }), []);
});

for (const [from, to, fault] of PLANTED)
  test(`a record is at fault with ${JSON.stringify(to.slice(0, 30))} for ${JSON.stringify(from)}`, () => {
    const faults = findDecisionFaults({ path: "a.md", text: RECORD.replace(from, to) });
    assert.equal(faults.length, 1, faults.join("\n"));
    assert.match(faults[0] ?? "", fault);
  });
