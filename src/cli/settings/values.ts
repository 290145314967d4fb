import { UsageError } from "../../model/errors.ts";
import type { ConfigFile, Operand, Operands, ParsedFlags, Setting, Settings, ValuesOf } from "./command.ts";
import { formatDidYouMean } from "../../model/text.ts";

/** What a command receives. Throws a UsageError if a flag or a variable has no such value. */
export function parseValues<S extends Settings, O extends Operands | undefined>(
  settings: S,
  operands: readonly Operand[],
  parsed: ParsedFlags,
  config: ConfigFile | undefined,
): ValuesOf<S, O>;
export function parseValues(
  settings: Settings,
  operands: readonly Operand[],
  parsed: ParsedFlags,
  config: ConfigFile | undefined,
): object {
  const values = Object.entries(settings).map(([flag, setting]) => [
    flag,
    setting.type === "config" ? config : parseValue(flag, setting, parsed[flag]),
  ]);
  return Object.fromEntries([
    ...values,
    ...operands.map(({ name, isList: takesAll }) => [name, parsed[name] ?? (takesAll ? [] : undefined)]),
  ]);
}

function parseValue(flag: string, setting: Exclude<Setting, { type: "config" }>, value: unknown): unknown {
  if (setting.type !== "boolean")
    requireNotDenied(flag, setting.type === "list" && Array.isArray(value) ? value : [value]);
  switch (setting.type) {
    case undefined:
      return parseText(flag, setting, value);
    case "duration":
      return parseDurationValue(flag, setting, value);
    case "number":
      return parseNumber(flag, setting, value);
    case "boolean":
      return value === true;
    case "list":
      return parseWords(flag, setting, value);
    case "outputs":
      return parseOutputs(flag, parseList(value), setting.choices, setting.default);
  }
}

function parseText(flag: string, setting: Extract<Setting, { type?: undefined }>, value: unknown): string | undefined {
  const text = requireSingleText(flag, value);
  if (text === undefined && setting.isRequired)
    throw new UsageError(`--${flag} is required: write --${flag} ${setting.placeholder ?? "VALUE"}`);
  if (text !== undefined && setting.choices && !setting.choices.includes(text))
    throw new UsageError(
      `--${flag} "${text}" is not known${formatDidYouMean(text, setting.choices) || `: choose one of ${setting.choices.join(", ")}`}`,
    );
  return text;
}

/** Of "--no-FLAG", yargs makes `false`. */
function requireNotDenied(flag: string, values: readonly unknown[]): void {
  if (values.includes(false)) throw new UsageError(`--no-${flag} is not an option: leave --${flag} out`);
}

export function requireSingleText(flag: string, value: unknown): string | undefined {
  requireNotDenied(flag, [value]);
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
  if (duration === 0 && !setting.canBeZero)
    throw new UsageError(`--${flag} must be longer than 0: use a form such as 30s or 5m`);
  return duration;
}

function parseNumber(flag: string, { range }: Extract<Setting, { type: "number" }>, value: unknown): number {
  if (typeof value !== "number" || Number.isNaN(value))
    throw new UsageError(
      `--${flag} needs a number${range === undefined ? ", such as 1024" : ` from ${range.join(" to ")}`}`,
    );
  if (range === undefined || (Number.isInteger(value) && value >= range[0] && value <= range[1])) return value;
  throw new UsageError(`--${flag} must be a whole number from ${range.join(" to ")}`);
}

function parseWords(flag: string, setting: Extract<Setting, { type: "list" }>, value: unknown): readonly string[] {
  const { choices, prefix } = setting;
  const words = joinParts(parseList(value ?? setting.default), prefix?.word);
  const isKnown = (word: string): boolean =>
    choices === undefined || choices.includes(word) || (prefix !== undefined && word.startsWith(prefix.word));
  const unknown = words.find((word) => !isKnown(word));
  if (unknown === undefined) return words;
  throw new UsageError(`--${flag} "${unknown}" is not known: choose from ${listChoices(setting).join(", ")}`);
}

/** "a=b,c=d" is one word if words that begin with "a=" may hold commas. */
function joinParts(words: readonly string[], prefix: string | undefined): readonly string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    const goesOn = prefix !== undefined && last?.startsWith(prefix) === true && !word.startsWith(prefix);
    if (goesOn && word.includes("=")) joined.splice(-1, 1, `${last},${word}`);
    else joined.push(word);
  }
  return joined;
}

/** What a setting may be, in the words of help; none if it may be anything. */
export function listChoices(setting: Setting): readonly string[] {
  const choices = "choices" in setting ? (setting.choices ?? []) : [];
  return "prefix" in setting && setting.prefix !== undefined ? [...choices, setting.prefix.form] : choices;
}

/** A list may be given as several flags, and with commas. */
function parseList(value: unknown): readonly string[] {
  const texts = (Array.isArray(value) ? value : [value]).filter((item) => typeof item === "string");
  const names = texts.flatMap((text) => text.split(","));
  return names.map((name) => name.trim()).filter((name) => name !== "");
}

/** A result to write to a file: `-o junit=result.xml`. */
export type OutputFile<Format> = { readonly format: Format; readonly file: string };

/** What `--output` asks for: the format on stdout, and those of files. */
export type Outputs<Format> = { readonly stdout: Format; readonly files: readonly OutputFile<Format>[] };

/** Parses values such as "json" and "html=report.html". `preset`: for stdout, if no value names a format without a file. */
function parseOutputs<Format extends string>(
  flag: string,
  values: readonly string[],
  formats: readonly Format[],
  preset: Format,
): Outputs<Format> {
  const outputs = values.map((value) => parseOutput(flag, value, formats));
  const [stdout, ...others] = outputs.flatMap(({ format, file }) => (file === undefined ? format : []));
  if (others.length > 0)
    throw new UsageError(
      `--${flag}: ${[stdout, ...others].join(" and ")} would both go to stdout: write FORMAT=FILE for all but one`,
    );
  const files = outputs.flatMap(({ format, file }) => (file === undefined ? [] : { format, file }));
  const repeated = files.find(({ file }, i) => files.findIndex((other) => other.file === file) < i);
  if (repeated !== undefined) throw new UsageError(`--${flag}: several formats would go to the file ${repeated.file}`);
  return { stdout: stdout ?? preset, files };
}

function parseOutput<Format extends string>(flag: string, value: string, formats: readonly Format[]) {
  const end = value.indexOf("=");
  const name = end < 0 ? value : value.slice(0, end);
  const format = formats.find((one) => one === name);
  if (format === undefined)
    throw new UsageError(
      `--${flag}: no output format is called "${name}"${formatDidYouMean(name, formats) || `: choose one of ${formats.join(", ")}`}`,
    );
  if (end === value.length - 1)
    throw new UsageError(`--${flag} "${value}" names no file: write FORMAT=FILE, such as ${name}=report.${name}`);
  return { format, file: end < 0 ? undefined : value.slice(end + 1) };
}

const UNIT_MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;
const DURATION_PART = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;
/** The longest timeout that a timer accepts. */
const MAX_MILLISECONDS = 2_147_483_647;

/** "5m" of 300,000 milliseconds: in the largest unit of which it is a whole number. */
export function formatDuration(milliseconds: number): string {
  const [unit = "ms", size = 1] =
    Object.entries(UNIT_MILLISECONDS).findLast(([, one]) => milliseconds % one === 0) ?? [];
  return `${milliseconds / size}${unit}`;
}

/** Milliseconds of "5m", "1h30m", "500ms" or "0"; a UsageError names the flag. */
export function parseDuration(text: string, flag: string): number {
  if (text === "0") return 0;
  if (!DURATION.test(text))
    throw new UsageError(`--${flag} "${text}" is not a duration: use a form such as 30s, 5m or 1h30m`);
  const total = [...text.matchAll(DURATION_PART)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (UNIT_MILLISECONDS[unit ?? ""] ?? Number.NaN),
    0,
  );
  if (total > MAX_MILLISECONDS) throw new UsageError(`--${flag} "${text}" is too long: the limit is 24 days`);
  return Math.round(total);
}
