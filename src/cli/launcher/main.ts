import { writeSync } from "node:fs";
import process from "node:process";
import { formatError } from "../../model/errors.ts";
import { isChild, addV8Flags, withOneArena } from "../process/child-flags.ts";
import { COMPLETE_COMMAND, HELP_FLAGS, VERSION_FLAGS } from "../io/program.ts";
import { VERSION } from "../../model/program-version.ts";
import { keepStopSignals } from "../process/stop-signal.ts";
import { loadProgram } from "./program-loader.ts";

/** The build writes the names of the commands here, by the process in which their definitions have them run. */
declare const PREFLIGHT_COMMANDS: { readonly supervised: readonly string[]; readonly short: readonly string[] };

/** Starts what the arguments need and nothing else: the program itself is large, and a process that only waits for another does without it. */
function launch(argv: readonly string[]): void {
  if (asksForVersion(argv)) {
    printVersion();
    return;
  }
  const { supervised, short } = PREFLIGHT_COMMANDS;
  const isWork = !isChild() && !argv.some((word) => word === "help" || HELP_FLAGS.includes(word));
  // Arguments that happen to be such a word cost a process, and nothing else.
  if (isWork && argv.some((word) => supervised.includes(word))) {
    void import("./supervised-command.ts").then(({ runSupervised }) => runSupervised());
    return;
  }
  const isShort = !isChild() && (!isWork || [...short, COMPLETE_COMMAND].includes(argv[0] ?? ""));
  if (isWork && !isShort) replaceProcess(argv);
  keepStopSignals();
  loadProgram(argv, isShort);
}

/** Without the streams, whose code would have to be loaded. */
function printVersion(): void {
  try {
    writeSync(process.stdout.fd, `preflight ${VERSION}\n`);
  } catch (thrown) {
    process.stderr.write(`preflight: the version can't be written: ${formatError(thrown)}\n`);
    process.exitCode = 1;
  }
}

function asksForVersion(argv: readonly string[]): boolean {
  if (argv[0] === "version") return true;
  return argv.some((word) => VERSION_FLAGS.includes(word)) && argv.every((word) => word.startsWith("-"));
}

/** V8 and glibc take how they use memory at their start only. Returns if that is set already, or where a process can't replace itself. */
function replaceProcess(argv: readonly string[]): void {
  const flags = addV8Flags(process.execArgv, process.env["NODE_OPTIONS"]);
  const env = withOneArena(process.env);
  const isSet = flags.length === process.execArgv.length && env["MALLOC_ARENA_MAX"] === process.env["MALLOC_ARENA_MAX"];
  if (isSet || process.execve === undefined) return;
  process.execve(process.execPath, [process.execPath, ...flags, process.argv[1] ?? "", ...argv], env);
}

launch(process.argv.slice(2));
