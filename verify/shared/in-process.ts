import process from "node:process";
import { runProgram } from "../../src/cli/command-line/dispatch.ts";
import { createIo, type Io } from "../../src/cli/io/io.ts";
import type { StartChild } from "../../src/cli/process/child.ts";
import type { ChildEnd } from "../../src/cli/process/child-end.ts";
import type { ParentMessage } from "../../src/cli/process/messages.ts";
import type { Parent } from "../../src/cli/process/parent.ts";
import { StopError } from "../../src/cli/process/stop-signal.ts";
import { type ImageCache, openImageCache } from "../../src/release/image/image-cache.ts";

/** As of a stdout that is no terminal. */
const WIDTH = 100;

/** What one run shares with those that it starts as its children. */
type Run = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
};

export type RunResult = { readonly code: number; readonly out: string; readonly err: string };

/** Runs the program's sources in this process, and what it starts as child processes as well. */
export async function runInProcess(argv: readonly string[], env: Run["env"], folder: string): Promise<RunResult> {
  const texts = { out: "", err: "" };
  const writeOut = (text: string): void => void (texts.out += text);
  const writeErr = (text: string): void => void (texts.err += text);
  const run = () => runOnce({ argv, env, writeOut, writeErr }, new AbortController().signal);
  const code = await (folder === HOME ? runBesideOthers(run) : runAlone(folder, run));
  return { code, ...texts };
}

/** Runs a command that goes on until `stopSignal`, beside all others: it needs no folder of its own. `onErr` gets what it says meanwhile. */
export async function runUntilStopped(
  argv: readonly string[],
  env: Run["env"],
  stopSignal: AbortSignal,
  onErr: (text: string) => void,
): Promise<RunResult> {
  const texts = { out: "", err: "" };
  const writeOut = (text: string): void => void (texts.out += text);
  const writeErr = (text: string): void => {
    texts.err += text;
    onErr(text);
  };
  const code = await runOnce({ argv, env, writeOut, writeErr }, stopSignal);
  return { code, ...texts };
}

const HOME = process.cwd();
/** Until the last of the runs in other folders has ended. */
let turn = Promise.resolve();
const running = new Set<Promise<number>>();

async function runBesideOthers(start: () => Promise<number>): Promise<number> {
  await turn;
  const run = start();
  running.add(run);
  return run.finally(() => running.delete(run));
}

/** A process has one current folder, which such a run has for itself. */
async function runAlone(folder: string, start: () => Promise<number>): Promise<number> {
  const earlier = turn;
  const { promise, resolve } = Promise.withResolvers<void>();
  turn = promise;
  await earlier;
  await Promise.allSettled(running);
  process.chdir(folder);
  try {
    return await start();
  } finally {
    process.chdir(HOME);
    resolve();
  }
}

/** Leaves nothing behind: what a process ends with, its end does here. */
async function runOnce(run: Run, stopSignal: AbortSignal, parent?: Parent): Promise<number> {
  let cache: Promise<ImageCache> | undefined;
  const isRunning = { value: true };
  const io: Io = createIo({
    env: run.env,
    writeOut: run.writeOut,
    // What a process that was told to stop says after its time, nobody would hear.
    writeErr: (text) => void (isRunning.value && run.writeErr(text)),
    isOutTerminal: false,
    isErrTerminal: false,
    width: WIDTH,
    height: 24,
    program: "preflight",
    now: () => new Date(),
    random: Math.random,
    stopSignal,
    startChild: async (onMessage) => startChild(run, onMessage),
    openImageCache: () => (cache ??= Promise.resolve(openImageCache(run.env, new Date()))),
    parent,
    exit: () => {},
  });
  const code = await runProgram(run.argv, io);
  isRunning.value = false;
  if (cache !== undefined) (await cache).close();
  return code;
}

/** The same command with a parent, to which messages go as between processes: copied, and later. */
function startChild(run: Run, onMessage: Parameters<StartChild>[0]): Awaited<ReturnType<StartChild>> {
  const stop = new AbortController();
  const listeners: ((message: ParentMessage) => void)[] = [];
  const kill = (): void => stop.abort(new StopError("killed", 137));
  const parent: Parent = {
    send: (message) => void setImmediate(onMessage, structuredClone(message)),
    onMessage: (listener) => void listeners.push(listener),
    onStop: () => {},
    release: () => {},
    isErrTerminal: false,
  };
  const end = runOnce(run, stop.signal, parent).then((code): ChildEnd => ({ kind: "exited", code }));
  const send = (message: ParentMessage): void => {
    if (message.kind === "stop") return stop.abort(new StopError(message.why, message.exitCode));
    const copy = structuredClone(message);
    setImmediate(() => listeners.forEach((listener) => listener(copy)));
  };
  const finish = async (): Promise<void> => {
    send({ kind: "stop", why: "the work is done", exitCode: 0 });
    await end;
  };
  return { send, kill, finish, end };
}
