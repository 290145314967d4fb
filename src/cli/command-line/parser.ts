import yargs, { type Argv, type Options } from "yargs";
import type { SettingValue } from "../../format/config-parser.ts";
import { UsageError } from "../../model/errors.ts";
import { defined } from "../../model/optional.ts";
import { COMMANDS, DEFAULT_COMMAND } from "../definitions/index.ts";
import { replaceProgram } from "../program.ts";
import type { Command, Operand, ParsedFlags, Setting } from "./command.ts";

export type CommandLine =
  | { readonly kind: "print"; readonly text: string }
  | { readonly kind: "version" }
  | { readonly kind: "command"; readonly command: Command; readonly parsed: ParsedFlags };

type Environment = Readonly<Record<string, string | undefined>>;

/** Defaults of a configuration file, by flag. Environment variables come before them. */
type Defaults = Readonly<Record<string, SettingValue>>;
type Sources = { readonly env: Environment; readonly defaults: Defaults; readonly program: string };

/** Parses the words after the executable's name. Throws a UsageError if they are wrong. */
export async function parseCommandLine(
  argv: readonly string[],
  env: Environment,
  width: number,
  program: string,
  defaults: Defaults = {},
): Promise<CommandLine> {
  let printed = "";
  let problem: string | undefined;
  const parser = buildParser({ env, defaults, program }, width);
  const parsed = await parser.parseAsync([...argv], {}, (error, _argv, output) => {
    problem = error ? error.message : undefined;
    printed = output;
  });
  if (argv[0] === COMPLETION_FLAG) return { kind: "print", text: formatCompletions(printed) };
  if (problem !== undefined) throw new UsageError(`${joinLines(problem)}; see '${program} --help'`);
  if (printed !== "") return { kind: "print", text: `${printed}\n` };
  if (parsed["version"] === true) return { kind: "version" };
  return { kind: "command", command: findCommand(parsed._.map(String)[0], program), parsed };
}

const COMPLETION_FLAG = "--get-yargs-completions";

/** yargs lists the default command by the word that declares it. */
function formatCompletions(printed: string): string {
  const words = printed.split("\n").filter((word) => word !== "" && word !== "$0");
  return words.map((word) => `${word}\n`).join("");
}

function findCommand(word: string | undefined, program: string): Command {
  if (word === undefined) return DEFAULT_COMMAND;
  const command = COMMANDS.find(({ name }) => name === word && name !== DEFAULT_COMMAND.name);
  if (command === undefined) throw new UsageError(`unknown command "${word}"; see '${program} --help'`);
  return command;
}

function joinLines(text: string): string {
  return text
    .trim()
    .replace(/\s*\n\s*/g, " ")
    .replace(/:; /g, ": ");
}

function buildParser(sources: Sources, width: number): Argv {
  const parser = yargs()
    .scriptName(sources.program)
    .locale("en")
    .usage("Checks whether this cluster is ready for an update to a target release.")
    .version(false)
    .help()
    .wrap(width)
    .parserConfiguration({
      "camel-case-expansion": false,
      "greedy-arrays": false,
      "parse-numbers": false,
      "parse-positional-numbers": false,
    })
    .strict()
    .option("version", { type: "boolean", describe: "Print the version" })
    .epilogue(EXIT_CODES);
  for (const command of COMMANDS)
    parser.command(formatUsage(command), command.describe, (inner) => addSettings(inner, command, sources));
  return parser;
}

function formatUsage({ name, operand }: Command): string {
  const word = name === DEFAULT_COMMAND.name ? "$0" : name;
  return operand === undefined ? word : `${word} ${formatOperand(operand)}`;
}

/** "<name>", or "[name]" if it is optional. */
function formatOperand({ name, isOptional }: Operand): string {
  return isOptional ? `[${name}]` : `<${name}>`;
}

const EXIT_CODES =
  "Exit codes of check, plan and status: 0 no unaccepted risk, 1 the preflight failed, 2 wrong usage, 3 an unaccepted risk, " +
  "4 no unaccepted risk, but the result is incomplete. Other commands: 0 success, 1 failure, 2 wrong usage.";

function addSettings(parser: Argv, { settings, operand, examples }: Command, sources: Sources): Argv {
  for (const [flag, setting] of Object.entries(settings))
    parser.option(flag, buildOption(setting, sources.env, parseDefault(flag, setting, sources.defaults[flag])));
  for (const { command, describe } of examples) parser.example(replaceProgram(command, sources.program), describe);
  return operand === undefined
    ? parser
    : parser.positional(operand.name, { type: "string", describe: operand.describe });
}

function buildOption(setting: Setting, env: Environment, fileDefault: SettingValue | undefined): Options {
  const variable = setting.env === undefined || setting.isEnvParsedElsewhere ? undefined : env[setting.env];
  const ownDefault = fileDefault ?? (setting.type === "list" ? undefined : setting.default);
  return {
    type: getOptionType(setting),
    describe: setting.env === undefined ? setting.describe : `${setting.describe} [${setting.env}]`,
    requiresArg: setting.type !== "boolean" && !(setting.type === "duration" && setting.bareValue !== undefined),
    ...defined({
      default: variable === undefined || variable === "" ? ownDefault : parseVariable(setting, variable),
      defaultDescription: setting.defaultText,
      choices: setting.type === "string" ? setting.choices : undefined,
      alias: setting.alias,
    }),
  };
}

/** The default of a configuration file, in the form that the flag has. Throws a UsageError if it has another type. */
function parseDefault(flag: string, { type }: Setting, value: SettingValue | undefined): SettingValue | undefined {
  if (value === undefined) return undefined;
  const isScalar = typeof value === "string" || typeof value === "number";
  if ((type === "string" || type === "duration") && isScalar) return String(value);
  if (type === "list" && (isScalar || Array.isArray(value))) return isScalar ? [String(value)] : value;
  if (type === typeof value) return value;
  throw new UsageError(
    `the configuration's setting "${flag}" must be a ${type === "duration" ? "duration such as 30s" : type}`,
  );
}

function getOptionType({ type }: Setting): "array" | "string" | "number" | "boolean" {
  if (type === "list") return "array";
  return type === "duration" ? "string" : type;
}

function parseVariable({ type }: Setting, value: string): string | number | boolean | readonly string[] {
  if (type === "number") return Number(value);
  if (type === "boolean") return !["false", "0", "no"].includes(value.toLowerCase());
  return type === "list" ? [value] : value;
}
