import process from "node:process";
import { startChild } from "../process/child.ts";
import { createStopSignal } from "../process/stop-signal.ts";
import { supervise } from "../process/supervise.ts";
import { replaceProgram } from "../../model/program-name.ts";
import { findProgram } from "../io/program.ts";
import { toLine } from "../../model/visible-text.ts";

/** Runs the command in a child process, and says in one line why that ended if it could not say so itself. */
export async function runSupervised(): Promise<void> {
  // What can't be said to anybody is no reason to fail.
  process.stderr.on("error", () => {});
  const stopSignal = createStopSignal();
  const child = startChild(() => {});
  // A child that is stuck does not notice that its parent is gone.
  process.once("exit", child.kill);
  const { code, problem } = await supervise(child, stopSignal);
  if (problem !== undefined) {
    const program = findProgram(process.argv[1] ?? "");
    process.stderr.write(replaceProgram(`preflight: ${toLine(problem)}\n`, program));
  }
  process.exitCode = code;
}
