import yargs, { type Argv, type Options } from "yargs";
import { UsageError } from "../model/errors.ts";
import { type Arguments, argumentsOf } from "./arguments.ts";
import { type Command, COMMANDS, type CommandName } from "./command-list.ts";
import type { Setting } from "./options.ts";

export type Parsed =
  | { readonly kind: "print"; readonly text: string }
  | {
      readonly kind: "command";
      readonly name: CommandName;
      readonly operands: readonly string[];
      readonly args: Arguments;
    };

type Environment = Readonly<Record<string, string | undefined>>;

/** Parses what follows the executable's name. Wrong usage throws a UsageError. */
export async function parse(argv: readonly string[], env: Environment, width: number): Promise<Parsed> {
  let printed = "";
  let problem: string | undefined;
  const parser = build(env, width);
  const found = await parser.parseAsync([...argv], {}, (error, _argv, output) => {
    problem = error ? error.message : undefined;
    printed = output;
  });
  if (problem !== undefined) throw new UsageError(`${oneLine(problem)}; see 'preflight --help'`);
  if (printed !== "") return { kind: "print", text: `${printed}\n` };
  const [first, ...operands] = found._.map(String);
  const name = COMMANDS.find((command) => command.name === first)?.name ?? "run";
  if (name === "run" && first !== undefined)
    throw new UsageError(`there is no command "${first}"; see 'preflight --help'`);
  return { kind: "command", name, operands: [...operands, ...operandOf(name, found)], args: argumentsOf(found) };
}

function oneLine(text: string): string {
  return text
    .trim()
    .replace(/\s*\n\s*/g, " ")
    .replace(/:; /g, ": ");
}

function operandOf(name: CommandName, found: Readonly<Record<string, unknown>>): readonly string[] {
  const operand = found[COMMANDS.find((command) => command.name === name)?.operand?.name ?? ""];
  return typeof operand === "string" ? [operand] : [];
}

function build(env: Environment, width: number): Argv {
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
    const named = command.name === "run" ? "$0" : command.name;
    const usage = command.operand === undefined ? named : `${named} ${operandText(command.operand)}`;
    parser.command(usage, command.describe, (inner) => withSettings(inner, command.settings, env, command.operand));
  }
  return parser;
}

/** "<name>", or "[name]" where it may be left out. */
function operandText({ name, optional }: NonNullable<Command["operand"]>): string {
  return optional ? `[${name}]` : `<${name}>`;
}

const EXIT_CODES =
  "Exit codes of check: 0 no risk that is not accepted, 1 preflight failed, 2 wrong usage, 3 a risk that is not accepted, " +
  "4 no such risk, but a check could not look. Of every other command: 0 done, 1 failed, 2 wrong usage.";

function withSettings(parser: Argv, settings: readonly Setting[], env: Environment, operand: Command["operand"]): Argv {
  for (const setting of settings) parser.option(setting.flag, optionOf(setting, env));
  return operand === undefined
    ? parser
    : parser.positional(operand.name, { type: "string", describe: operand.describe });
}

function optionOf(setting: Setting, env: Environment): Options {
  const value = setting.env === undefined || setting.envElsewhere ? undefined : env[setting.env];
  const given = value === undefined || value === "" ? setting.default : fromText(setting, value);
  return {
    type: setting.type === "list" ? "array" : setting.type,
    describe: setting.env === undefined ? setting.describe : `${setting.describe} [${setting.env}]`,
    requiresArg: setting.type !== "boolean",
    ...(given === undefined ? {} : { default: given }),
    ...(setting.defaultText === undefined ? {} : { defaultDescription: setting.defaultText }),
    ...(setting.choices === undefined ? {} : { choices: setting.choices }),
    ...(setting.alias === undefined ? {} : { alias: setting.alias }),
  };
}

function fromText(setting: Setting, value: string): string | number | boolean | readonly string[] {
  if (setting.type === "number") return Number(value);
  if (setting.type === "boolean") return !["false", "0", "no"].includes(value.toLowerCase());
  return setting.type === "list" ? [value] : value;
}
