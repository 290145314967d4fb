import { joinNames } from "../../src/model/text.ts";
import { type Command, formatExitCodes } from "../../src/cli/settings/command.ts";
import { type HelpPage, type HelpRow, buildHelpPage, SUMMARY } from "../../src/cli/command-line/help-page.ts";
import { groupByExitCodes } from "./exit-codes.ts";

/** docs/preflight.1: the same help pages as of 'preflight help COMMAND', for man. */
export function formatManPage(heading: string, commands: readonly Command[]): string {
  const lines = [
    `.\\" ${heading}`,
    '.TH PREFLIGHT 1 "" "target-release-preflight"',
    // Names of variables are copied: neither hyphenated nor stretched.
    ".nh",
    ".ad l",
    ".SH NAME",
    `preflight \\- ${escape(SUMMARY.replace(/\.$/, "").replace(/^C/, "c"))}`,
    ".SH SYNOPSIS",
    ...commands.flatMap((command) => [".br", `.B ${escape(buildHelpPage(command).usage)}`]).slice(1),
    ".SH DESCRIPTION",
    escape(
      `${SUMMARY} It only reads the cluster; request, accept, cancel and the controllers write. A flag overrides its environment variable, and the variable overrides the default. Durations are written as 30s, 5m or 1h.`,
    ),
    ".SH COMMANDS",
    ...commands.flatMap(formatCommand),
    ".SH EXIT STATUS",
    ...groupByExitCodes(commands).flatMap(({ names, codes }) => [
      ".PP",
      escape(`Of ${joinNames(names)}: ${formatExitCodes(codes)}`),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

function formatCommand(command: Command): readonly string[] {
  const page = buildHelpPage(command);
  return [`.SS "${escape(page.usage)}"`, escape(page.describe), ...formatSections(page), ...formatExamples(page)];
}

/** What all commands have in common stands in no section of theirs. */
function formatSections({ sections }: HelpPage): readonly string[] {
  const own = sections.filter(({ title }) => title !== "Other options");
  return own.flatMap(({ title, rows }) => [".PP", `.I ${escape(title)}`, ...rows.flatMap(formatRow)]);
}

function formatRow({ term, text }: HelpRow): readonly string[] {
  return [".TP", `.B ${escape(term)}`, escape(text)];
}

function formatExamples({ examples }: HelpPage): readonly string[] {
  const before = ".PP\n.RS 4\n.nf";
  const after = ".fi\n.RE";
  return examples.flatMap(({ describe, command }) => [".PP", `${escape(describe)}:`, before, escape(command), after]);
}

/** Text that groff takes literally: no escapes, no requests at the start, hyphens that can be copied, quotes within arguments. */
function escape(text: string): string {
  const escaped = text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll('"', "\\(dq").replaceAll("'", "\\(aq");
  return escaped.startsWith(".") ? `\\&${escaped}` : escaped;
}
