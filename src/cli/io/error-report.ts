import { FailedError, formatError, UsageError } from "../../model/errors.ts";
import type { Io } from "./io.ts";
import { toLine } from "../../model/visible-text.ts";

/** Says on stderr what ended a command; returns its exit code. Only what nobody expected has a stack. */
export function reportError(thrown: unknown, io: Io): 1 | 2 {
  if (isExpectedError(thrown)) {
    reportLine(formatError(thrown), io);
    return thrown instanceof UsageError ? 2 : 1;
  }
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  io.err(`preflight: unexpected error, please report it\n${text}\n`);
  return 1;
}

export function isExpectedError(thrown: unknown): boolean {
  return thrown instanceof UsageError || thrown instanceof FailedError;
}

export function reportLine(text: string, io: Io): void {
  io.err(`preflight: ${toLine(text)}\n`);
}

/** Says what a person should know, and what ends no command. */
export function warn(text: string, io: Io): void {
  if (io.warn === undefined) io.err(`warning: ${toLine(text)}\n`);
  else io.warn(text);
}
