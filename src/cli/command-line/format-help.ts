import { wrapText } from "../../format/text/wrapping.ts";
import type { HelpPage, HelpRow, HelpSection } from "./help-page.ts";

const INDENT = "  ";
const TERM_COLUMNS = 24;

/** A help page as text for a terminal of `width` columns. */
export function formatHelp({ usage, describe, sections, examples, notes }: HelpPage, width: number): string {
  const parts = [
    wrapText("", describe, width),
    wrapText("Usage: ", usage, width),
    ...sections.map((section) => formatSection(section, width)),
    ...(examples.length === 0
      ? []
      : [["Examples:", ...examples.flatMap((example) => formatExample(example.describe, example.command, width))]]),
    ...notes.map((note) => wrapText("", note, width)),
  ];
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function formatSection({ title, rows }: HelpSection, width: number): readonly string[] {
  const longest = Math.max(...rows.map(({ term }) => term.length));
  return [`${title}:`, ...rows.flatMap((row) => formatRow(row, Math.min(longest, TERM_COLUMNS), width))];
}

/** A term that is too long for its column has a line of its own. */
function formatRow({ term, text }: HelpRow, columns: number, width: number): readonly string[] {
  if (term.length <= columns) return wrapText(`${INDENT}${term.padEnd(columns)}  `, text, width);
  return [`${INDENT}${term}`, ...wrapText(" ".repeat(columns + 2 * INDENT.length), text, width)];
}

/** Commands are to be copied, so they are never wrapped. */
function formatExample(describe: string, command: string, width: number): readonly string[] {
  return [...wrapText(`${INDENT}# `, describe, width), `${INDENT}${command}`];
}
