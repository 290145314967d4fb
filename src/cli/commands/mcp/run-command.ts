import { FailedError, UsageError } from "../../../model/errors.ts";
import { runOwnCommand } from "./own-command.ts";
import { toLine } from "../../../model/visible-text.ts";
import type { CommandOutput, RunCommand } from "./tool.ts";

/** Verdicts, as the exit codes of `check` and `plan` say them. */
const VERDICT_CODES: readonly (number | null)[] = [0, 3, 4];
const USAGE_CODE = 2;

/**
 * Runs each command in a process of its own, one at a time: memory that runs out ends that process alone, and a cluster is not read by
 * several at once. A command that is no longer wanted is not started.
 */
export function createRunCommand(): RunCommand {
  let last: Promise<unknown> = Promise.resolve();
  return (words, signal) => {
    const next = last.then(() => run(words, signal));
    last = next.catch(() => {});
    return next;
  };
}

async function run(words: readonly string[], signal: AbortSignal): Promise<CommandOutput> {
  if (signal.aborted) throw new FailedError("cancelled");
  const { code, out, err } = await runOwnCommand(words, signal);
  const lines = err.split("\n").filter((line) => line !== "");
  if (code !== null && VERDICT_CODES.includes(code))
    return { code, out, warnings: lines.map((line) => toLine(stripProgram(line))) };
  const message = toLine(stripProgram(lines.at(-1) ?? "preflight ended without a word"));
  throw code === USAGE_CODE ? new UsageError(message) : new FailedError(message);
}

function stripProgram(line: string): string {
  return line.replace(/^(?:preflight|warning): /, "");
}
