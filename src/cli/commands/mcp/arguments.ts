import { UsageError } from "../../../model/errors.ts";
import { isList, type JsonObject } from "../../../model/json.ts";
import { formatDidYouMean } from "../../../model/nearest-name.ts";
import type { ObjectSchema } from "./tool.ts";

/** Throws a UsageError for an argument that the tool does not have: to ignore it would answer another question. */
export function requireKnownArguments(given: JsonObject, { properties }: ObjectSchema): void {
  const known = Object.keys(typeof properties === "object" && properties !== null ? properties : {});
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`no argument is called "${unknown}"${formatDidYouMean(unknown, known)}`);
}

export function findText(given: JsonObject, name: string): string | undefined {
  const value = given[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string" && value !== "") return value;
  throw new UsageError(`the argument ${name} must be a text`);
}

export function requireText(given: JsonObject, name: string): string {
  const text = findText(given, name);
  if (text === undefined) throw new UsageError(`the argument ${name} is missing`);
  return text;
}

export function findTexts(given: JsonObject, name: string): readonly string[] {
  const value = given[name];
  if (value === undefined || value === null) return [];
  if (isList(value) && value.every((item) => typeof item === "string")) return value;
  throw new UsageError(`the argument ${name} must be a list of texts`);
}

export function findCount(given: JsonObject, name: string, preset: number): number {
  const value = given[name] ?? preset;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw new UsageError(`the argument ${name} must be a number from 0`);
}

/** A flag and its value in one word, so that a value which begins with "-" is no flag. */
export function formatFlag(name: string, value: string | number): string {
  return `--${name}=${value}`;
}

export function formatFlags(name: string, values: readonly string[]): readonly string[] {
  return values.map((value) => formatFlag(name, value));
}
