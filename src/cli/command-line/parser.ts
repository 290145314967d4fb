import yargs, { type Argv, type Options } from "yargs";
import type { SettingValue } from "../../format/document/config-parser.ts";
import { UsageError } from "../../model/errors.ts";
import { COMMANDS, DEFAULT_COMMAND, countNameWords, findCommand, requireCommand } from "../commands/index.ts";
import { formatOperand as formatOperandWord, formatValue, getPlaceholder, RUNNER_TOPIC } from "./help-page.ts";
import { asksForVersion, findHelp } from "./help-topic.ts";
import { findOwn } from "../../model/json.ts";
import { formatDidYouMean, joinNames } from "../../model/text.ts";
import type { Command, Operand, ParsedFlags, Setting } from "../settings/command.ts";
import { isList, requiresValue } from "../settings/command.ts";

export type CommandLine =
  | { readonly kind: "print"; readonly text: string }
  | { readonly kind: "version" }
  | { readonly kind: "command"; readonly command: Command; readonly parsed: ParsedFlags };

type Environment = Readonly<Record<string, string | undefined>>;

/** Defaults of a configuration file, by flag. Environment variables come before them. */
type Defaults = Readonly<Record<string, SettingValue>>;
type Sources = { readonly env: Environment; readonly defaults: Defaults };

/** Parses the words after the executable's name. Throws a UsageError if they are wrong. */
export async function parseCommandLine(
  argv: readonly string[],
  env: Environment,
  width: number,
  defaults: Defaults = {},
): Promise<CommandLine> {
  const help = findHelp(argv, width);
  if (help !== undefined) return { kind: "print", text: help };
  if (asksForVersion(argv)) return { kind: "version" };
  const [first] = argv;
  const command = first === undefined || first.startsWith("-") ? undefined : requireCommand(argv);
  return parseCommand(argv, command, { env, defaults });
}

/** `named`: the command that the words begin with. */
async function parseCommand(
  argv: readonly string[],
  named: Command | undefined,
  sources: Sources,
): Promise<CommandLine> {
  // yargs fails at the names that every object has, such as "constructor".
  const flags = argv.flatMap((word) => /^--(?:no-)?([^=]+)/.exec(word)?.[1] ?? []);
  const inherited = flags.find((name) => name in Object.prototype);
  if (inherited !== undefined) throw new UsageError(describeProblem(`Unknown argument: ${inherited}`, argv));
  requireBareSwitches(argv);
  let problem: string | undefined;
  const words = named === undefined ? argv : argv.slice(countNameWords(named));
  const hidden = words.map((word) => (word === "-" ? DASH : word));
  const {
    _: [word],
    ...parsed
  } = await buildParser(named, sources).parseAsync(hidden, {}, (error) => {
    problem = error?.message.replaceAll(DASH, "-");
  });
  if (problem !== undefined) throw new UsageError(describeProblem(problem, argv));
  const command = named ?? (word === undefined ? DEFAULT_COMMAND : requireCommand([String(word)]));
  return { kind: "command", command, parsed: showDashes(parsed) };
}

/** Stands for the word "-", which yargs leaves out of a list and takes for an empty text elsewhere. No word has this character. */
const DASH = "\0";

function showDashes(parsed: ParsedFlags): ParsedFlags {
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, showDash(value)]));
}

function showDash(value: unknown): unknown {
  return Array.isArray(value) ? value.map(showDash) : value === DASH ? "-" : value;
}

/** yargs takes any value of a switch but "true" for "false". */
function requireBareSwitches(argv: readonly string[]): void {
  const command = findCommand(argv) ?? DEFAULT_COMMAND;
  for (const word of argv) {
    const [, flag = "", value] = /^--(?:no-)?([^=]+)=(.*)$/s.exec(word) ?? [];
    const setting = findOwn(command.settings, flag);
    if (setting?.type === "boolean" && value !== "true" && value !== "false")
      throw new UsageError(`--${flag} takes no value: write --${flag} or --no-${flag}; ${formatSee(command)}`);
  }
}

function formatSee(command: Command): string {
  return `see 'preflight help ${command === DEFAULT_COMMAND ? RUNNER_TOPIC : command.name}'`;
}

const UNKNOWN_ARGUMENTS = /^Unknown arguments?: ([^,]+)/;
const MISSING_VALUE = /^Not enough arguments following: ([^,]+)/;
const MISSING_OPERAND = /^Not enough non-option arguments/;

/** In our own words, and what to write. Of several unknown arguments, the first is enough. */
function describeProblem(text: string, argv: readonly string[]): string {
  const command = findCommand(argv) ?? DEFAULT_COMMAND;
  const see = formatSee(command);
  const problem = text.trim();
  const valueless = MISSING_VALUE.exec(problem)?.[1];
  if (valueless !== undefined) return `${describeMissingValue(valueless, command)}; ${see}`;
  if (MISSING_OPERAND.test(problem)) return `${describeMissingOperand(command)}; ${see}`;
  const unknown = UNKNOWN_ARGUMENTS.exec(problem)?.[1];
  if (unknown === undefined) return `${joinLines(problem)}; ${see}`;
  const flag = argv
    .map((word) => word.replace(/=.*/s, ""))
    .find((name) => name.replace(/^--?(no-)?/, "") === unknown && name.startsWith("-"));
  if (flag === undefined) return `unexpected argument "${unknown}"; ${see}`;
  const known = Object.keys(command.settings).map((name) => `--${name}`);
  return `unknown option ${flag}${formatDidYouMean(flag, known)}; ${see}`;
}

function describeMissingValue(name: string, { settings }: Command): string {
  const [flag, setting] =
    Object.entries(settings).find(([own, { alias, former }]) => [own, alias, former?.flag].includes(name)) ?? [];
  if (flag === undefined || setting === undefined || setting.type === "boolean") return `--${name} needs a value`;
  return `--${flag} needs a value: write --${flag} ${formatValue(setting).replace(/,\.\.\.$/, "")}`;
}

/** "compare needs OLD and NEW: write "preflight compare OLD NEW"" */
function describeMissingOperand({ name, operands }: Command): string {
  const needed = operands.filter(({ isOptional }) => isOptional !== true);
  return `${name} needs ${joinNames(needed.map(getPlaceholder))}: write "preflight ${[name, ...operands.map(formatOperandWord)].join(" ")}"`;
}

function joinLines(text: string): string {
  return text
    .trim()
    .replace(/\s*\n\s*/g, " ")
    .replace(/:; /g, ": ");
}

/**
 * Only parses: help, versions and completion are our own. A named command is given to yargs as the default: for any other it lays out the
 * help at each run.
 */
function buildParser(named: Command | undefined, sources: Sources): Argv {
  const parser = yargs()
    .scriptName("preflight")
    .locale("en")
    .version(false)
    .help(false)
    .parserConfiguration({
      "camel-case-expansion": false,
      "greedy-arrays": false,
      "parse-numbers": false,
      "parse-positional-numbers": false,
    })
    .strict();
  for (const command of named === undefined ? COMMANDS : [named])
    parser.command(formatUsage(command, named ?? DEFAULT_COMMAND), command.describe, (inner) =>
      addSettings(inner, command, sources),
    );
  return parser;
}

function formatUsage(command: Command, defaultCommand: Command): string {
  return [command === defaultCommand ? "$0" : getWord(command), ...command.operands.map(formatOperand)].join(" ");
}

/** yargs knows a command by one word. */
function getWord({ name }: Command): string {
  return name.replace(" ", "-");
}

/** "<name>", "[name]" if it is optional, "<name..>" if it is a list. */
function formatOperand({ name, isOptional, isList: takesAll }: Operand): string {
  const word = takesAll ? `${name}..` : name;
  return isOptional ? `[${word}]` : `<${word}>`;
}

function addSettings(parser: Argv, { settings, operands }: Command, sources: Sources): Argv {
  for (const [flag, setting] of Object.entries(settings))
    parser.option(flag, buildOption(setting, sources.env, parseDefault(flag, setting, sources.defaults[flag])));
  for (const { name } of operands) parser.positional(name, { type: "string" });
  return parser;
}

function buildOption(setting: Setting, env: Environment, fileDefault: SettingValue | undefined): Options {
  const variable = setting.isEnvParsedElsewhere ? undefined : readVariable(setting, env);
  const ownDefault = fileDefault ?? (isList(setting) || !("default" in setting) ? undefined : setting.default);
  const value = variable === undefined ? ownDefault : parseVariable(setting, variable);
  // yargs asks whether a key is there: a list without a default is then an empty one.
  return {
    type: getOptionType(setting),
    requiresArg: requiresValue(setting),
    ...(value === undefined ? {} : { default: value }),
    alias: [setting.alias, setting.former?.flag].filter((name) => name !== undefined),
  };
}

/** An empty variable counts as absent. */
function readVariable({ env: name, former }: Setting, env: Environment): string | undefined {
  const values = [name, former?.env].map((one) => (one === undefined ? undefined : env[one]));
  return values.find((value) => value !== undefined && value !== "");
}

/** The default of a configuration file, in the form that the flag has. Throws a UsageError if it has another type. */
function parseDefault(flag: string, setting: Setting, value: SettingValue | undefined): SettingValue | undefined {
  const { type } = setting;
  if (value === undefined) return undefined;
  const isScalar = typeof value === "string" || typeof value === "number";
  if ((type === undefined || type === "duration") && isScalar) return String(value);
  if (isList(setting) && (isScalar || Array.isArray(value))) return isScalar ? [String(value)] : value;
  if (type === typeof value) return value;
  throw new UsageError(`the configuration's setting "${flag}" must be a ${describeType(setting)}`);
}

function describeType(setting: Setting): string {
  if (isList(setting)) return "list";
  return setting.type === "duration" ? "duration such as 30s" : (setting.type ?? "string");
}

function getOptionType(setting: Setting): "array" | "string" | "number" | "boolean" {
  if (isList(setting)) return "array";
  return setting.type === "number" || setting.type === "boolean" ? setting.type : "string";
}

function parseVariable(setting: Setting, value: string): string | number | boolean | readonly string[] {
  const { type } = setting;
  if (type === "number") return Number(value);
  if (type === "boolean") return !["false", "0", "no"].includes(value.toLowerCase());
  return isList(setting) ? [value] : value;
}
