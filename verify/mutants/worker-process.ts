import { fork } from "node:child_process";
import { join } from "node:path";
import { readCpuSeconds } from "../bench/processes.ts";
import type { Recording, Reply, Request, Trial, WorkerSettings } from "./messages.ts";

/** `crashed` and `stuck`: the process ended, or was ended, without an answer; `message` is what it said last. */
type Ended = { readonly kind: "crashed" | "stuck"; readonly message: string };
export type Answer = Recording | Trial | Ended;

export type WorkerProcess = {
  /** Asks one thing after the other. `patience`: a test that takes so many seconds of CPU does not end. */
  readonly ask: (request: Request, patience: number) => Promise<Answer>;
  readonly isAlive: () => boolean;
  /** Lets it clean up, and waits for its end. */
  readonly end: () => Promise<void>;
};

const FLAGS = ["--disable-warning=ExperimentalWarning", "--unhandled-rejections=warn", "--max-old-space-size=2048"];
const MOST_STDERR = 2000;

const END_SECONDS = 10;
const MOST_LOAD_SECONDS = 30;
const POLL_MS = 250;
/** For a process that waits for something, or where the system does not tell how much CPU it takes. */
const MOST_WAIT_SECONDS = 600;

/** `temporary`: its folder for temporary files. */
export function startWorker(settings: WorkerSettings, temporary: string): WorkerProcess {
  const child = fork(join(import.meta.dirname, "worker.ts"), [JSON.stringify(settings)], {
    cwd: settings.root,
    execArgv: FLAGS,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: { ...process.env, TMPDIR: temporary },
  });
  let stderr = "";
  let answer: (answer: Answer) => void = () => {};
  let timer: NodeJS.Timeout | undefined;
  let stuck = "";
  let patience = END_SECONDS;
  const watch = (test: string): void => {
    clearInterval(timer);
    const most = patience;
    const begun = performance.now();
    const cpu = readCpuSeconds(child.pid ?? 0);
    timer = setInterval(() => {
      const taken = readCpuSeconds(child.pid ?? 0) - cpu;
      if (taken < most && performance.now() - begun < MOST_WAIT_SECONDS * 1000) return;
      stuck = test;
      child.kill("SIGKILL");
    }, POLL_MS);
  };
  child.stderr?.on("data", (text: Buffer) => {
    stderr = `${stderr}${text.toString()}`.slice(-MOST_STDERR);
  });
  child.on("message", (reply: Reply) => {
    if (reply.kind === "beat") return watch(reply.test.name);
    clearInterval(timer);
    return answer(reply);
  });
  const ended = new Promise<void>((resolve) => {
    child.on("close", () => {
      clearInterval(timer);
      answer(stuck === "" ? { kind: "crashed", message: stderr } : { kind: "stuck", message: stuck });
      resolve();
    });
  });
  const isAlive = (): boolean => child.connected && child.exitCode === null && stuck === "";
  return {
    ask: (request, most) =>
      new Promise((resolve) => {
        if (!isAlive()) return resolve({ kind: "crashed", message: stderr });
        answer = resolve;
        // The import of a file may take longer than a test of it.
        patience = Math.max(most, MOST_LOAD_SECONDS);
        watch("file" in request ? request.file : "the start");
        patience = most;
        return child.send(request);
      }),
    isAlive,
    end: () => {
      if (!isAlive()) return ended;
      patience = END_SECONDS;
      watch("the end");
      child.send({ kind: "finish" });
      return ended;
    },
  };
}
