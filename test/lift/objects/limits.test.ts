import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { joinMessages, truncate } from "../../../src/lift/objects/limits.ts";

test("a text is shortened beyond the last character that fits, whatever a character takes", () => {
  const rows: readonly (readonly [string, number, string])[] = [
    ["", 3, ""],
    ["abc", 3, "abc"],
    ["abcd", 3, "ab…"],
    ["abcdef", 3, "ab…"],
    ["😀😀😀", 3, "😀😀😀"],
    ["😀😀😀😀", 3, "😀😀…"],
  ];
  assert.deepEqual(
    rows.map(([text, limit]) => truncate(text, limit)),
    rows.map(([, , shortened]) => shortened),
  );
});

describe("texts of a condition", () => {
  const a = "a".repeat(98);
  const b = "b".repeat(98);

  test("are joined with empty lines as long as all of them fit", () => {
    const joined = [
      joinMessages([], 300),
      joinMessages(["One."], 300),
      joinMessages([a, b, "c".repeat(100)], 300),
      joinMessages([a, b, "😀".repeat(100)], 300),
    ];
    assert.deepEqual(joined, ["", "One.", `${a}\n\n${b}\n\n${"c".repeat(100)}`, `${a}\n\n${b}\n\n${"😀".repeat(100)}`]);
  });

  test("are counted from the first one that leaves no room of 100 characters", () => {
    const long = "c".repeat(101);
    assert.equal(joinMessages([a, b, long], 300), `${a}\n\n${b}\n\nAnd 1 more: see risks.`);
    assert.equal(joinMessages([a, `${b}b`, long], 300), `${a}\n\nAnd 2 more: see risks.`);
    assert.equal(joinMessages([a, "😀".repeat(98), long], 300), `${a}\n\n${"😀".repeat(98)}\n\nAnd 1 more: see risks.`);
    assert.equal(joinMessages([a, long, "c"], 201), `${a}\n\nAnd 2 more: see risks.`);
  });

  test("are shortened if not even the first one fits, and the others counted", () => {
    const shortened = `${"d".repeat(199)}…`;
    assert.equal(joinMessages(["d".repeat(301)], 300), shortened);
    assert.equal(joinMessages(["d".repeat(301), "e"], 300), `${shortened}\n\nAnd 1 more: see risks.`);
  });

  test("of others are kept before a preflight's own, which its result brings again", () => {
    const own = `5.0.3 -> 5.2.0: ${"o".repeat(80)}`;
    const alert = `Preflight of ${own}`;
    const more = "And 1 more of the preflight: see risks.";
    assert.equal(joinMessages([own, a, `${b}bbb`], 298), `${a}\n\nAnd 2 more: see risks.`);
    assert.equal(joinMessages([own, a, "c".repeat(102)], 299), `${a}\n\nAnd 2 more: see risks.`);
    assert.equal(joinMessages([own, a, "c", own], 250), `${a}\n\nc\n\nAnd 2 more of the preflight: see risks.`);
    assert.equal(joinMessages(["a", own, alert], 209), "a\n\nAnd 2 more: see risks.");
    assert.equal(joinMessages(["a", own, alert], 210), ["a", own, alert].join("\n\n"));
    assert.equal(joinMessages([own, alert, own], 304), `${alert}\n\nAnd 2 more of the preflight: see risks.`);
    assert.equal(joinMessages([own, "d".repeat(301)], 300), `${"d".repeat(199)}…\n\n${more}`);
  });
});
