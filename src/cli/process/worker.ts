import type { Child, StartChild } from "./child.ts";
import type { ChildEnd } from "./crash-report.ts";
import type { ChildMessage, ParentMessage, ProgressEvent } from "./messages.ts";

export type WorkerInput = {
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
