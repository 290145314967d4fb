import assert from "node:assert/strict";
import { test } from "node:test";
import { findMinorsBetween, parseVersion } from "../../src/model/version.ts";

const PAIRS: readonly (readonly [source: string, target: string, expected: readonly string[]])[] = [
  ["4.18.8", "4.18.9", []],
  ["4.18.8", "4.19.1", []],
  ["4.18.8", "4.20.3", ["4.19"]],
  ["4.18.8", "4.21.0-rc.1", ["4.19", "4.20"]],
  ["4.20.3", "4.18.8", []],
  ["4.22.1", "4.23.1", []],
  ["4.22.1", "5.0.1", []],
  ["4.23.1", "5.0.1", []],
  ["4.22.1", "5.1.1", ["4.23 or 5.0"]],
  ["4.23.1", "5.1.1", []],
  ["4.21.1", "5.2.1", ["4.22", "4.23 or 5.0", "5.1"]],
  ["5.0.1", "5.2.1", ["5.1"]],
  ["5.3.1", "6.0.1", ["the minors after 5.3"]],
  ["5.3.1", "6.2.1", ["the minors after 5.3", "6.0", "6.1"]],
  ["6.0.1", "6.2.1", ["6.1"]],
  ["1.33.4", "1.36.0", ["1.34", "1.35"]],
  ["1.33.4", "1.34.0", []],
  ["4.18.8", "4.9999.0", ["the minors after 4.18"]],
  ["4.18.8", "9999.0.0", ["the minors after 4.18"]],
  ["4.18.8", "6.9999.0", ["the minors after 4.18"]],
  ["6.0.1", "6.9999.0", ["the minors after 6.0"]],
  ["1.33.4", "1.9999.0", ["the minors after 1.33"]],
  ["1.33.4", "5.0.1", ["the minors after 1.33"]],
];

for (const [source, target, expected] of PAIRS) {
  test(`between ${source} and ${target}: ${expected.join(", ") || "nothing"}`, () => {
    const from = parseVersion(source);
    const to = parseVersion(target);
    assert.ok(from && to);
    assert.deepEqual(
      findMinorsBetween(from, to).map(({ text }) => text),
      expected,
    );
  });
}
