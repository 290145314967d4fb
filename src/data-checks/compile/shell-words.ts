import { isVisibleLine } from "../../model/visible-text.ts";
import { findClosingBrace } from "../../schema/cel/index.ts";
import type { PlacedFault } from "../format/fault.ts";

/** What is wrong with the words of a command, and where. */
export type WordFault = Required<Pick<PlacedFault, "message" | "hint" | "span">>;

/** A part of a command's words as a shell reads them. `mark`: the quotes that it stands in. */
type Part = {
  readonly kind: "character" | "value" | "placeholder" | "quote" | "escaped";
  readonly start: number;
  readonly end: number;
  readonly mark: string | undefined;
};

const PLACEHOLDER = /^<[a-z][a-z0-9-]*>/;

function listParts(run: string): readonly Part[] {
  const parts: Part[] = [];
  let mark: string | undefined;
  for (let start = 0; start < run.length; start = parts.at(-1)?.end ?? run.length) {
    const part = { start, mark, ...readPart(run, start, mark) };
    if (part.kind === "quote") mark = mark === undefined ? run[start] : undefined;
    parts.push(part);
  }
  return parts;
}

function readPart(run: string, start: number, mark: string | undefined): Pick<Part, "kind" | "end"> {
  const rest = run.slice(start);
  const [character = ""] = rest;
  if (rest.startsWith("${") && run[start - 1] !== "$")
    return { kind: "value", end: (findClosingBrace(run, start + 2) ?? run.length) + 1 };
  if (character === "\\" && mark !== "'" && rest.length > 1) return { kind: "escaped", end: start + 2 };
  const isQuote = mark === undefined ? /["']/.test(character) : character === mark;
  const [placeholder] = PLACEHOLDER.exec(rest) ?? [];
  if (placeholder !== undefined) return { kind: "placeholder", end: start + placeholder.length };
  return { kind: isQuote ? "quote" : "character", end: start + 1 };
}

/** What a shell runs besides the command, takes for something else than text, or takes for the end of a value. */
export function findShellFault(run: string): WordFault | undefined {
  const parts = listParts(run);
  const marks = parts.filter(({ kind }) => kind === "quote");
  const open = marks.length % 2 === 0 ? undefined : marks.at(-1);
  const [found] = parts.flatMap((part) => judgePart(run, part) ?? []);
  return found ?? (open && mark(open, "this quote is not closed", `add ${run[open.start] ?? ""}`));
}

function mark({ start }: Part, message: string, hint: string, length = 1): WordFault {
  return { message, hint, span: { start, end: start + length } };
}

const NO_SECOND = "a command to copy is one command, without pipes, redirection or substitution";

function judgePart(run: string, part: Part): WordFault | undefined {
  const { kind, start, end } = part;
  if (kind === "quote" || kind === "placeholder") return undefined;
  if (kind === "value")
    // Its own quotes would end those around it.
    return part.mark === undefined
      ? undefined
      : mark(part, "a value is quoted already", "leave out the quotes around it", 2);
  const found = kind === "character" && part.mark !== "'" ? findExpansion(run, part) : undefined;
  if (found !== undefined || isVisibleLine(run.slice(start, end))) return found;
  return mark(part, "a command is one line, without hidden characters", "leave it out", end - start);
}

/** Lists of words in braces, words that begin a comment or a home, and, even in quotes, commands that were run before. */
const TAKEN = /^\{(?:\S*,|[\w-]+\.\.[\w-])/;
const TAKEN_FIRST = /^[#~]/;
const TAKEN_QUOTED = /^![^\s=(]/;

function findExpansion(run: string, part: Part): WordFault | undefined {
  const rest = run.slice(part.start);
  const isBare = part.mark === undefined;
  const [operator] = (isBare ? /^(?:[`|;&<>\n]|\$\()/ : /^(?:`|\$\()/).exec(rest) ?? [];
  if (operator !== undefined) return mark(part, NO_SECOND, "write a command for each step", operator.length);
  if (rest.startsWith("$")) return mark(part, "a shell puts a variable in its place", "write the value, or ${...}");
  if (rest === "\\") return mark(part, "it continues the command on the next line", "leave it out");
  const isFirst = part.start === 0 || /\s/.test(run[part.start - 1] ?? "");
  const isTaken = TAKEN_QUOTED.test(rest) || (isBare && (TAKEN.test(rest) || (isFirst && TAKEN_FIRST.test(rest))));
  const message = `a shell takes ${rest.slice(0, 1)} for something else`;
  return isTaken ? mark(part, message, "put the word in single quotes") : undefined;
}

/** A word as a shell takes it. `text`: without quotes and escapes, with U+FFFC in the place of each value. */
export type Word = { readonly text: string; readonly start: number; readonly end: number };

export const VALUE = "\uFFFC";

export function splitWords(run: string): readonly Word[] {
  const words: Word[] = [];
  let isOpen = false;
  for (const { kind, start, end, mark: quotes } of listParts(run)) {
    const written = run.slice(start, end);
    const isSpace = kind === "character" && quotes === undefined && /\s/.test(written);
    const last = isOpen ? words.pop() : undefined;
    if (!isSpace) words.push({ start: last?.start ?? start, end, text: (last?.text ?? "") + getText(kind, written) });
    else if (last !== undefined) words.push(last);
    isOpen = !isSpace;
  }
  return words;
}

function getText(kind: Part["kind"], written: string): string {
  if (kind === "value") return VALUE;
  if (kind === "quote") return "";
  return kind === "escaped" ? written.slice(1) : written;
}
