import type { Config } from "../../format/document/config-parser.ts";
import type { Io } from "../io/io.ts";
import { type Outputs, parseValues } from "./values.ts";

/** The headings of a command's options in help, in their order. */
export const SETTING_GROUPS = {
  target: "Target",
  registry: "Registries",
  cluster: "Cluster",
  checks: "Checks",
  window: "Maintenance window",
  output: "Output",
  limits: "Limits",
  monitoring: "Monitoring",
  runner: "Runner",
  controller: "Controller",
} as const;

type SettingBase = {
  readonly group: keyof typeof SETTING_GROUPS;
  readonly env?: string;
  /** The code that uses the setting reads the variable, which holds more than one value. */
  readonly isEnvParsedElsewhere?: true;
  readonly describe: string;
  /**
   * Whether a command that a result prints, so that it is run again, repeats the flag: it decides on what the result says, for every reader.
   * Where the cluster is, and how a result is shown, differ from one reader to the next. Absent if no result prints a command with the flag.
   */
  readonly isRepeated?: boolean;
  /** Help shows this text if the default depends on the machine or the cluster. */
  readonly defaultText?: string;
  /** Stands for the value in help ("FILE"). Completion offers what it says: files, folders, contexts, checks or risks. */
  readonly placeholder?: string;
  readonly alias?: string;
  /** Earlier names, which still work and which only docs/cli.md mentions. */
  readonly former?: { readonly flag: string; readonly env?: string };
};

/** One setting: a flag and its environment variable. Parsing, help, completion and docs/cli.md follow from it. */
export type Setting =
  | (SettingBase & {
      /** A text. */
      readonly type?: undefined;
      readonly default?: string;
      readonly choices?: readonly string[];
      readonly isRequired?: true;
    })
  | (SettingBase & {
      readonly type: "duration";
      readonly default?: string;
      readonly canBeZero?: true;
      /** The value of the flag without one. */
      readonly bareValue?: string;
      /** The least and the most that a configuration file may set which was only found. Without a range, such a file can't set it. */
      readonly foundRange?: readonly [least: string, most: string];
    })
  /** `range`: of whole numbers, for everybody. A configuration file that was only found can't set a number without one. */
  | (SettingBase & { readonly type: "number"; readonly default: number; readonly range?: readonly [number, number] })
  | (SettingBase & { readonly type: "boolean"; readonly default: boolean })
  | (SettingBase & {
      readonly type: "list";
      readonly choices?: readonly string[];
      /** Words that begin so are no choice, and allowed: `form` says how they go on. They may hold commas before words with "=". */
      readonly prefix?: { readonly word: string; readonly form: string };
      readonly default?: string;
    })
  /** A configuration file; `foundFile` is used if it is in the current folder and none is named. */
  | (SettingBase & { readonly type: "config"; readonly foundFile?: string })
  /** Formats, one for stdout and others for files. */
  | (SettingBase & { readonly type: "outputs"; readonly choices: readonly string[]; readonly default: string });

/** A command's settings by their flags. */
export type Settings = Readonly<Record<string, Setting>>;

/** The word after a command. */
export type Operand = {
  readonly name: string;
  /** As of a setting; by default the name in capitals. */
  readonly placeholder?: string;
  readonly describe: string;
  readonly isOptional?: true;
  /** Takes all words that are left. */
  readonly isList?: true;
};

/** A configuration file, as --config has named it or as it was found. */
export type ConfigFile = Config & {
  readonly path: string;
  /** Whether the user named the file, or it only was in the current folder. */
  readonly origin: "named" | "found";
};

type ValueOf<S extends Setting> = S extends { readonly type: "config" }
  ? ConfigFile | undefined
  : S extends { readonly type: "boolean" }
    ? boolean
    : S extends { readonly type: "number" } | { readonly type: "duration"; readonly default: string }
      ? number
      : S extends { readonly type: "duration" }
        ? number | undefined
        : S extends { readonly type: "list" }
          ? readonly string[]
          : S extends { readonly type: "outputs" }
            ? Outputs<TextOf<S>>
            : TextOf<S> | (S extends { readonly default: string } | { readonly isRequired: true } ? never : undefined);

type TextOf<S> = S extends { readonly choices: readonly (infer Choice extends string)[] } ? Choice : string;

/** One operand, or several in their order. */
export type Operands = Operand | readonly Operand[];

type OperandValueOf<O> = O extends readonly (infer One extends Operand)[]
  ? { readonly [K in One as K["name"]]: WordOf<K> }
  : O extends { readonly name: infer Name extends string }
    ? { readonly [K in Name]: WordOf<O> }
    : unknown;

type WordOf<O> = O extends { readonly isList: true }
  ? readonly string[]
  : string | (O extends { readonly isOptional: true } ? undefined : never);

/** What a command receives: a value for each setting by its flag, and its operands by their names. Durations are milliseconds. */
export type ValuesOf<S extends Settings, O = undefined> = {
  readonly [Flag in keyof S]: ValueOf<S[Flag]>;
} & OperandValueOf<O>;

/** A value of any setting. */
export type SettingValueOf<S extends Setting = Setting> = S extends Setting ? ValueOf<S> : never;

/** What yargs parsed, by flag. */
export type ParsedFlags = Readonly<Record<string, unknown>>;

/** What a command is. Its code is imported when it runs, since every start would pay for it otherwise. */
export type CommandDefinition = {
  /** One word, or that of a group and its own: "checks lint". */
  readonly name: string;
  readonly describe: string;
  readonly settings: Settings;
  readonly operand?: Operands;
  readonly examples: readonly Example[];
  /** By default those of PLAIN_EXIT_CODES. */
  readonly exitCodes?: ExitCodes;
  readonly process: CommandProcess;
  /** The flag with which the command runs until it is stopped: its exit code is then that of its result. */
  readonly endsWhenStopped?: string;
};

/** What the code of a command receives. */
export type CommandValues<D extends CommandDefinition> = ValuesOf<D["settings"], D["operand"]>;

type CodesOf<D> = D extends { readonly exitCodes: infer C extends ExitCodes } ? C : typeof PLAIN_EXIT_CODES;

/**
 * "supervised" reads a cluster, in a child process that may run out of memory; "short" is done at once, so that the size of the heap does
 * not matter; "service" runs until it is stopped: a signal is its normal end. The build tells the launcher.
 */
type CommandProcess = "supervised" | "short" | "long" | "service";

/** Commands whose names begin with the same word. */
export type CommandGroup = { readonly name: string; readonly describe: string };

export type Example = { readonly command: string; readonly describe: string };

/** One command. Help, completion and docs/cli.md follow from it. */
export type Command = Required<Omit<CommandDefinition, "operand" | "endsWhenStopped">> & {
  readonly endsWhenStopped?: CommandDefinition["endsWhenStopped"];
  readonly operands: readonly Operand[];
  /** Parses the flags, runs the command and resolves with the exit code. */
  readonly run: (parsed: ParsedFlags, io: Io, config?: ConfigFile) => Promise<number>;
};

/** Ties a command's code to its settings and exit codes: code that reads or ends with one that the command does not have does not compile. */
export function defineCommand<const D extends CommandDefinition, R extends keyof CodesOf<D> & number>(
  definition: D & AllReached<CodesOf<D>, R>,
  load: () => Promise<{ readonly run: (values: CommandValues<D>, io: Io) => Promise<R> }>,
): Command {
  const { operand, exitCodes = PLAIN_EXIT_CODES, ...described } = definition;
  const operands = listOperands(operand);
  const run = async (parsed: ParsedFlags, io: Io, config?: ConfigFile): Promise<number> => {
    const values = parseValues<D["settings"], D["operand"]>(definition.settings, operands, parsed, config);
    return (await load()).run(values, io);
  };
  return { ...described, operands, exitCodes, run };
}

function listOperands(operand: Operands | undefined): readonly Operand[] {
  if (operand === undefined) return [];
  return "name" in operand ? [operand] : operand;
}

/** Whether a flag may be given several times. */
export function isList(setting: Setting): setting is Extract<Setting, { type: "list" | "outputs" }> {
  return setting.type === "list" || setting.type === "outputs";
}

/** Whether the flag never stands alone. */
export function requiresValue(setting: Setting): boolean {
  return setting.type !== "boolean" && !(setting.type === "duration" && setting.bareValue !== undefined);
}

/** What the exit codes of a command say. */
export type ExitCodes = {
  readonly 0: string;
  readonly 1: string;
  readonly 2: string;
  readonly 3?: string;
  readonly 4?: string;
};

/** Refuses codes `C` of which a command that ends with `R` never ends with one; any can end with 1 and 2, by an error. */
type AllReached<C extends ExitCodes, R> = Exclude<keyof C, 1 | 2> extends R ? unknown : never;

const PLAIN_EXIT_CODES = { 0: "success", 1: "failure", 2: "wrong usage" } as const satisfies ExitCodes;

/** Of commands that judge a cluster. */
export const VERDICT_EXIT_CODES = {
  0: "no unaccepted risk",
  1: "the preflight failed",
  2: "wrong usage",
  3: "an unaccepted risk",
  4: "no unaccepted risk, but the result is incomplete",
} as const satisfies ExitCodes;

/** "0 success, 1 failure, 2 wrong usage." */
export function formatExitCodes(codes: ExitCodes): string {
  return `${Object.entries(codes)
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join(", ")}.`;
}
