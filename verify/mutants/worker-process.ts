import { fork } from "node:child_process";
import { join } from "node:path";
import type { Recording, Reply, Request, Trial, WorkerSettings } from "./messages.ts";

/** `crashed` and `stuck`: the process ended, or was ended, without an answer; `message` is what it said last. */
type Ended = { readonly kind: "crashed" | "stuck"; readonly message: string };
export type Answer = Recording | Trial | Ended;

export type WorkerProcess = {
  /** Asks one thing after the other. `patience`: after so many milliseconds without a sign, a test does not end. */
  readonly ask: (request: Request, patience: number) => Promise<Answer>;
  readonly isAlive: () => boolean;
  /** Lets it clean up, and waits for its end. */
  readonly end: () => Promise<void>;
};

const FLAGS = ["--disable-warning=ExperimentalWarning", "--unhandled-rejections=warn", "--max-old-space-size=2048"];
const MOST_STDERR = 2000;

const END_MS = 20_000;

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
  let patience = END_MS;
  const watch = (test: string): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      stuck = test;
      child.kill("SIGKILL");
    }, patience);
  };
  child.stderr?.on("data", (text: Buffer) => {
    stderr = `${stderr}${text.toString()}`.slice(-MOST_STDERR);
  });
  child.on("message", (reply: Reply) => {
    if (reply.kind === "beat") return watch(reply.test.name);
    clearTimeout(timer);
    return answer(reply);
  });
  const ended = new Promise<void>((resolve) => {
    child.on("close", () => {
      clearTimeout(timer);
      answer(stuck === "" ? { kind: "crashed", message: stderr } : { kind: "stuck", message: stuck });
      resolve();
    });
  });
  const isAlive = (): boolean => child.connected && child.exitCode === null && stuck === "";
  return {
    ask: (request, most) =>
      new Promise((resolve) => {
        patience = most;
        answer = resolve;
        watch("file" in request ? request.file : "the start");
        if (isAlive()) child.send(request);
        else resolve({ kind: "crashed", message: stderr });
      }),
    isAlive,
    end: () => {
      patience = END_MS;
      watch("the end");
      if (isAlive()) child.send({ kind: "finish" });
      return ended;
    },
  };
}
