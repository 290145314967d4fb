import assert from "node:assert/strict";
import { test } from "node:test";
import { isVisibleLine, toLine, toVisible, toVisibleOutput, toVisibleText } from "../../src/model/visible-text.ts";
import { assertVisible, assertVisibleValue, HOSTILE } from "../../verify/shared/hostile-text.ts";

test("a hidden character is written by its code point, in a text that stays as it is", () => {
  assert.equal(
    toVisibleText("a\u202eb \u{e0041}\u00ad\u200d \ud800 \u001b[31m"),
    "aU+202Eb U+E0041U+00ADU+200D U+D800 U+001B[31m",
  );
  assert.equal(toVisibleText(toVisibleText(HOSTILE)), toVisibleText(HOSTILE));
  assertVisible(toVisibleText(HOSTILE), "the text");
});

test("letters of any script, accents, signs and single emoji are no hidden characters", () => {
  for (const text of ["Grüße, naïve café", "שלום العربية", "日本語　한국어", "e\u0301", "→ ✓ … – “x”", "🙂 🇦", "a b"])
    assert.equal(toVisibleText(text), text);
});

test("line breaks stay, tabs become spaces, and a carriage return alone is shown", () => {
  assert.equal(toVisibleText("a\r\nb\tc\rd"), "a\nb cU+000Dd");
  assert.equal(toLine("a\r\n  b\n\nc\td"), "a b c d");
  assert.equal(toVisibleOutput("a,b\r\nc\u202e\r\n"), "a,b\r\ncU+202E\r\n");
});

test("a command to a pipeline becomes text, and an address of IPv6 stays", () => {
  assert.equal(toVisibleText("::error::x"), "U+003A:error::x");
  assert.equal(toVisibleText("a\n  ::add-mask::x"), "a\n  U+003A:add-mask::x");
  assert.equal(toVisibleText("a ##vso[x] ##[y] ##teamcity[z]"), "a U+0023#vso[x] U+0023#[y] U+0023#teamcity[z]");
  assert.equal(toVisibleText("::ERROR::x ##VSO[x]"), "U+003A:ERROR::x U+0023#VSO[x]");
  for (const text of ["::1", "fe80::1", "::ffff:10.0.0.1", "a::b", "## heading", "#[derive]"])
    assert.equal(toVisibleText(text), text);
  assert.equal(toVisibleOutput("::error title=A::b\n"), "::error title=A::b\n", "our own output has such commands");
});

test("only a text that says all on one line is visible", () => {
  assert.ok(isVisibleLine("oc get node/a"));
  for (const text of ["a\u200bb", "a\nb", "a\tb", "a\r"]) assert.ok(!isVisibleLine(text));
});

test("a value keeps its form, with texts and keys made visible however deep they are", () => {
  const value = { a: [HOSTILE, { [HOSTILE]: HOSTILE }], b: 1, c: null, d: true };
  const visible = toVisible(value);
  assertVisibleValue(visible, "value");
  assert.deepEqual([visible.b, visible.c, visible.d, visible.a.length], [1, null, true, 2]);
  const time = new Date(0);
  assert.equal(toVisible({ time }).time, time);
  assert.deepEqual(Object.entries(toVisible(JSON.parse('{"__proto__":"\u202e"}'))), [["__proto__", "U+202E"]]);
});

test("a value without a hidden character is not copied", () => {
  const value = { a: [{ b: "é" }], c: ["x"] };
  assert.equal(toVisible(value), value);
});

test("a value nested deeper than any result does not take the stack", () => {
  const text = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  assert.ok(JSON.stringify(toVisible(JSON.parse(text))).length < 1_000);
});

test("a text of a megabyte takes no longer than its length", () => {
  const texts = ["::a ", " \n", "##", "\u202e", " "].map((part) => part.repeat(300_000));
  for (const text of texts) assert.ok(toLine(text).length > 0);
});
