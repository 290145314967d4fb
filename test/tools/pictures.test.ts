import assert from "node:assert/strict";
import { test } from "node:test";
import { formatPagePicture } from "../../tools/pages/page-picture.ts";
import { formatTerminalPicture } from "../../tools/pages/terminal-picture.ts";
import { THEMES } from "../../tools/pages/theme.ts";
import { listFiles, readFile } from "../support/docs/pages.ts";

const FRAME = { width: 960, height: 600 };
const STYLE =
  "p{color:red;max-height:80vh}@media(prefers-color-scheme:dark){:root{--page:#000}p{color:pink}}@media print{p{color:blue}}@media(max-width:40rem){p{margin:0}}";
const PAGE = `<!doctype html>
<html lang="en"><head><style>${STYLE}</style></head><body><form hidden><label>Filter <input type="search" disabled></label></form>
<p title="is open for all">a &amp; b<br>c<wbr>d</p><details open><summary>e</summary></details><script>f</script></body></html>`;

/** What is wrong with the tags of an SVG, as a parser of XML sees them. */
function findXmlFaults(svg: string): readonly string[] {
  const faults: string[] = [];
  const open: string[] = [];
  const markup = svg.replaceAll(/<!\[CDATA\[.*?\]\]>/gs, "");
  for (const [tag, slash, name = "", end] of markup.matchAll(/<(\/?)([A-Za-z][\w:-]*)[^>]*?(\/?)>/g)) {
    if (!/^<\/?[\w:-]+(?:\s+[\w:-]+="[^"<]*")*\s*\/?>$/.test(tag)) faults.push(tag);
    if (slash === "/" && open.pop() !== name) faults.push(tag);
    if (slash === "" && end === "") open.push(name);
  }
  const entities = markup.match(/&(?!(?:amp|lt|gt|quot|#\d+);).{0,9}/g) ?? [];
  return [...faults, ...open, ...entities];
}

const pictures = listFiles("docs/pictures/*.svg");

test("README or the page on the console shows each picture in both themes", () => {
  const pages = [readFile("README.md"), readFile("docs/console.md").replaceAll('"pictures/', '"docs/pictures/')];
  assert.ok(pictures.length >= 8 && pictures.length % THEMES.length === 0);
  for (const picture of pictures)
    assert.ok(
      pages.some((page) => page.includes(`"${picture}"`)),
      picture,
    );
});

for (const picture of pictures)
  test(`${picture} is XML, runs nothing and loads nothing`, () => {
    const svg = readFile(picture);
    assert.deepEqual(findXmlFaults(svg), []);
    assert.doesNotMatch(svg, /<script|@media|@import|\ssrc=|url\((?!#)/);
  });

for (const theme of THEMES)
  test(`a page's picture has the page in the ${theme} theme`, () => {
    const svg = formatPagePicture("A <page>", PAGE, FRAME, theme);
    assert.deepEqual(findXmlFaults(svg), []);
    assert.ok(svg.includes("max-height:480px"));
    assert.ok(svg.includes("<title>A &lt;page&gt;</title>") && svg.includes('title="is open for all"'));
    assert.equal(svg.includes("pink"), theme === "dark");
    assert.doesNotMatch(svg, /@media|blue|margin:0|<script/);
  });

test("a page without its usual parts has no picture", () => {
  assert.throws(() => formatPagePicture("A page", "<p>a</p>", FRAME, "light"), /lacks <style>/);
});

test("a terminal's picture has its first lines, with their styles", () => {
  const svg = formatTerminalPicture("A terminal", "\u001b[1ma & b\u001b[0m c\n\n<d>\ne\n", 3, "dark");
  assert.deepEqual(findXmlFaults(svg), []);
  assert.ok(svg.includes('<tspan class="bold">a &amp; b</tspan> c</text>') && svg.includes("&lt;d&gt;"));
  assert.ok(svg.includes(">...</text>") && !svg.includes(">e</text>"));
});
