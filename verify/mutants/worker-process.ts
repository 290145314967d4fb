import { fork } from "node:child_process";
import { join } from "node:path";
import type { Recording, Reply, Request, Trial, WorkerSettings } from "./messages.ts";

/** `crashed` and `stuck`: the process ended, or was ended, without an answer; `message` is what it said last. */
type Ended = { readonly kind: "crashed" | "stuck"; readonly message: string };
export type Answer = Recording | Trial | Ended;

export type WorkerProcess = {
  /** Asks one thing after the other. */
  readonly ask: (request: Request) => Promise<Answer>;
  readonly isAlive: () => boolean;
  /** Lets it clean up, and waits for its end. */
  readonly end: () => Promise<void>;
};

const FLAGS = ["--disable-warning=ExperimentalWarning", "--unhandled-rejections=warn", "--max-old-space-size=2048"];
const MOST_STDERR = 2000;

/** `patience`: after so many milliseconds without a sign, a test does not end. `temporary`: its folder for temporary files. */
export function startWorker(settings: WorkerSettings, temporary: string, patience: number): WorkerProcess {
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
    ask: (request) =>
      new Promise((resolve) => {
        answer = resolve;
        watch("file" in request ? request.file : "the start");
        if (isAlive()) child.send(request);
        else resolve({ kind: "crashed", message: stderr });
      }),
    isAlive,
    end: () => {
      watch("the end");
      if (isAlive()) child.send({ kind: "finish" });
      return ended;
    },
  };
}
