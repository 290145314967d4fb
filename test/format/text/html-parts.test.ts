import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCode, formatText, formatTimes } from "../../../src/format/text/html-parts.ts";

test("commands in a sentence are code, without their quotation marks", () => {
  const cases: readonly (readonly [text: string, html: string])[] = [
    ['Run "oc adm upgrade" first.', "Run <code>oc adm upgrade</code> first."],
    ['"preflight rbac" prints them', "<code>preflight rbac</code> prints them"],
    ["Watch the pods (oc get pods -A).", "Watch the pods (<code>oc get pods <span>-A</span></code>)."],
    [
      `"oc patch a --type=merge -p '{"spec":{"paused":false}}'" unpauses it`,
      "<code>oc patch a <span>--type=merge</span> <span>-p</span> &#39;{&quot;spec&quot;:{&quot;paused&quot;:false}}&#39;</code> unpauses it",
    ],
  ];
  for (const [text, html] of cases) assert.equal(formatText(text), html);
});

test("what only looks like a command is text", () => {
  for (const text of ['Set it to "octal".', "since oc 4.20 (oc 4.20 or later)", '"oc get', `"oc it's`])
    assert.doesNotMatch(formatText(text), /<code>/);
});

test("a word with a hyphen is in one piece, with the choices in it", () => {
  assert.equal(
    formatCode("oc scale --replicas=<number of pods> a"),
    "<code>oc scale <span>--replicas=<var>&lt;number of pods&gt;</var></span> a</code>",
  );
  assert.equal(formatCode("a <b-c>"), "<code>a <span><var>&lt;b-c&gt;</var></span></code>");
});

test("times can be read by people and by the page's script", () => {
  assert.equal(
    formatTimes("taken 2026-03-01T10:00:07Z, or so"),
    'taken <time datetime="2026-03-01T10:00:07Z">2026-03-01 10:00 UTC</time>, or so',
  );
});
