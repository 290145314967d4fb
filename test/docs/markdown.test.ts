import assert from "node:assert/strict";
import { test } from "node:test";
import { findMarkdownFaults } from "../support/docs/markdown-faults.ts";
import { readPages } from "../support/docs/pages.ts";

test("links lead to a file and its heading, and lists and tables are shown as such", () => {
  assert.deepEqual(readPages().flatMap(findMarkdownFaults), []);
});

const PLANTED: readonly (readonly [text: string, fault: RegExp])[] = [
  ["[a](nowhere.md)", /does not exist/],
  ["[a](#nowhere)", /no such heading/],
  ["![a](http://example.com/a.png)", /not https/],
  ["[a](https:/example.com)", /not https/],
  ['<img alt="a" src="nowhere.svg">', /does not exist/],
  ['<source srcset="nowhere.svg">', /does not exist/],
  ["- one\n  goes on\nruns on", /:3: .*not indented/],
  ["1. one\nruns on", /:2: .*not indented/],
  ["Text:\n- one", /:2: .*empty line/],
  ["1. one\n2. two\n4. four", /:3: .*is 4 and should be 3/],
  ["Text\n\n2. two", /:3: .*should be 1/],
  ["| a | b |\n| --- | --- |\n| a `x|y` | b |", /:3: .*cells/],
  ["Text\n| a |\n| --- |", /:2: .*empty line/],
];

for (const [text, fault] of PLANTED)
  test(`a fault is found in ${JSON.stringify(text)}`, () => {
    const faults = findMarkdownFaults({ path: "docs/planted.md", text });
    assert.equal(faults.length, 1, faults.join("\n"));
    assert.match(faults[0] ?? "", fault);
  });

test("what is right is left alone", () => {
  const text = [
    "# A heading",
    "",
    "- one",
    "  goes on",
    "",
    "  in a second paragraph",
    "  - within",
    "- two",
    "",
    "1. one",
    "   - within",
    "2. two",
    "",
    "Text, and code:",
    "",
    "    - not a list",
    "    2. nor this",
    "",
    "```",
    "[a](nowhere.md)",
    "```",
    "",
    "1. one of another list, see [above](#a-heading) and `[b](nowhere.md)`",
    "",
    "| a | b |",
    "| --- | --- |",
    "| a \\| b | `c \\| d` |",
  ].join("\n");
  assert.deepEqual(findMarkdownFaults({ path: "docs/planted.md", text }), []);
});
