import process from "node:process";
import { FailedError, formatError } from "../../model/errors.ts";
import { startChild } from "../process/child.ts";
import { createStopSignal } from "../process/stop-signal.ts";
import { supervise } from "../process/supervise.ts";
import { findProgram, replaceProgram } from "../program.ts";
import { toLine } from "../../model/visible-text.ts";

/** Runs the command in a child process, and says in one line why that ended if it could not say so itself. */
export async function runSupervised(): Promise<void> {
  try {
    process.exitCode = await supervise(
      startChild(() => {}),
      createStopSignal(),
    );
  } catch (thrown) {
    if (!(thrown instanceof FailedError)) throw thrown;
    const program = findProgram(process.argv[1] ?? "");
    process.stderr.write(`preflight: ${replaceProgram(toLine(formatError(thrown)), program)}\n`);
    process.exitCode = 1;
  }
}
