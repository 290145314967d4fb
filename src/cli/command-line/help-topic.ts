import { UsageError } from "../../model/errors.ts";
import type { Command } from "../settings/command.ts";
import { COMMANDS, DEFAULT_COMMAND } from "../commands/index.ts";
import { formatDidYouMean } from "../../model/nearest-name.ts";
import { HELP_FLAGS, VERSION_FLAGS } from "../io/program.ts";
import { formatHelp } from "./format-help.ts";
import { buildHelpPage, buildOverview, RUNNER_TOPIC } from "./help-page.ts";

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
    return formatHelp(buildOverview(COMMANDS), width);
  if (topic === RUNNER_TOPIC) return formatHelp(buildHelpPage(DEFAULT_COMMAND), width);
  return formatHelp(buildHelpPage(requireCommand(topic)), width);
}

/** The command of a name. Throws a UsageError with the nearest name if there is none. */
export function requireCommand(name: string): Command {
  const commands = COMMANDS.filter((command) => command !== DEFAULT_COMMAND);
  const command = commands.find((candidate) => candidate.name === name);
  if (command !== undefined) return command;
  const known = [...commands.map((candidate) => candidate.name), ...PLAIN_COMMAND_NAMES];
  throw new UsageError(`unknown command "${name}"${formatDidYouMean(name, known)}; see 'preflight --help'`);
}
