import assert from "node:assert/strict";
import { test } from "node:test";
import { countCharacters, takeCharacters } from "../../../src/model/text.ts";
import { shorten, shortenKeeping } from "../../../src/format/document/budget.ts";

test("characters are code points, like Go's rune count", () => {
  assert.deepEqual(["", "abc", "é", "🚀🚀", "\ud800"].map(countCharacters), [0, 3, 1, 2, 1]);
  assert.equal(takeCharacters("a🚀b", 2), "a🚀");
  assert.equal(takeCharacters("a🚀b", 9), "a🚀b");
});

test("a text is cut between words and ends with an ellipsis", () => {
  assert.equal(shorten("one two three four", 18), "one two three four");
  assert.equal(shorten("one two three four", 17), "one two three…");
  assert.equal(shorten("one two three four", 14), "one two three…");
  assert.equal(shorten("one two, three", 9), "one two…");
  assert.equal(shorten("one", 0), "");
});

test("a text without words is cut anywhere, but not within a character", () => {
  assert.equal(shorten("a".repeat(30), 10), `${"a".repeat(9)}…`);
  assert.equal(shorten("🚀".repeat(30), 10), `${"🚀".repeat(9)}…`);
  assert.equal(shorten(`x ${"a".repeat(30)}`, 10), "x aaaaaaa…");
});

test("the remedy is kept whole while there is room for the problem", () => {
  const text = `${"wrong ".repeat(40)}thing. Do this.`;
  assert.equal(shortenKeeping("Do this.", text, 60), `${"wrong ".repeat(8).trim()}… Do this.`);
  assert.match(shortenKeeping("Do this.", text, 40), /^wrong .*wrong…$/);
  assert.equal(shortenKeeping("Do this.", text, 1_000), text);
  assert.match(shortenKeeping("Something else.", text, 60), /wrong…$/);
});
