import assert from "node:assert/strict";
import { test } from "node:test";
import { createLineSplitter } from "../../src/encoding/line-splitter.ts";
import { readCpuSeconds } from "../support/cpu-seconds.ts";

function split(chunks: readonly string[], maxBytes = 1 << 20): readonly string[] | undefined {
  const push = createLineSplitter(maxBytes);
  const parts = [...chunks.map((chunk) => Buffer.from(chunk)), undefined].map(push);
  return parts.includes(undefined) ? undefined : parts.flatMap((lines) => lines ?? []);
}

test("lines are the same in whatever pieces they arrive", () => {
  const text = "a\r\n\nb é c\nlast";
  const expected = ["a", "", "b é c", "last"];
  assert.deepEqual(split([text]), expected);
  assert.deepEqual(split([...text]), expected);
  assert.deepEqual(split([`${text}\r\n`]), expected);
});

test("a line that is too long is refused, wherever it ends", () => {
  assert.equal(split(["abc", "def"], 5), undefined);
  assert.equal(split(["abc", "def\n"], 5), undefined);
  assert.deepEqual(split(["abc\n", "def"], 5), ["abc", "def"]);
});

test("a long line in small pieces is read once, not once for each of them", () => {
  const before = readCpuSeconds();
  assert.equal(split(Array.from({ length: 1 << 16 }, () => "12345678"))?.length, 1);
  assert.ok(readCpuSeconds() - before < 5);
});
