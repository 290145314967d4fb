import { UsageError } from "../../model/errors.ts";

/** What yargs parsed, read by name with the type that the settings declare. */
export type Arguments = {
  readonly text: (flag: string) => string | undefined;
  readonly flag: (flag: string) => boolean;
  readonly number: (flag: string) => number;
  readonly list: (flag: string) => readonly string[];
};

export function createArguments(parsed: Readonly<Record<string, unknown>>): Arguments {
  const text = (flag: string): string | undefined => {
    const value = parsed[flag];
    if (Array.isArray(value)) throw new UsageError(`--${flag} is given more than once`);
    if (value === "") throw new UsageError(`--${flag} is given without a value`);
    return typeof value === "string" ? value : undefined;
  };
  const number = (flag: string): number => {
    const value = parsed[flag];
    if (typeof value !== "number" || Number.isNaN(value)) throw new UsageError(`--${flag} needs a number`);
    return value;
  };
  const list = (flag: string): readonly string[] => {
    const value = parsed[flag];
    const given = Array.isArray(value) ? value : [value];
    const names = given.filter((item) => typeof item === "string").flatMap((item) => item.split(","));
    return names.map((name) => name.trim()).filter((name) => name !== "");
  };
  return { text, number, list, flag: (flag) => parsed[flag] === true };
}
