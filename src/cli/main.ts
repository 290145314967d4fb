import process from "node:process";
import { errorCode, formatError } from "../model/errors.ts";
import { reportError, reportLine, createIo } from "./io/io.ts";
import type { ImageCache } from "../release/image/image-cache.ts";
import { runProgram } from "./command-line/dispatch.ts";
import { findProgram } from "./io/program.ts";
import { findParent } from "./process/parent.ts";
import { createStopSignal, getStopExitCode } from "./process/stop-signal.ts";

const DEFAULT_WIDTH = 100;
const DEFAULT_HEIGHT = 24;

const parent = findParent();
let hasReader = false;
let hasFailed = false;
let imageCache: Promise<ImageCache> | undefined;
const io = createIo({
  env: process.env,
  writeOut,
  writeErr: (text) => void process.stderr.write(text),
  isOutTerminal: process.stdout.isTTY === true,
  isErrTerminal: parent?.isErrTerminal ?? process.stderr.isTTY === true,
  width: process.stdout.columns ?? DEFAULT_WIDTH,
  height: process.stdout.rows ?? DEFAULT_HEIGHT,
  program: findProgram(process.argv[1] ?? ""),
  now: () => new Date(),
  random: Math.random,
  stopSignal: createStopSignal(parent),
  startChild: async (...options) => (await import("./process/child.ts")).startChild(...options),
  openImageCache: () => (imageCache ??= openImageCache()),
  parent,
  exit: (code) => process.exit(code),
});

async function openImageCache(): Promise<ImageCache> {
  const { openImageCache: open } = await import("../release/image/image-cache.ts");
  const cache = open(process.env, new Date());
  process.once("exit", cache.close);
  return cache;
}

/** The first line alone shows whether there is a reader: of a long text, it may read a part and have enough. */
function writeOut(text: string): void {
  const end = hasReader ? 0 : text.indexOf("\n") + 1;
  if (end > 0) process.stdout.write(text.slice(0, end), noteReader);
  process.stdout.write(text.slice(end), noteReader);
}

function noteReader(error: Error | null | undefined): void {
  if (!error) hasReader = true;
}

// A reader that closes the pipe early, such as head or grep -q, is not an error. A full disk is, and a reader that was never there.
process.stdout.on("error", (error) => {
  if ((hasReader && errorCode(error) === "EPIPE") || hasFailed) return;
  hasFailed = true;
  reportLine(`the result can't be written: ${formatError(error)}`, io);
  process.exitCode = 1;
});
// What can't be said to anybody is no reason to fail.
process.stderr.on("error", () => {});

// Node would print such an error as it is, with what a cluster wrote into it.
process.once("uncaughtException", (thrown) => process.exit(reportError(thrown, io)));

let hasEnded = false;
// Work that waits for ever, with nothing left to wait for, must not look like a cluster without a risk.
process.once("beforeExit", () => {
  if (hasEnded) return;
  io.err("preflight: ended before the result was ready, please report it\n");
  process.exitCode = 1;
});

void runProgram(process.argv.slice(2), io).then((code) => {
  hasEnded = true;
  process.exitCode = hasFailed ? 1 : code;
  // What a stopped command still waits for must not keep the process alive.
  if (getStopExitCode(io.stopSignal) !== undefined) process.exit();
  parent?.release();
});
