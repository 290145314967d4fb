import type { Version } from "../../model/version.ts";
import type { ReadStats } from "../../runner/gather/gather.ts";
import type { ParentMessage, ProgressEvent, ChildMessage } from "./messages.ts";
import type { Child, StartChild } from "./child.ts";
import type { ChildEnd } from "./child-end.ts";

/** What the child answered; `work` is what it did at last, for an answer that is its end. */
type ChildAnswer = { readonly answer: Answer; readonly work: LastWork };

/** A child process that runs cycles, which is started when it is asked, and stays until it fails to answer. */
export type CycleChild = {
  readonly start: () => Promise<Answer>;
  readonly ask: (message: ParentMessage) => Promise<ChildAnswer>;
  readonly close: () => void;
  /** Resolves when the process is gone. */
  readonly finish: () => Promise<void>;
  /** The target's version, if it is known. */
  readonly target: () => Version | undefined;
  /** Those that the child has read last: see `ServingTls`. */
  readonly clientAuthorities: () => string | undefined;
};

export type CycleChildInput = Pick<WorkerInput, "startChild" | "signal"> & {
  readonly onRead?: (stats: ReadStats) => void;
  /** Milliseconds for an answer; as long as it takes by default. A child that then does not answer is ended. */
  readonly timeout?: number;
};

export function createCycleChild({ onRead, timeout = Infinity, ...input }: CycleChildInput): CycleChild {
  let running: Worker | undefined;
  let target: Version | undefined;
  let clientAuthorities: string | undefined;
  let tracker = createWorkTracker();
  const close = (): void => {
    running?.child.kill();
    running = undefined;
  };
  const finish = async (): Promise<void> => {
    const worker = running;
    running = undefined;
    await worker?.child.finish();
  };
  const start = async (): Promise<Answer> => {
    running = await startWorker({
      ...input,
      startTimeout: timeout,
      onProgress: (event) => {
        tracker.onProgress(event);
        if (event.kind === "read") onRead?.(event.stats);
        if (event.kind === "clientAuthorities") clientAuthorities = event.pem;
      },
    });
    const answer = await running.ready;
    if (answer.kind === "ready") target = answer.target;
    else close();
    return answer;
  };
  const ask = async (message: ParentMessage): Promise<ChildAnswer> => {
    tracker = createWorkTracker();
    // A child that ended between cycles cost no cycle.
    if (running?.hasEnded()) close();
    const startAnswer = running ? undefined : await start();
    const answer = (await running?.ask(message, timeout)) ?? startAnswer;
    if (answer === undefined) throw new Error("a child that is running answers");
    if (answer.kind !== "result" && answer.kind !== "judged") close();
    return { answer, work: tracker.lastWork() };
  };
  return { start, ask, close, finish, target: () => target, clientAuthorities: () => clientAuthorities };
}

/** What a process did when it ended: the checks that it ran at that moment, and all that it had begun with. */
type LastWork = { readonly running: readonly string[]; readonly begun: readonly string[] };

/** Follows what a process says of its work. */
function createWorkTracker() {
  const reading = new Map<string, readonly string[]>();
  const begun = new Set<string>();
  let judging: readonly string[] = [];
  return {
    onProgress: (event: ProgressEvent): void => {
      if (event.kind === "read") return void reading.delete(event.stats.path);
      if (event.kind !== "begin") return;
      const { checks, path } = event;
      for (const id of checks) begun.add(id);
      if (path !== undefined) reading.set(path, checks);
      judging = path === undefined ? checks : [];
    },
    lastWork: (): LastWork => ({
      running: [...new Set([...reading.values(), judging].flat())].toSorted(),
      begun: [...begun].toSorted(),
    }),
  };
}

type WorkerInput = {
  readonly startChild: StartChild;
  /** How many of them run at a time. */
  readonly siblings?: number;
  readonly onProgress?: (event: ProgressEvent) => void;
  /** Milliseconds for getting ready; without it, as long as it takes. */
  readonly startTimeout?: number;
  readonly signal: AbortSignal;
};

/** What a child process answers; "late" after the time for it, "stopped" at the signal. */
export type Answer =
  | Exclude<ChildMessage, { readonly kind: "progress" }>
  | { readonly kind: "ended"; readonly end: ChildEnd }
  | { readonly kind: "late"; readonly timeout: number }
  | { readonly kind: "stopped" };

/** A child process that does one thing after the other. */
export type Worker = {
  readonly child: Child;
  /** The first answer: "ready", unless something went wrong. */
  readonly ready: Promise<Answer>;
  readonly ask: (message: ParentMessage, timeout: number) => Promise<Answer>;
  readonly hasEnded: () => boolean;
};

/** The longest timeout that a timer accepts. */
const MAX_TIMEOUT_MS = 2_147_483_647;

export async function startWorker({
  startChild,
  siblings,
  onProgress,
  startTimeout = MAX_TIMEOUT_MS,
  signal,
}: WorkerInput): Promise<Worker> {
  let settle: (answer: Answer) => void = () => {};
  let ended: Answer | undefined;
  const child = await startChild((message) => {
    if (message.kind !== "progress") return settle(message);
    for (const event of message.events) onProgress?.(event);
  }, siblings);
  void child.end.then((end) => settle((ended = { kind: "ended", end })));
  const wait = async (timeout: number): Promise<Answer> => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    settle = resolve;
    if (ended) resolve(ended);
    const stop = (): void => resolve({ kind: "stopped" });
    const timer = setTimeout(() => resolve({ kind: "late", timeout }), Math.min(timeout, MAX_TIMEOUT_MS));
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  };
  const ask = (message: ParentMessage, timeout: number): Promise<Answer> => {
    const answer = wait(timeout);
    child.send(message);
    return answer;
  };
  return { child, ready: wait(startTimeout), ask, hasEnded: () => ended !== undefined };
}
