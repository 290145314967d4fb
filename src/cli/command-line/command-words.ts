import { formatDidYouMean } from "../../model/nearest-name.ts";
import { UsageError } from "../../model/errors.ts";
import { COMMAND_GROUPS, NAMED_COMMANDS } from "../commands/index.ts";
import type { Command, CommandGroup } from "../settings/command.ts";

export const PLAIN_COMMAND_NAMES = ["help", "version"];

/** The command that the words begin with, which has the name of one word or of two. */
export function findCommand([first = "", second = ""]: readonly string[]): Command | undefined {
  return NAMED_COMMANDS.find(({ name }) => name === first || name === `${first} ${second}`);
}

export function countNameWords({ name }: Command): number {
  return name.split(" ").length;
}

/** The group that the first word names. */
export function findGroup([first]: readonly string[]): CommandGroup | undefined {
  return COMMAND_GROUPS.find(({ name }) => name === first);
}

export function listGroupCommands(group: CommandGroup): readonly Command[] {
  return NAMED_COMMANDS.filter(({ name }) => name.startsWith(`${group.name} `));
}

/** A command's name within its group. */
export function getOwnWord({ name }: Command): string {
  return name.split(" ").at(-1) ?? name;
}

/** The commands and groups that the first word can name. */
export function listFirstWords(): readonly CommandGroup[] {
  return [...NAMED_COMMANDS.filter(({ name }) => !name.includes(" ")), ...COMMAND_GROUPS];
}

/** Throws a UsageError with the nearest name if the words name no command. */
export function requireCommand(words: readonly string[]): Command {
  const command = findCommand(words);
  if (command !== undefined) return command;
  const group = findGroup(words);
  throw new UsageError(group === undefined ? describeUnknown(words) : describeUnknownVerb(group, words[1]));
}

function describeUnknown([name = ""]: readonly string[]): string {
  const known = [...listFirstWords().map((one) => one.name), ...PLAIN_COMMAND_NAMES];
  return `unknown command "${name}"${formatDidYouMean(name, known)}; see 'preflight --help'`;
}

function describeUnknownVerb(group: CommandGroup, verb: string | undefined): string {
  const known = listGroupCommands(group).map(getOwnWord);
  const see = `see 'preflight help ${group.name}'`;
  if (verb === undefined || verb.startsWith("-")) return `name what to do: ${known.join(", ")}; ${see}`;
  return `unknown command "${group.name} ${verb}"${formatDidYouMean(verb, known)}; ${see}`;
}
