import yargs, { type Argv, type Options } from "yargs";
import { UsageError } from "../../model/errors.ts";
import { type Arguments, createArguments } from "./arguments.ts";
import { type Command, COMMANDS, type CommandName } from "./command-list.ts";
import type { Setting } from "./settings.ts";
import { defined } from "../../model/optional.ts";

export type CommandLine =
  | { readonly kind: "print"; readonly text: string }
  | {
      readonly kind: "command";
      readonly name: CommandName;
      readonly operands: readonly string[];
      readonly args: Arguments;
    };

type Environment = Readonly<Record<string, string | undefined>>;

/** Parses what follows the executable's name. Wrong usage throws a UsageError. */
export async function parseCommandLine(argv: readonly string[], env: Environment, width: number): Promise<CommandLine> {
  let printed = "";
  let problem: string | undefined;
  const parser = buildParser(env, width);
  const parsed = await parser.parseAsync([...argv], {}, (error, _argv, output) => {
    problem = error ? error.message : undefined;
    printed = output;
  });
  if (problem !== undefined) throw new UsageError(`${joinLines(problem)}; see 'preflight --help'`);
  if (printed !== "") return { kind: "print", text: `${printed}\n` };
  const [first, ...operands] = parsed._.map(String);
  const name = COMMANDS.find((command) => command.name === first)?.name ?? "run";
  if (name === "run" && first !== undefined)
    throw new UsageError(`there is no command "${first}"; see 'preflight --help'`);
  return {
    kind: "command",
    name,
    operands: [...operands, ...getOperands(name, parsed)],
    args: createArguments(parsed),
  };
}

function joinLines(text: string): string {
  return text
    .trim()
    .replace(/\s*\n\s*/g, " ")
    .replace(/:; /g, ": ");
}

function getOperands(name: CommandName, parsed: Readonly<Record<string, unknown>>): readonly string[] {
  const operand = parsed[COMMANDS.find((command) => command.name === name)?.operand?.name ?? ""];
  return typeof operand === "string" ? [operand] : [];
}

function buildParser(env: Environment, width: number): Argv {
  const parser = yargs()
    .scriptName("preflight")
    .locale("en")
    .usage("Says what a target release has against this cluster as it is, before an update is started.")
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
  for (const command of COMMANDS) {
    const usageName = command.name === "run" ? "$0" : command.name;
    const usage = command.operand === undefined ? usageName : `${usageName} ${formatOperand(command.operand)}`;
    parser.command(usage, command.describe, (inner) => addSettings(inner, command.settings, env, command.operand));
  }
  return parser;
}

/** "<name>", or "[name]" where it may be left out. */
function formatOperand({ name, optional }: NonNullable<Command["operand"]>): string {
  return optional ? `[${name}]` : `<${name}>`;
}

const EXIT_CODES =
  "Exit codes of check: 0 no risk that is not accepted, 1 preflight failed, 2 wrong usage, 3 a risk that is not accepted, " +
  "4 no such risk, but a check could not look. Of every other command: 0 done, 1 failed, 2 wrong usage.";

function addSettings(parser: Argv, settings: readonly Setting[], env: Environment, operand: Command["operand"]): Argv {
  for (const setting of settings) parser.option(setting.flag, buildOption(setting, env));
  return operand === undefined
    ? parser
    : parser.positional(operand.name, { type: "string", describe: operand.describe });
}

function buildOption(setting: Setting, env: Environment): Options {
  const value = setting.env === undefined || setting.isEnvParsedElsewhere ? undefined : env[setting.env];
  const given = value === undefined || value === "" ? setting.default : parseSettingValue(setting, value);
  return {
    type: setting.type === "list" ? "array" : setting.type,
    describe: setting.env === undefined ? setting.describe : `${setting.describe} [${setting.env}]`,
    requiresArg: setting.type !== "boolean",
    ...defined({
      default: given,
      defaultDescription: setting.defaultText,
      choices: setting.choices,
      alias: setting.alias,
    }),
  };
}

function parseSettingValue(setting: Setting, value: string): string | number | boolean | readonly string[] {
  if (setting.type === "number") return Number(value);
  if (setting.type === "boolean") return !["false", "0", "no"].includes(value.toLowerCase());
  return setting.type === "list" ? [value] : value;
}
