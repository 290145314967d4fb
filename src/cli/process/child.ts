import { type ChildProcess, spawn } from "node:child_process";
import { basename } from "node:path";
import process from "node:process";
import { type ChildEnd, classifyEnd, createCrashReport } from "./child-end.ts";
import { escapeAllButProgress } from "./terminal-text.ts";
import {
  formatHeapLimit,
  replaceHeapLimit,
  selectHeapLimit,
  CHILD_NAME,
  isSingleExecutable,
  addV8Flags,
  withOneArena,
} from "./child-flags.ts";
import { type ChildMessage, isChildMessage, type ParentMessage } from "./messages.ts";

/** This command again in a process of its own, which can run out of memory without ending this one. */
export type Child = {
  readonly send: (message: ParentMessage) => void;
  /** Ends the process at once. */
  readonly kill: () => void;
  /** Lets the process end by itself, so that it can remove its temporary files. */
  readonly finish: () => Promise<void>;
  /** Resolves when the process is gone and all that it wrote is passed on. */
  readonly end: Promise<ChildEnd>;
};

const FINISH_TIMEOUT_MS = 2000;

/** `siblings`: how many children run at a time and share the memory. */
export type StartChild = (onMessage: (message: ChildMessage) => void, siblings?: number) => Promise<Child>;

/** The child uses the same stdin and stdout. Its fifth file is this process's stderr, and only says whether that is a terminal. */
export function startChild(
  onMessage: (message: ChildMessage) => void,
  siblings = 1,
  writeErr = (text: string): void => void process.stderr.write(text),
): Child {
  const heapMib = selectHeapLimit(process.env["NODE_OPTIONS"], process.constrainedMemory(), siblings);
  const child = spawnAgain(heapMib);
  const report = createCrashReport((text) => writeErr(escapeAllButProgress(text)));
  child.stderr?.setEncoding("utf8").on("data", report.push);
  child.on("message", (message) => {
    if (isChildMessage(message)) onMessage(message);
  });
  const end = new Promise<ChildEnd>((resolve) => {
    child.on("error", (error) => resolve({ kind: "crashed", why: error.message }));
    child.on("close", (code, signal) =>
      resolve(passOnOtherReports(classifyEnd(code, signal, report.text(), heapMib), report.text())),
    );
  });
  const kill = (): void => void child.kill("SIGKILL");
  // A child that is gone gets no message: its end says so.
  const send = (message: ParentMessage): void => void child.send(message, () => {});
  return {
    send,
    kill,
    async finish() {
      const timer = setTimeout(kill, FINISH_TIMEOUT_MS);
      send({ kind: "stop", why: "the work is done", exitCode: 0 });
      await end;
      clearTimeout(timer);
    },
    end,
  };
}

/** A single executable has its flags inside, takes more of them in one argument, and knows the name it was called by from argv[0] alone. */
function spawnAgain(heapMib: number): ChildProcess {
  const [, called = "", ...words] = process.argv;
  const [argv0, args] = isSingleExecutable()
    ? [`${CHILD_NAME}/${basename(called)}`, [`--node-options=${formatHeapLimit(heapMib)}`, ...words]]
    : [
        CHILD_NAME,
        [...replaceHeapLimit(addV8Flags(process.execArgv, process.env["NODE_OPTIONS"]), heapMib), called, ...words],
      ];
  return spawn(process.execPath, args, {
    argv0,
    env: withOneArena(process.env),
    stdio: ["inherit", "inherit", "pipe", "ipc", process.stderr.fd],
    serialization: "advanced",
  });
}

/** The report of a crash for any other reason belongs into a bug report. */
function passOnOtherReports(end: ChildEnd, report: string): ChildEnd {
  if (end.kind !== "outOfMemory") process.stderr.write(escapeAllButProgress(report));
  return end;
}
