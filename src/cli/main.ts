import process from "node:process";
import { formatError, FailedError, UsageError } from "../model/errors.ts";
import { createIo, type Io } from "./io.ts";
import { toLine } from "../model/visible-text.ts";
import { findProgram, replaceProgram } from "./program.ts";
import { findParent } from "./process/parent.ts";
import { createStopSignal } from "./process/stop-signal.ts";

const DEFAULT_WIDTH = 100;
/** What the completion scripts call: not for people, so help does not show it. */
const COMPLETE_COMMAND = "__complete";

/** Imports what a command needs when it is needed, which keeps the start fast. */
async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    if (argv[0] === COMPLETE_COMMAND) {
      const { runComplete } = await import("./completion/run-complete.ts");
      return await runComplete(argv.slice(1), io);
    }
    const { dispatch } = await import("./dispatch.ts");
    return await dispatch(argv, io);
  } catch (thrown) {
    return reportError(thrown, io);
  }
}

function reportError(thrown: unknown, io: Io): number {
  if (thrown instanceof UsageError || thrown instanceof FailedError) {
    io.err(`preflight: ${replaceProgram(toLine(formatError(thrown)), io.program)}\n`);
    return thrown instanceof UsageError ? 2 : 1;
  }
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  io.err(`preflight: unexpected error, please report it\n${text}\n`);
  return 1;
}

const parent = findParent();
const io = createIo({
  env: process.env,
  writeOut: (text) => void process.stdout.write(text),
  writeErr: (text) => void process.stderr.write(text),
  isOutTerminal: process.stdout.isTTY === true,
  isErrTerminal: parent?.isErrTerminal ?? process.stderr.isTTY === true,
  width: process.stdout.columns ?? DEFAULT_WIDTH,
  program: findProgram(process.argv[1] ?? ""),
  now: () => new Date(),
  random: Math.random,
  stopSignal: createStopSignal(parent),
  startChild: async (...options) => (await import("./process/child.ts")).startChild(...options),
  parent,
});

// A reader that closes the pipe early, such as head or grep -q, is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

// Node would print such an error as it is, with what a cluster wrote into it.
process.once("uncaughtException", (thrown) => process.exit(reportError(thrown, io)));

let hasEnded = false;
// Work that waits for ever, with nothing left to wait for, must not look like a cluster without a risk.
process.once("beforeExit", () => {
  if (hasEnded) return;
  io.err("preflight: ended before the result was ready, please report it\n");
  process.exitCode = 1;
});

void main(process.argv.slice(2), io).then((code) => {
  hasEnded = true;
  process.exitCode = code;
  parent?.release();
});
