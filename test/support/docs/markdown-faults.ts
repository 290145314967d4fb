import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Line, type Page, parseLines } from "./pages.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** Links and pictures that lead nowhere, lists and tables that are not shown as such. */
export function findMarkdownFaults({ path, text }: Page): readonly string[] {
  const lines = parseLines(text);
  const faults = lines.flatMap((line, i) =>
    [
      ...findLinkFaults({ path, text }, line.prose),
      ...findListFaults(line, lines[i - 1]),
      ...findTableFaults(line, lines[i - 1]),
    ].map((fault) => `${path}:${line.number}: ${fault}`),
  );
  return [...faults, ...findNumberFaults(lines).map((fault) => `${path}:${fault}`)];
}

/** Also those of a picture for each theme, which Markdown has no words for. */
const LINK = /!?\[[^\]]*\]\(([^)\s]+)\)|\b(?:href|src|srcset)="([^"\s]*)"/g;

function findLinkFaults(page: Page, prose: string): readonly string[] {
  return [...prose.matchAll(LINK)].flatMap(([, text, attribute = ""]) => {
    const link = text ?? attribute;
    if (!/^[a-z]+:/.test(link)) return findTargetFault(page, link);
    return /^(?:https:\/\/[\w.-]+(?:\/|$)|mailto:)/.test(link) ? [] : [`${link} is not https`];
  });
}

function findTargetFault(page: Page, link: string): readonly string[] {
  const [path = "", anchor] = link.split("#");
  const file = join(ROOT, dirname(page.path), decodeURIComponent(path));
  if (path !== "" && !existsSync(file)) return [`${link} does not exist`];
  if (anchor === undefined || (path !== "" && !file.endsWith(".md"))) return [];
  const text = path === "" ? page.text : readFileSync(file, "utf8");
  return listAnchors(text).has(anchor) ? [] : [`${link} has no such heading`];
}

function listAnchors(page: string): ReadonlySet<string> {
  const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => toAnchor(heading));
  const explicit = [...page.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = ""]) => id);
  return new Set([...headings, ...explicit]);
}

/** A heading's anchor, as GitHub makes it. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

const ITEM = /^( *)(?:[-*+]|(\d+)[.)]) +\S/;
const BLOCK = /^(?:\s*$|#|\||<!--|>)/;

function findListFaults(line: Line, before: Line | undefined): readonly string[] {
  if (before === undefined || BLOCK.test(before.prose) || BLOCK.test(line.prose)) return [];
  const wasInItem = ITEM.test(before.prose) || before.prose.startsWith(" ");
  if (ITEM.test(line.prose)) return wasInItem ? [] : ["a list needs an empty line above it"];
  return wasInItem && !line.prose.startsWith(" ") ? ["the text of a list's item is not indented"] : [];
}

/** Numbers begin with 1 and count on, for each indentation. */
function findNumberFaults(lines: readonly Line[]): readonly string[] {
  let lists: readonly { readonly depth: number; readonly number: number }[] = [];
  return lines.flatMap((line) => {
    if (line.prose.trim() === "") return [];
    const [, indent = "", digits] = ITEM.exec(line.prose) ?? [];
    const depth = digits === undefined ? line.prose.search(/\S/) : indent.length;
    const expected = 1 + (lists.find((list) => list.depth === depth)?.number ?? 0);
    lists = lists.filter((list) => list.depth < depth);
    if (digits === undefined) return [];
    lists = [...lists, { depth, number: Number(digits) }];
    return Number(digits) === expected ? [] : [`${line.number}: the number is ${digits} and should be ${expected}`];
  });
}

function findTableFaults(line: Line, before: Line | undefined): readonly string[] {
  if (!line.prose.startsWith("|")) return [];
  if (!before?.prose.startsWith("|"))
    return before === undefined || BLOCK.test(before.prose) ? [] : ["a table needs an empty line above it"];
  return countCells(line.text) === countCells(before.text) ? [] : ["the row has another number of cells"];
}

/** A bar separates cells in code, too. */
function countCells(row: string): number {
  return row.replaceAll("\\|", "").split("|").length;
}
