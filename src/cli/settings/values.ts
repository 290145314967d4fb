import { UsageError } from "../../model/errors.ts";
import type { ConfigFile, Operand, Operands, ParsedFlags, Setting, Settings, ValuesOf } from "./command.ts";
import { parseDuration } from "./duration.ts";
import { parseOutputs } from "./outputs.ts";

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
  return Object.fromEntries([...values, ...operands.map(({ name }) => [name, parseOperand(parsed[name])])]);
}

/** yargs makes an empty text of "-", which stands for stdin. */
function parseOperand(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(parseOperand);
  return value === "" ? "-" : value;
}

function parseValue(flag: string, setting: Exclude<Setting, { type: "config" }>, value: unknown): unknown {
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

function parseWords(flag: string, setting: Extract<Setting, { type: "list" }>, value: unknown): readonly string[] {
  const words = parseList(value ?? setting.default);
  const unknown = words.find((word) => setting.choices?.includes(word) === false);
  if (unknown === undefined) return words;
  throw new UsageError(`--${flag} "${unknown}" is not known: choose from ${setting.choices?.join(", ")}`);
}

/** A list may be given as several flags, and with commas. */
function parseList(value: unknown): readonly string[] {
  const texts = (Array.isArray(value) ? value : [value]).filter((item) => typeof item === "string");
  const names = texts.flatMap((text) => text.split(","));
  return names.map((name) => name.trim()).filter((name) => name !== "");
}
