import { toLine } from "../../model/visible-text.ts";

/**
 * What GitHub or GitLab makes a link, a mention, a command or a picture of, wherever it is in a word. Neither looks into code, but both
 * find it behind backslashes and entities, which are gone once they look.
 */
const LIVE = [
  // Mentions and addresses, issues, labels, snippets and formulas, iterations, links and references in brackets, includes and insertions.
  /[@#~$*[{]/,
  /:\/\/|www\./i,
  // Merge requests, milestones and epics.
  /[!%&]["\w]/,
  // Emoji, but not the minutes of a time.
  /:(?!\d\d:)[\w+-]+:/,
  // Commits.
  /(?<![0-9a-z])[0-9a-f]{7,64}(?![0-9a-z])/i,
  // Issues of other trackers, and advisories.
  /(?<![0-9a-z])(?:[A-Z][A-Z0-9_]+-\d|GHSA-)/,
  // Commands to GitLab, which begin a line.
  /^\//,
  // Tags, and projects of GitLab.
  /<[\w/!?]|\w-*>/,
] as const;

/** Text of a cluster as markdown: it does not become markup, a mention or a link, since every word that could is code. */
export function escapeMarkdown(text: string): string {
  const parts = toLine(text)
    .trimStart()
    .split(/([\s`|\\]+)/);
  return escapeStart(parts.map((part, i) => (i % 2 === 1 ? escapeSeparator(part) : formatWord(part))).join(""));
}

/** A text as code, whatever it holds. */
export function formatCode(text: string): string {
  const line = toLine(text);
  const fence = "`".repeat(getLongestRun(line) + 1);
  return fence.length === 1 ? `\`${line}\`` : `${fence} ${line} ${fence}`;
}

/** The length of the longest run of backticks: what is around a text with them has to be longer. */
export function getLongestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

/** Backticks as entities, since parsers differ on one with a backslash beside code. */
function escapeSeparator(separator: string): string {
  return separator.replaceAll(/[|\\]/g, String.raw`\$&`).replaceAll("`", "&#96;");
}

/** A sentence's punctuation around a word is no part of it. */
function formatWord(word: string): string {
  if (!LIVE.some((pattern) => pattern.test(word))) return escapeWord(word);
  const [start = ""] = /^["'(]{0,5}/.exec(word) ?? [];
  const [end = ""] = /["').,;:]{1,5}$/.exec(word.slice(start.length)) ?? [];
  const core = word.slice(start.length, word.length - end.length);
  return core === "" ? escapeWord(word) : `${start}${formatCode(core)}${end}`;
}

function escapeWord(word: string): string {
  const escaped = word.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return escaped.replaceAll(/[_\]]/g, String.raw`\$&`);
}

/** The start of a text may be that of a line, where it would begin a list or a quotation, or underline a heading. */
function escapeStart(text: string): string {
  return text.replace(/^(\d{0,9})(?=>|[-+.)](?:\s|$)|-+$|=+$)/, "$1\\");
}

/** Commands to copy, as a code block in a list item or at the margin. */
export function formatCommands(commands: readonly string[], indent = "", language = "sh"): string {
  const lines = commands.map(toLine);
  const fence = "`".repeat(Math.max(3, ...lines.map((line) => getLongestRun(line) + 1)));
  return [`${fence}${language}`, ...lines, fence].map((line) => `${indent}${line}`).join("\n");
}
