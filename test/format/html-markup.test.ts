import assert from "node:assert/strict";
import { test } from "node:test";
import { buildHostileInput, formatChecks, formatPlans } from "../support/format/hostile-report.ts";
import { formatComparisons, formatCrdsReports, formatFleets } from "../support/format/hostile-results.ts";

const TEXT = `"'></p></ul><script>x</script><img src=x>&`;
const input = await buildHostileInput(TEXT);
const outputs = {
  ...formatChecks(input),
  ...formatPlans(input, TEXT),
  ...formatComparisons(TEXT),
  ...formatCrdsReports(TEXT),
  ...(await formatFleets(TEXT)),
};
const pages = Object.entries(outputs).filter(([name]) => name.endsWith("html"));

test("every result has a page", () => {
  assert.deepEqual(
    pages.map(([name]) => name),
    ["check html", "plan html", "playbook html", "side by side html", "compare html", "crds html", "fleet html"],
  );
});

for (const [name, page] of pages)
  test(`${name} has a whole document, in which text of others is no markup`, () => {
    assert.match(page, /^<!doctype html>\n<html lang="en"><head><meta charset="utf-8">/);
    assert.match(page, /<meta http-equiv="Content-Security-Policy" content="default-src 'none'/);
    const body = page.replaceAll(/<(script|style)>.*?<\/\1>/gs, "");
    assert.ok(body.includes("&lt;img src=x&gt;"));
    assert.doesNotMatch(body, /<script|<img/);
    assert.deepEqual(findUnclosed(body), []);
    assert.equal(body.match(/<h1>/g)?.length, 1);
  });

/** The tags that are not closed where they should be. */
function findUnclosed(markup: string): readonly string[] {
  const open: string[] = [];
  for (const [, slash, tag = ""] of markup.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
    if (["meta", "input", "br", "wbr"].includes(tag)) continue;
    if (slash === "") open.push(tag);
    else if (open.at(-1) === tag) open.pop();
    else return [...open, `/${tag}`];
  }
  return open;
}
