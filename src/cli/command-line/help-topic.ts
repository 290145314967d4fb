import {
  DEFAULT_COMMAND,
  findCommand,
  findGroup,
  listFirstWords,
  listGroupCommands,
  PLAIN_COMMAND_NAMES,
  requireCommand,
} from "../commands/index.ts";
import { HELP_FLAGS, VERSION_FLAGS } from "../io/program.ts";
import type { HelpPage, HelpRow, HelpSection } from "./help-page.ts";
import { buildGroupPage, buildHelpPage, buildOverview, RUNNER_TOPIC } from "./help-page.ts";
import { wrapText } from "../../format/text/terminal-text.ts";

/** The help that the words ask for, if they do. */
export function findHelp(words: readonly string[], width: number): string | undefined {
  if (words[0] === "help") return formatTopic(words.slice(1), width);
  return words.some((word) => HELP_FLAGS.includes(word)) ? formatTopic(words, width) : undefined;
}

export function asksForVersion(words: readonly string[]): boolean {
  return words[0] === "version" || words.some((word) => VERSION_FLAGS.includes(word));
}

function formatTopic(words: readonly string[], width: number): string {
  return formatHelp(buildTopic(words), width);
}

function buildTopic(words: readonly string[]): HelpPage {
  const [topic, verb] = words;
  if (topic === undefined || topic.startsWith("-") || PLAIN_COMMAND_NAMES.includes(topic))
    return buildOverview(listFirstWords());
  if (topic === RUNNER_TOPIC) return buildHelpPage(DEFAULT_COMMAND);
  const group = findGroup(words);
  if (group !== undefined && findCommand(words) === undefined && (verb === undefined || verb.startsWith("-")))
    return buildGroupPage(group, listGroupCommands(group));
  return buildHelpPage(requireCommand(words));
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
