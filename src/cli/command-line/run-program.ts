import { reportError } from "../io/error-report.ts";
import type { Io } from "../io/io.ts";
import { COMPLETE_COMMAND } from "../io/program.ts";

/** Runs the program with these arguments; resolves with the exit code. Imports what a command needs when it is needed, which keeps the start fast. */
export async function runProgram(argv: readonly string[], io: Io): Promise<number> {
  try {
    if (argv[0] === COMPLETE_COMMAND) {
      const { runComplete } = await import("./run-complete.ts");
      return await runComplete(argv.slice(1), io);
    }
    const { dispatch } = await import("./dispatch.ts");
    return await dispatch(argv, io);
  } catch (thrown) {
    return reportError(thrown, io);
  }
}
