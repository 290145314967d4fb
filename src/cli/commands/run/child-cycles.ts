import { defined } from "../../../model/optional.ts";
import type { CycleFailure, CycleResult } from "../../../model/report.ts";
import type { Version } from "../../../model/version.ts";
import type { ReadStats } from "../../../runner/gather.ts";
import type { StartChild } from "../../process/child.ts";
import type { ChildEnd } from "../../process/crash-report.ts";
import { type Answer, type CycleProcess, startCycleProcess } from "./cycle-process.ts";
import type { CycleRunner } from "./cycle-runner.ts";

export type ChildCyclesInput = {
  readonly startChild: StartChild;
  readonly onRead: (stats: ReadStats) => void;
  readonly now: () => Date;
  /** Milliseconds after which a cycle fails by itself. */
  readonly cycleTimeout: number;
  readonly signal: AbortSignal;
};

/** Beyond the cycle's own timeout, for reading the target. A child that then still does not answer is ended. */
const GRACE_MS = 30_000;
/** The longest timeout that a timer accepts. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/**
 * Runs the cycles in a child process, which stays between cycles. If it ends, that cycle has failed, and the next one starts another child.
 * A child that exits before its first cycle has said why: the runner then ends too.
 */
export async function createChildCycles(input: ChildCyclesInput): Promise<CycleRunner | { readonly exitCode: number }> {
  let [running, target]: [CycleProcess | undefined, Version | undefined] = [undefined, undefined];
  const timeout = Math.min(input.cycleTimeout + GRACE_MS, MAX_TIMEOUT_MS);
  const close = (): void => {
    running?.kill();
    running = undefined;
  };
  const start = async (): Promise<Answer> => {
    const { process, answer } = await startCycleProcess({ ...input, timeout });
    running = process;
    if (answer.kind === "ready") target = answer.target;
    else close();
    return answer;
  };
  const cycle = async (): Promise<CycleResult> => {
    const observedAt = input.now();
    // A child that ended between cycles cost no cycle.
    if (running?.hasEnded()) close();
    const startAnswer = running ? undefined : await start();
    const answer = (await running?.runCycle()) ?? startAnswer;
    if (answer?.kind === "result") return answer.result;
    close();
    return { kind: "failed", failure: buildFailure(answer, timeout), observedAt, ...defined({ target }) };
  };
  const answer = await start();
  if (answer.kind === "ended" && answer.end.kind === "exited") return { exitCode: answer.end.code };
  return { cycle, target: () => target, close };
}

function buildFailure(answer: Answer | undefined, timeout: number): CycleFailure {
  if (answer?.kind === "ended") return buildEndFailure(answer.end);
  const message = `The process that runs the cycle did not answer within ${timeout / 1_000} seconds and was ended.`;
  return { reason: "CycleTimedOut", message };
}

const LESS_MEMORY = "or leave out checks with --skip (PREFLIGHT_SKIP)";

function buildEndFailure(end: ChildEnd): CycleFailure {
  switch (end.kind) {
    case "outOfMemory":
      return {
        reason: "OutOfMemory",
        message: `The cycle ran out of memory: ${end.heapMib} MiB of heap are not enough. Raise the memory limit of the container, or set NODE_OPTIONS=--max-old-space-size=${end.heapMib * 2}, ${LESS_MEMORY}.`,
      };
    case "killed":
      return {
        reason: "OutOfMemory",
        message: `The process that runs the cycle was killed (SIGKILL), as the kernel does if no memory is left. Raise the memory limit of the container, ${LESS_MEMORY}.`,
      };
    case "crashed":
      return buildCrashFailure(end.why);
    case "exited":
      return buildCrashFailure(`it exited with ${end.code}`);
  }
}

function buildCrashFailure(why: string): CycleFailure {
  const message = `The process that runs the cycle ended before the cycle did: ${why}. The log has the cause; please report it.`;
  return { reason: "RunnerCrashed", message };
}
