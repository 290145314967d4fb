import assert from "node:assert/strict";
import { test } from "node:test";
import { escapeMarkdown, formatCode } from "../../../src/format/text/markdown-text.ts";
import { findLive } from "../../support/live-markdown.ts";
import { buildHostileInput, formatChecks, formatPlans } from "../../support/format/hostile-report.ts";
import { formatComparisons, formatCrdsReports, formatFleets } from "../../support/format/hostile-results.ts";
import type { Outputs } from "../../support/format/outputs.ts";

/** What a cluster may write to make somebody else's page link, mention, load or do something. */
const LIVE_TEXTS = [
  "https://evil.example/?a=b",
  "(http://evil.example)",
  "HTTPS://EVIL.example",
  "see ssh://evil.example.",
  "www.evil.example",
  "mailto:a@evil.example",
  "a@evil.example",
  "@team",
  "@org/team",
  "x,@team",
  "user@0123abc",
  "#123",
  "org/repo#123",
  "GH-123",
  "JIRA-123",
  "GHSA-aaaa-bbbb-cccc",
  "!123",
  "group/project!123",
  '~bug ~"two words"',
  "$123",
  "$`x`$",
  '%123 %v1 %"two words"',
  "&123",
  "*iteration:1",
  "[vulnerability:123]",
  "[wiki_page:home page]",
  "^alert#123",
  "group/project>",
  "0123abc",
  "commit 0123456789abcdef0123456789abcdef01234567,",
  ":key:",
  "system:key:x",
  "[text](https://evil.example)",
  "[text] (x) [more text](//evil.example)",
  "![](//evil.example/a.png)",
  "[a]: //evil.example",
  "<img src=//evil.example/a.png>",
  "<script>x</script>",
  "<!-- x",
  "/close",
  "::include{file=//evil.example}",
  "{+ added +}",
  "`@team` ``#1``",
  "\\@team \\`#1\\`",
  "` @team `` #1 ```",
  "a|@team|b",
  "\n\n/close\n\n@team\n# heading\n```\n@team",
  "~~~\n@team",
] as const;

for (const text of LIVE_TEXTS)
  test(`${JSON.stringify(text)} is neither a link nor a mention`, () => {
    for (const around of [text, `x ${text} y`, `x (${text}), y`]) {
      const escaped = escapeMarkdown(around);
      assert.deepEqual(findLive(`- ${escaped}`), [], escaped);
      assert.deepEqual(findLive(escaped), [], escaped);
      assert.doesNotMatch(escaped, /\n/);
    }
    assert.deepEqual(findLive(formatCode(text)), [], "as code");
  });

test("the reader of pages in these tests finds what is left as it is", () => {
  for (const text of LIVE_TEXTS.slice(0, 40))
    if (!/[`|]/.test(text)) assert.notDeepEqual(findLive(text), [], `${text} would be found`);
});

test("plain words stay as they are, and sentences readable", () => {
  for (const text of ["4.18.8 -> 4.20.3: 2 risks", "at 10:00:00Z", "Node worker-0, 50% used (really)!", "a, b; c"])
    assert.equal(escapeMarkdown(text), text);
  assert.equal(escapeMarkdown("See https://a.example, then @b."), "See `https://a.example`, then `@b`.");
  assert.equal(escapeMarkdown("a_b < c & d > e"), "a\\_b &lt; c &amp; d > e");
});

test("a text begins no list, quotation, heading or line in its place", () => {
  const starts = ["- a", "+ a", "* a", "1. a", "2) a", "> a", "# a", "===", "---", "- - -", "    a"];
  for (const text of starts) assert.match(escapeMarkdown(text), /^(?:\\|\d+\\|`|a)/, text);
});

const pages = (outputs: Outputs): readonly (readonly [string, string])[] =>
  Object.entries(outputs).filter(([name]) => name.endsWith("markdown"));

test("no page links, mentions or loads what the cluster wrote", async () => {
  for (const text of LIVE_TEXTS) {
    const input = await buildHostileInput(text);
    const outputs = { ...formatChecks(input), ...formatPlans(input, text), ...formatComparisons(text) };
    const all = pages({ ...outputs, ...formatCrdsReports(text), ...(await formatFleets(text)) });
    assert.equal(all.length, 7);
    for (const [name, page] of all) assert.deepEqual(findLive(page), [], `${name} of ${text}:\n${page}`);
  }
});

test("a table has as many cells as columns, whatever the texts in it", async () => {
  const text = "a|b `c` \\| @team|";
  const input = await buildHostileInput(text);
  const withTable = pages(formatPlans(input, text)).filter(([, page]) => page.includes("\n| "));
  assert.equal(withTable.length, 2);
  for (const [name, page] of withTable) {
    const rows = page.split("\n").filter((line) => line.startsWith("| "));
    const counts = rows.map((row) => row.replaceAll(/\\[\\|]/g, "").split("|").length);
    for (const table of [counts.slice(0, 3)]) assert.equal(new Set(table).size, 1, `${name}: ${rows.join("\n")}`);
  }
});
