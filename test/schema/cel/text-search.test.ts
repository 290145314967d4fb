import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findLastText,
  findText,
  splitText,
  indexOf,
  lastIndexOf,
  replace,
  split,
  trim,
} from "../../../src/schema/cel/values/text.ts";

/** Every text of so many letters, of two that differ, so that most parts are found in most places. */
function listTexts(letters: number, unit: string): readonly string[] {
  return Array.from({ length: 2 ** letters }, (_, bits) =>
    Array.from({ length: letters }, (_, at) => ((bits >> at) % 2 === 0 ? unit : `${unit}b`)).join(""),
  );
}

test("long parts are found where String finds them", () => {
  const unit = "a".repeat(30);
  for (const text of listTexts(7, unit)) {
    for (const part of listTexts(3, unit)) {
      assert.deepEqual([...splitText(text, part)], text.split(part));
      for (const at of [-1, 0, 1, 40, 95, 150, 400]) {
        assert.equal(findText(text, part, Math.max(0, at)), text.indexOf(part, Math.max(0, at)));
        assert.equal(findLastText(text, part, Math.max(0, at)), text.lastIndexOf(part, at));
      }
    }
  }
});

test("a part of half a MiB is looked for in a MiB in one pass", { timeout: 60_000 }, () => {
  const text = "a".repeat(1 << 20);
  const part = "a".repeat(1 << 19);
  for (const missing of [`b${part}`, `${part}b`, `${part}b${part}`]) {
    assert.equal(indexOf(text, missing, 0n), -1n);
    assert.equal(lastIndexOf(text, missing, undefined), -1n);
    assert.equal(replace(text, missing, "c", -1n), text);
    assert.partialDeepStrictEqual(split(text, missing, -1n), split(text, "b", -1n));
  }
  assert.equal(trim(` a${" ".repeat(1 << 20)}b `).length, (1 << 20) + 2);
});
