import { STYLE_CODES } from "../../format/text/terminal-text.ts";
import { toVisibleOutput, toLine } from "../../model/visible-text.ts";

const CODES = ["0", ...Object.values(STYLE_CODES)].join("|");

/** The colours and hyperlinks of our own tables. A hyperlink opens web pages only. */
const STYLE = new RegExp(String.raw`(\u001b\[(?:${CODES})m|\u001b\]8;;(?:https:\/\/[!-~]{1,2000})?\u001b\\)`);

/** Begins the current line of a terminal again. */
export const CLEAR_LINE = "\r\u001b[2K";

/** Goes to the first line of a terminal, and empties it from there on. What has scrolled out of it stays. */
export const CLEAR_SCREEN = "\u001b[H\u001b[2J";

/** Escapes all that is hidden but those colours and hyperlinks. */
export function escapeAllButStyles(text: string): string {
  const parts = text.split(STYLE);
  return parts.map((part, i) => (i % 2 === 1 ? part : toVisibleOutput(part))).join("");
}

/** What a child process wrote to stderr: its lines of progress, and what Node itself prints, such as an error with a text of others. */
export function escapeAllButProgress(text: string): string {
  return text.split(CLEAR_LINE).map(toVisibleOutput).join(CLEAR_LINE);
}

/** Aligns rows of words in columns. */
export function formatColumns(texts: readonly (readonly string[])[], indent: string): string {
  const rows = texts.map((row) => row.map(toLine));
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? "").length)));
  const line = (row: readonly string[]): string => row.map((word, i) => word.padEnd(widths[i] ?? 0)).join("   ");
  return rows.map((row) => `${indent}${line(row)}`.trimEnd()).join("\n");
}
