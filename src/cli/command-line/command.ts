import type { Io } from "../io.ts";
import { type Operand, type ParsedFlags, type Settings, type ValuesOf, parseValues } from "./setting.ts";

type CommandDefinition<S extends Settings, O extends Operand | undefined> = {
  readonly name: string;
  readonly describe: string;
  readonly settings: S;
  readonly operand?: O;
  readonly examples: readonly Example[];
  /** Imports the code when the command runs, since every start would pay for it otherwise. */
  readonly load: () => Promise<{ readonly run: (values: ValuesOf<S, O>, io: Io) => Promise<number> }>;
};

export type Example = { readonly command: string; readonly describe: string };

/** One command. Help, completion and docs/cli.md follow from it. */
export type Command = {
  readonly name: string;
  readonly describe: string;
  readonly settings: Settings;
  readonly operand: Operand | undefined;
  readonly examples: readonly Example[];
  /** Parses the flags, runs the command and resolves with the exit code. */
  readonly run: (parsed: ParsedFlags, io: Io) => Promise<number>;
};

/** Ties a command's code to its settings: code that reads a setting which the command does not have does not compile. */
export function defineCommand<S extends Settings, O extends Operand | undefined = undefined>(
  definition: CommandDefinition<S, O>,
): Command {
  const { name, describe, settings, operand, examples, load } = definition;
  const run = async (parsed: ParsedFlags, io: Io): Promise<number> => {
    const values = parseValues<S, O>(settings, operand, parsed);
    return (await load()).run(values, io);
  };
  return { name, describe, settings, operand, examples, run };
}
