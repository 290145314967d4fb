import { strict as assert } from "node:assert";
import { test } from "node:test";
import { listPositions } from "../../../src/data-checks/format/fault.ts";

const ROWS: readonly (readonly [
  what: string,
  value: string,
  source: string,
  start: number,
  positions: readonly number[],
])[] = [
  ["a plain text", "abc", "abc", 0, [0, 1, 2, 3]],
  ["an empty text", "", "", 0, [0]],
  ["a text behind something", "abc", "- 'abc'", 3, [3, 4, 5, 6]],
  ["a quote that is written twice", "a'b", "'a''b'", 1, [1, 2, 4, 5]],
  ["an escaped quote", 'a"b', String.raw`"a\"b"`, 1, [1, 3, 4, 5]],
  ["a folded line", "a b", "a\n   b", 0, [0, 1, 5, 6]],
  ["an indented line", "a\nb", "  a\n  b\n", 2, [2, 3, 6, 7]],
  ["several spaces", "a  b", "a  b", 0, [0, 1, 2, 3, 4]],
  ["a character that is nowhere in the source", "ab", "ax", 0, [0, 1, 1]],
];

for (const [what, value, source, start, positions] of ROWS) {
  test(`the units of ${what} stand where the source has them`, () => {
    assert.deepEqual(listPositions(value, source, start), positions);
  });
}
