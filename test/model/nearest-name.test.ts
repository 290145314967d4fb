import assert from "node:assert/strict";
import { test } from "node:test";
import { findNearestName, formatDidYouMean } from "../../src/model/text.ts";

const ROWS: readonly (readonly [name: string, known: readonly string[], nearest: string | undefined])[] = [
  ["nodez", ["pods", "nodes", "modules"], "nodes"],
  ["NODES", ["nodes"], "nodes"],
  ["nodes", ["NODES"], "NODES"],
  ["abcd", ["abxy"], "abxy"],
  ["abcd", ["axyz"], undefined],
  ["ab", ["b", "abc"], "abc"],
  ["bacd", ["abcd"], "abcd"],
  ["abcdxx", ["abcd"], "abcd"],
  ["abcdxxx", ["abcd"], undefined],
  ["abcdef", ["abcxyf", "abcdxf"], "abcdxf"],
  ["d", ["abcd"], undefined],
  ["xxabcd", ["abcd"], "abcd"],
  ["a", [], undefined],
];

test("the nearest name differs in no more than half of its letters, whatever their case", () => {
  assert.deepEqual(
    ROWS.map(([name, known]) => findNearestName(name, known)),
    ROWS.map(([, , nearest]) => nearest),
  );
  assert.equal(formatDidYouMean("nodez", ["nodes"]), ": did you mean nodes?");
  assert.equal(formatDidYouMean("nodez", ["pv"]), "");
});
