import { formatCount } from "./text.ts";

/** A usage error that one line explains: printed without a stack, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** An expected failure that one line explains (an unreachable cluster, an unreadable folder): printed without a stack, exit code 1. */
export class FailedError extends Error {
  override readonly name = "FailedError";
}

/** Nothing has arrived for too long. */
export class SilenceError extends Error {
  override readonly name = "SilenceError";
  constructor(milliseconds: number) {
    super(`nothing arrived for ${formatCount(milliseconds / 1_000, "second")}`);
  }
}

/** The message of a thrown value, followed by its causes. */
export function formatError(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause === undefined ? "" : `: ${formatError(thrown.cause)}`;
  return `${thrown.message}${cause}`;
}

/** "ENOENT" of an error of the operating system; undefined if it has no code. */
export function errorCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}

/** For a promise's `catch`: ends the command with what could not be done, and why. */
export function failWith(what: string): (thrown: unknown) => never {
  return (thrown) => {
    throw new FailedError(`${what}: ${formatError(thrown)}`);
  };
}
