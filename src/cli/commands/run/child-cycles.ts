import { defined } from "../../../model/optional.ts";
import type { CycleFailure, CycleResult } from "../../../model/report.ts";
import type { Version } from "../../../model/version.ts";
import { type ChildWords, describeChildEnd } from "../../process/child-failure.ts";
import { type Answer, startWorker, type Worker, type WorkerInput } from "../../process/worker.ts";

/** Runs a cycle whenever it is asked for one. */
export type CycleRunner = {
  readonly cycle: () => Promise<CycleResult>;
  /** The target's version, if it is known. */
  readonly target: () => Version | undefined;
  readonly close: () => void;
};

export type ChildCyclesInput = Pick<WorkerInput, "startChild" | "onRead" | "signal"> & {
  readonly now: () => Date;
  /** Milliseconds after which a cycle fails by itself. */
  readonly cycleTimeout: number;
};

/** Beyond the cycle's own timeout, for reading the target. A child that then still does not answer is ended. */
const GRACE_MS = 30_000;

/**
 * Runs the cycles in a child process, which stays between cycles. If it ends, that cycle has failed, and the next one starts another child.
 * A child that exits before its first cycle has said why: the runner then ends too.
 */
export async function createChildCycles(input: ChildCyclesInput): Promise<CycleRunner | { readonly exitCode: number }> {
  let [running, target]: [Worker | undefined, Version | undefined] = [undefined, undefined];
  const timeout = input.cycleTimeout + GRACE_MS;
  const close = (): void => {
    running?.child.kill();
    running = undefined;
  };
  const start = async (): Promise<Answer> => {
    running = await startWorker({ ...input, startTimeout: timeout });
    const answer = await running.ready;
    if (answer.kind === "ready") target = answer.target;
    else close();
    return answer;
  };
  const cycle = async (): Promise<CycleResult> => {
    const observedAt = input.now();
    // A child that ended between cycles cost no cycle.
    if (running?.hasEnded()) close();
    const startAnswer = running ? undefined : await start();
    const answer = (await running?.ask({ kind: "cycle" }, timeout)) ?? startAnswer;
    if (answer?.kind === "result") return answer.result;
    close();
    return { kind: "failed", failure: buildFailure(answer, timeout), observedAt, ...defined({ target }) };
  };
  const answer = await start();
  if (answer.kind === "ended" && answer.end.kind === "exited") return { exitCode: answer.end.code };
  return { cycle, target: () => target, close };
}

function buildFailure(answer: Answer | undefined, timeout: number): CycleFailure {
  if (answer?.kind === "ended") return describeChildEnd(answer.end, WORDS);
  const message = `The process that runs the cycle did not answer within ${timeout / 1_000} seconds and was ended.`;
  return { reason: "CycleTimedOut", message };
}

const LESS_MEMORY = "or leave out checks with --skip (PREFLIGHT_SKIP).";

const WORDS: ChildWords = {
  work: "cycle",
  process: "The process that runs the cycle",
  log: "The log",
  describeMoreHeap: (option) => `Raise the memory limit of the container, or set ${option}, ${LESS_MEMORY}`,
  moreMemory: `Raise the memory limit of the container, ${LESS_MEMORY}`,
};
