import assert from "node:assert/strict";
import { test } from "node:test";
import { findChangelogFaults } from "../support/docs/changelog-faults.ts";
import { readFile } from "../support/docs/pages.ts";

const ENTRY =
  "- `preflight plan --to VERSION` finds the updates that lead to a version and checks each with its own release.";

test("the changelog has each entry once, and in a few lines", () => {
  assert.deepEqual(findChangelogFaults(readFile("CHANGELOG.md")), []);
});

const PLANTED: Readonly<Record<string, string>> = {
  "the same entry in another section": ENTRY,
  "a longer version of an entry": `${ENTRY} \`--release DIR\` gives the releases as folders, and the JSON has a schema.`,
  "a shorter one": "- `preflight plan --to VERSION` finds the updates that lead to a version.",
};

for (const [title, entry] of Object.entries(PLANTED))
  test(`${title} is found`, () => {
    const faults = findChangelogFaults(`## [Unreleased]\n\n### Added\n\n${ENTRY}\n\n### Changed\n\n${entry}\n`);
    assert.match(faults.join("\n"), /^said twice: [^\n]+$/);
  });

test("a long entry is found", () => {
  assert.match(findChangelogFaults(`## 1\n\n- ${"word ".repeat(100)}\n`).join("\n"), /^longer than 450/);
});

test("another release may say the same, and other entries may have words in common", () => {
  const other = "- `preflight plan -o json=plan.json` writes a file, and the table goes to stdout.";
  assert.deepEqual(findChangelogFaults(`## 2\n\n${ENTRY}\n${other}\n\n## 1\n\n${ENTRY}\n`), []);
});
