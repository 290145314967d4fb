import assert from "node:assert/strict";
import { test } from "node:test";
import { charAt, indexOf, lastIndexOf, substring } from "../../../src/schema/cel/values/text.ts";

const TEXT = "a\u{1f600}b\u00e9\u{1f600}c";

test("places count characters, beyond the basic plane too", () => {
  const all = [...TEXT];
  for (let i = 0; i <= all.length; i++) {
    assert.equal(charAt(TEXT, BigInt(i)), all[i] ?? "");
    for (let end = i; end <= all.length; end++)
      assert.equal(substring(TEXT, BigInt(i), BigInt(end)), all.slice(i, end).join(""));
    const found = all.indexOf("\u{1f600}", i);
    assert.equal(indexOf(TEXT, "\u{1f600}", BigInt(i)), BigInt(i === all.length ? -1 : found));
    if (i < all.length)
      assert.equal(lastIndexOf(TEXT, "\u{1f600}", BigInt(i)), BigInt(all.lastIndexOf("\u{1f600}", i)));
  }
  assert.equal(lastIndexOf(TEXT, "c", undefined), 5n);
  assert.equal(charAt("", 0n), "");
});

test("each character of a text is read once, however often the text is indexed", (context) => {
  const size = 2_000;
  const text = "\u{1f601}".repeat(size);
  const read = context.mock.method(String.prototype, "codePointAt");
  for (let i = 0n; i < BigInt(size); i++) {
    assert.equal(charAt(text, i), "\u{1f601}");
    assert.equal(substring(text, i, i + 1n), "\u{1f601}");
    assert.equal(indexOf(text, "\u{1f601}", i), i);
    assert.equal(lastIndexOf(text, "\u{1f601}", i), i);
  }
  assert.equal(read.mock.callCount(), size);
});
