import assert from "node:assert/strict";
import { posix } from "node:path";
import { test } from "node:test";
import { listFiles, readFile } from "../support/docs/pages.ts";

/** The kinds of pages (diataxis.fr), in the order of the index. */
const KINDS = ["Tutorials", "How-to guides", "Reference", "Explanation"];

/** The row of a page, or of two that belong together; `cells`: what question they answer, and for whom. */
type Row = { readonly kind: string; readonly pages: readonly string[]; readonly cells: readonly string[] };

function parseRows(index: string): readonly Row[] {
  return index.split(/^## /m).flatMap((section) => {
    const kind = section.slice(0, section.indexOf("\n"));
    return [...section.matchAll(/^\| (\[[^|]*)\|(.*)\|$/gm)].map(([, names = "", rest = ""]) => ({
      kind,
      pages: [...names.matchAll(/\]\(([^)#]+)/g)].map(([, page = ""]) => posix.join("docs", page)),
      cells: rest.split("|").map((cell) => cell.trim()),
    }));
  });
}

function findIndexFaults(index: string, pages: readonly string[]): readonly string[] {
  const rows = parseRows(index);
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  return [
    ...(kinds.join() === KINDS.join() ? [] : [`the kinds are ${kinds.join()}`]),
    ...pages.flatMap((page) => {
      const count = rows.filter((row) => row.pages.includes(page)).length;
      return count === 1 ? [] : [`${page} is listed ${count} times`];
    }),
    ...rows.flatMap((row) =>
      row.cells.length === 2 && row.cells.every(Boolean) ? [] : [`${row.pages.join()} lacks a cell`],
    ),
  ];
}

const index = readFile("docs/README.md");
/** Runbooks and decisions have indexes of their own, and examples are not pages. */
const pages = listFiles("docs/*.md", ":!docs/README.md").filter(
  (page) => !/^docs\/(?:runbooks|examples|design\/decisions)\//.test(page) || page.endsWith("/README.md"),
);

test("each page is listed once, as a tutorial, a how-to guide, reference or explanation", () => {
  assert.ok(pages.length >= 30);
  assert.deepEqual(findIndexFaults(index, pages), []);
});

test("a page that is not listed, or twice, or without an answer is found", () => {
  assert.match(findIndexFaults(index, ["docs/new.md"]).join(), /^docs\/new\.md is listed 0 times$/);
  const [row = ""] = /^\| \[.*fleets\.md.*\n/m.exec(index) ?? [];
  assert.match(findIndexFaults(index.replace(row, row + row), pages).join(), /^docs\/fleets\.md is listed 2 times$/);
  const short = row.replace(/\|[^|]*\|$/m, "|");
  assert.match(findIndexFaults(index.replace(row, short), pages).join(), /^docs\/fleets\.md lacks a cell$/);
  assert.match(findIndexFaults(index.replace("## Reference", "## Else"), pages).join(), /^the kinds are/);
});
