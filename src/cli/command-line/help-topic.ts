import { UsageError } from "../../model/errors.ts";
import type { Command } from "../settings/command.ts";
import { DEFAULT_COMMAND, NAMED_COMMANDS } from "../commands/index.ts";
import { formatDidYouMean } from "../../model/nearest-name.ts";
import { HELP_FLAGS, VERSION_FLAGS } from "../io/program.ts";
import {
  buildHelpPage,
  buildOverview,
  RUNNER_TOPIC,
  type HelpPage,
  type HelpRow,
  type HelpSection,
} from "./help-page.ts";
import { wrapText } from "../../format/text/wrapping.ts";

export const PLAIN_COMMAND_NAMES = ["help", "version"];

/** The help that the words ask for, if they do. */
export function findHelp(words: readonly string[], width: number): string | undefined {
  const [first, second] = words;
  if (first === "help") return formatTopic(second, width);
  return words.some((word) => HELP_FLAGS.includes(word)) ? formatTopic(first, width) : undefined;
}

export function asksForVersion(words: readonly string[]): boolean {
  return words[0] === "version" || words.some((word) => VERSION_FLAGS.includes(word));
}

function formatTopic(topic: string | undefined, width: number): string {
  if (topic === undefined || topic.startsWith("-") || PLAIN_COMMAND_NAMES.includes(topic))
    return formatHelp(buildOverview(NAMED_COMMANDS), width);
  if (topic === RUNNER_TOPIC) return formatHelp(buildHelpPage(DEFAULT_COMMAND), width);
  return formatHelp(buildHelpPage(requireCommand(topic)), width);
}

/** The command of a name. Throws a UsageError with the nearest name if there is none. */
export function requireCommand(name: string): Command {
  const command = NAMED_COMMANDS.find((candidate) => candidate.name === name);
  if (command !== undefined) return command;
  const known = [...NAMED_COMMANDS.map((candidate) => candidate.name), ...PLAIN_COMMAND_NAMES];
  throw new UsageError(`unknown command "${name}"${formatDidYouMean(name, known)}; see 'preflight --help'`);
}

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
