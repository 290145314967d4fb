import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..", "..");

export type Page = { readonly path: string; readonly text: string };

/** A line of a page. In `prose`, a code span is only "`code`", and a line of a fence or an indented block is empty. */
export type Line = { readonly number: number; readonly text: string; readonly prose: string };

/** The project's files, with those that git does not know yet; patterns are git's. */
export function listFiles(...patterns: readonly string[]): readonly string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...patterns], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return listed.split("\n").filter((file) => file !== "" && existsSync(join(ROOT, file)));
}

export function readFile(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Every page that people read; expected outputs of tests are none. */
export function readPages(): readonly Page[] {
  return listFiles("*.md", ":!test/**").map((path) => ({ path, text: readFile(path) }));
}

/** Code in the text of a line. A run of backticks ends with the next one of its length. */
const CODE_SPAN = /(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g;

const FENCE = /^ *(`{3,}|~{3,})/;
const LIST_ITEM = /^ *(?:[-*+]|\d+[.)]) +/;
const CODE_INDENT = 4;

export function parseLines(text: string): readonly Line[] {
  let fence: string | undefined;
  let before = "";
  /** Where the text of the innermost list item begins. */
  let start = 0;
  let isIndentedCode = false;
  return text.split("\n").map((line, i) => {
    const [, mark] = FENCE.exec(line) ?? [];
    const isFenced = fence !== undefined || mark !== undefined;
    if (mark !== undefined) fence = fence === undefined ? mark : line.trim() === fence ? undefined : fence;
    const indent = line.search(/\S/);
    if (indent >= 0 && !isFenced) {
      isIndentedCode = indent >= start + CODE_INDENT && (isIndentedCode || before.trim() === "");
      if (!isIndentedCode) start = LIST_ITEM.exec(line)?.[0].length ?? Math.min(start, indent);
    }
    before = line;
    const prose = isFenced || isIndentedCode ? "" : line.replaceAll(CODE_SPAN, "`code`");
    return { number: i + 1, text: line, prose };
  });
}

/** A line of code, or code in the text of a line. */
export type Code = { readonly number: number; readonly text: string; readonly isBlock: boolean };

/** All code of a page. Lines of a block that end with a backslash are one. */
export function parseCodes(page: string): readonly Code[] {
  const codes: Code[] = [];
  let open = "";
  for (const { number, text, prose } of parseLines(page)) {
    const isBlock = prose === "" && text !== "";
    if (!isBlock) {
      codes.push(...parseCodeSpans(text).map((span) => ({ number, text: span, isBlock })));
      continue;
    }
    const whole = `${open}${text.trim()}`;
    open = whole.endsWith("\\") ? whole.slice(0, -1) : "";
    if (open === "") codes.push({ number, text: whole, isBlock });
  }
  return codes;
}

export function parseCodeSpans(text: string): readonly string[] {
  return [...text.matchAll(CODE_SPAN)].map(([, , code = ""]) => code.trim());
}
