import assert from "node:assert/strict";
import test from "node:test";
import { type MinorPair, buildPairs } from "../../verify/pairs/pair-list.ts";

const formatPairs = (pairs: readonly MinorPair[]): readonly string[] =>
  pairs.map(({ source, target }) => `${source} ${target}`);

test("4.23 and 5.0 count as the same minor between 4.22 and 5.1", () => {
  const { neighbours, skips, rollbacks } = buildPairs(["4.21", "4.22", "4.23", "5.0", "5.1"]);
  const expected = ["4.21 4.22", "4.22 4.23", "4.22 5.0", "4.23 5.0", "4.23 5.1", "5.0 5.1"];
  assert.deepEqual(formatPairs(neighbours), expected);
  assert.deepEqual(formatPairs(skips), ["4.21 4.23", "4.21 5.0", "4.22 5.1"]);
  assert.deepEqual(
    formatPairs(rollbacks),
    expected.map((pair) => pair.split(" ").toReversed().join(" ")),
  );
});

test("an invalid minor is rejected by name", () => {
  assert.throws(() => buildPairs(["4.21", "4.x"]), /4\.x is not a minor version/);
});
