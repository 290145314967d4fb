import process from "node:process";
import { startChild } from "../process/child.ts";
import { createStopSignal } from "../process/stop-signal.ts";
import { supervise } from "../process/supervise.ts";
import { findProgram, replaceProgram } from "../program.ts";
import { toLine } from "../terminal-text.ts";

/** Runs the command in a child process, and says in one line why that ended if it could not say so itself. */
export async function runSupervised(): Promise<void> {
  // What can't be said to anybody is no reason to fail.
  process.stderr.on("error", () => {});
  const stopSignal = createStopSignal();
  const { code, problem } = await supervise(
    startChild(() => {}),
    stopSignal,
  );
  if (problem !== undefined) {
    const program = findProgram(process.argv[1] ?? "");
    process.stderr.write(`preflight: ${replaceProgram(toLine(problem), program)}\n`);
  }
  process.exitCode = code;
}
