import { UsageError } from "../../model/errors.ts";
import type { ConfigFile } from "./config-file.ts";
import type { Io } from "../io/io.ts";
import { parseDuration } from "./duration.ts";
import { type AllReached, type ExitCodes, PLAIN_EXIT_CODES } from "./exit-codes.ts";
import { type Outputs, parseOutputs } from "./outputs.ts";

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
      readonly type: "string";
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
  | (SettingBase & { readonly type: "list" })
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
type Operands = Operand | readonly Operand[];

type OperandValueOf<O> = O extends readonly (infer One extends Operand)[]
  ? { readonly [K in One as K["name"]]: K extends { readonly isOptional: true } ? string | undefined : string }
  : O extends { readonly name: infer Name extends string }
    ? { readonly [K in Name]: O extends { readonly isOptional: true } ? string | undefined : string }
    : unknown;

/** What a command receives: a value for each setting by its flag, and its operands by their names. Durations are milliseconds. */
export type ValuesOf<S extends Settings, O = undefined> = {
  readonly [Flag in keyof S]: ValueOf<S[Flag]>;
} & OperandValueOf<O>;

/** What yargs parsed, by flag. */
export type ParsedFlags = Readonly<Record<string, unknown>>;

type CommandDefinition<S extends Settings, O extends Operands | undefined, C extends ExitCodes, R> = {
  readonly name: string;
  readonly describe: string;
  readonly settings: S;
  readonly operand?: O;
  readonly examples: readonly Example[];
  /** By default those of PLAIN_EXIT_CODES. */
  readonly exitCodes?: C & AllReached<C, R>;
  /** It runs until it is stopped: a signal is its normal end. */
  readonly isService?: true;
  /** Imports the code when the command runs, since every start would pay for it otherwise. */
  readonly load: () => Promise<{ readonly run: (values: ValuesOf<S, O>, io: Io) => Promise<R> }>;
};

export type Example = { readonly command: string; readonly describe: string };

/** One command. Help, completion and docs/cli.md follow from it. */
export type Command = {
  readonly name: string;
  readonly describe: string;
  readonly settings: Settings;
  readonly operands: readonly Operand[];
  readonly examples: readonly Example[];
  readonly exitCodes: ExitCodes;
  readonly isService: boolean;
  /** Parses the flags, runs the command and resolves with the exit code. */
  readonly run: (parsed: ParsedFlags, io: Io, config?: ConfigFile) => Promise<number>;
};

/** Ties a command's code to its settings and exit codes: code that reads or ends with one that the command does not have does not compile. */
export function defineCommand<
  S extends Settings,
  const O extends Operands | undefined = undefined,
  C extends ExitCodes = typeof PLAIN_EXIT_CODES,
  R extends keyof C & number = keyof C & number,
>(definition: CommandDefinition<S, O, C, R>): Command {
  const { settings, operand, isService = false, exitCodes = PLAIN_EXIT_CODES, load, ...described } = definition;
  const operands = listOperands(operand);
  const run = async (parsed: ParsedFlags, io: Io, config?: ConfigFile): Promise<number> => {
    const values = parseValues<S, O>(settings, operands, parsed, config);
    return (await load()).run(values, io);
  };
  return { ...described, settings, operands, exitCodes, isService, run };
}

function listOperands(operand: Operands | undefined): readonly Operand[] {
  if (operand === undefined) return [];
  return "name" in operand ? [operand] : operand;
}

function parseValues<S extends Settings, O extends Operands | undefined>(
  settings: S,
  operands: readonly Operand[],
  parsed: ParsedFlags,
  config: ConfigFile | undefined,
): ValuesOf<S, O>;
function parseValues(
  settings: Settings,
  operands: readonly Operand[],
  parsed: ParsedFlags,
  config: ConfigFile | undefined,
): object {
  const values = Object.entries(settings).map(([flag, setting]) => [
    flag,
    setting.type === "config" ? config : parseValue(flag, setting, parsed[flag]),
  ]);
  return Object.fromEntries([...values, ...operands.map(({ name }) => [name, parseOperand(parsed[name])])]);
}

/** yargs makes an empty text of "-", which stands for stdin. */
function parseOperand(value: unknown): unknown {
  return value === "" ? "-" : value;
}

function parseValue(flag: string, setting: Exclude<Setting, { type: "config" }>, value: unknown): unknown {
  switch (setting.type) {
    case "string":
      return parseText(flag, setting, value);
    case "duration":
      return parseDurationValue(flag, setting, value);
    case "number":
      return parseNumber(flag, setting, value);
    case "boolean":
      return value === true;
    case "list":
      return parseList(value);
    case "outputs":
      return parseOutputs({
        flag,
        values: parseList(value),
        formats: setting.choices,
        defaultFormat: setting.default,
      });
  }
}

function parseText(flag: string, setting: Extract<Setting, { type: "string" }>, value: unknown): string | undefined {
  const text = requireSingleText(flag, value);
  if (text === undefined && setting.isRequired) throw new UsageError(`--${flag} is required`);
  if (text !== undefined && setting.choices && !setting.choices.includes(text))
    throw new UsageError(`--${flag} "${text}" is not known: choose one of ${setting.choices.join(", ")}`);
  return text;
}

/** Of "--no-FLAG", yargs makes `false`. */
export function requireSingleText(flag: string, value: unknown): string | undefined {
  if (value === false) throw new UsageError(`--no-${flag} is not an option: leave --${flag} out`);
  if (Array.isArray(value)) throw new UsageError(`--${flag} is given more than once`);
  if (value === "") throw new UsageError(`--${flag} is given without a value`);
  return typeof value === "string" ? value : undefined;
}

function parseDurationValue(
  flag: string,
  setting: Extract<Setting, { type: "duration" }>,
  value: unknown,
): number | undefined {
  const text = requireSingleText(flag, value === "" ? (setting.bareValue ?? "") : value);
  if (text === undefined) return undefined;
  const duration = parseDuration(text, flag);
  if (duration === 0 && !setting.canBeZero) throw new UsageError(`--${flag} must be longer than 0`);
  return duration;
}

function parseNumber(flag: string, { range }: Extract<Setting, { type: "number" }>, value: unknown): number {
  if (typeof value !== "number" || Number.isNaN(value)) throw new UsageError(`--${flag} needs a number`);
  if (range === undefined || (Number.isInteger(value) && value >= range[0] && value <= range[1])) return value;
  throw new UsageError(`--${flag} must be a whole number from ${range.join(" to ")}`);
}

/** Whether a flag may be given several times. */
export function isList(setting: Setting): setting is Extract<Setting, { type: "list" | "outputs" }> {
  return setting.type === "list" || setting.type === "outputs";
}

/** A list may be given as several flags, and with commas. */
function parseList(value: unknown): readonly string[] {
  const texts = (Array.isArray(value) ? value : [value]).filter((item) => typeof item === "string");
  const names = texts.flatMap((text) => text.split(","));
  return names.map((name) => name.trim()).filter((name) => name !== "");
}
