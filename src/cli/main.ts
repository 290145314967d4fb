import process from "node:process";
import { formatError, FailedError, UsageError } from "../model/errors.ts";
import { createIo, type Io } from "./io.ts";
import { toLine } from "./terminal-text.ts";
import { findProgram, replaceProgram } from "./program.ts";
import { findParent, type Parent } from "./process/parent.ts";
import { VERSION } from "./version.ts";

const STOP_SIGNALS = ["SIGTERM", "SIGINT"] as const;
const DEFAULT_WIDTH = 100;
/** They read a cluster in a child process. Arguments that happen to be such a word cost a process, and nothing else. */
const SUPERVISED_COMMANDS = ["check", "plan", "record"];

const VERSION_FLAGS = ["--version", "-v"];
/** What the completion scripts call: not for people, so help does not show it. */
const COMPLETE_COMMAND = "__complete";
const HELP_WORDS = ["help", "--help", "-h"];

function isSupervised(argv: readonly string[]): boolean {
  return argv.some((word) => SUPERVISED_COMMANDS.includes(word)) && !argv.some((word) => HELP_WORDS.includes(word));
}

/** Imports everything but --version when it is needed, which keeps the start fast. */
async function main(argv: readonly string[], io: Io): Promise<number> {
  if (
    argv[0] === "version" ||
    (argv.some((word) => VERSION_FLAGS.includes(word)) && argv.every((word) => word.startsWith("-")))
  ) {
    io.out(`preflight ${VERSION}\n`);
    return 0;
  }
  try {
    if (argv[0] === COMPLETE_COMMAND) {
      const { runComplete } = await import("./completion/run-complete.ts");
      return await runComplete(argv.slice(1), io);
    }
    if (io.parent === undefined && isSupervised(argv)) {
      const { supervise } = await import("./process/supervise.ts");
      return await supervise(io);
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

function createStopSignal(parent: Parent | undefined): AbortSignal {
  const stop = new AbortController();
  parent?.onStop((why) => stop.abort(new Error(why)));
  for (const name of STOP_SIGNALS) process.once(name, () => stop.abort(new Error(`stopped by ${name}`)));
  return stop.signal;
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
