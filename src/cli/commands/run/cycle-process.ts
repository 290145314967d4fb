import type { ReadStats } from "../../../runner/gather.ts";
import type { StartChild } from "../../process/child.ts";
import type { ChildEnd } from "../../process/crash-report.ts";
import type { ChildMessage } from "../../process/messages.ts";

export type CycleProcessInput = {
  readonly startChild: StartChild;
  readonly onRead: (stats: ReadStats) => void;
  /** Milliseconds to wait for an answer. */
  readonly timeout: number;
  readonly signal: AbortSignal;
};

export type Answer =
  | Exclude<ChildMessage, { readonly kind: "read" }>
  | { readonly kind: "ended"; readonly end: ChildEnd }
  | { readonly kind: "late" }
  | { readonly kind: "stopped" };

/** A child process that runs cycles. */
export type CycleProcess = {
  readonly runCycle: () => Promise<Answer>;
  readonly hasEnded: () => boolean;
  readonly kill: () => void;
};

/** Starts a child; `answer` is "ready" once it has read the target. */
export async function startCycleProcess(
  input: CycleProcessInput,
): Promise<{ readonly process: CycleProcess; readonly answer: Answer }> {
  let settle: (answer: Answer) => void = () => {};
  const child = await input.startChild((message) => {
    if (message.kind === "read") input.onRead(message.stats);
    else settle(message);
  });
  let end: Answer | undefined;
  void child.end.then((how) => {
    end = { kind: "ended", end: how };
    settle(end);
  });
  const waitForAnswer = (): Promise<Answer> => {
    const answer = Promise.withResolvers<Answer>();
    settle = answer.resolve;
    if (end) settle(end);
    return settleInTime(answer, input);
  };
  const runCycle = (): Promise<Answer> => {
    const answer = waitForAnswer();
    child.send({ kind: "cycle" });
    return answer;
  };
  const process = { runCycle, hasEnded: () => end !== undefined, kill: child.kill };
  return { process, answer: await waitForAnswer() };
}

async function settleInTime(
  { promise, resolve }: PromiseWithResolvers<Answer>,
  { timeout, signal }: CycleProcessInput,
): Promise<Answer> {
  const stop = (): void => resolve({ kind: "stopped" });
  const timer = setTimeout(() => resolve({ kind: "late" }), timeout);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
