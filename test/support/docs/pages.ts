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
const LIST_ITEM = /^ *(?:[-*+]|\d+[.)]) /;

export function parseLines(text: string): readonly Line[] {
  let fence: string | undefined;
  let before = "";
  let isInList = false;
  let isIndentedCode = false;
  return text.split("\n").map((line, i) => {
    const [, mark] = FENCE.exec(line) ?? [];
    const isFenced = fence !== undefined || mark !== undefined;
    if (mark !== undefined) fence = fence === undefined ? mark : line.trim() === fence ? undefined : fence;
    if (line.trim() !== "") {
      if (/^\S/.test(line)) isInList = LIST_ITEM.test(line);
      isIndentedCode = /^ {4}/.test(line) && !isInList && (isIndentedCode || before.trim() === "");
    }
    before = line;
    const prose = isFenced || isIndentedCode ? "" : line.replaceAll(CODE_SPAN, "`code`");
    return { number: i + 1, text: line, prose };
  });
}

export function parseCodeSpans(text: string): readonly string[] {
  return [...text.matchAll(CODE_SPAN)].map(([, , code = ""]) => code.trim());
}
