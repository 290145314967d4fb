import { formatError } from "../../model/errors.ts";
import type { Child, StartChild } from "./child.ts";
import type { ChildEnd } from "./crash-report.ts";
import { createCycleChild } from "./cycle-child.ts";
import { askInIsolation, type Death } from "./isolated-checks.ts";
import { getStopExitCode } from "./stop-signal.ts";

/** Time for a child to end by itself once it is told to stop. */
const STOP_TIMEOUT_MS = 5_000;

/** How the whole command ended. `problem`: what it could not say itself. */
export type SupervisedEnd = { readonly code: number; readonly problem?: string };

export type SupervisionInput = {
  readonly startChild: StartChild;
  readonly now: () => Date;
  readonly onDeath: (death: Death) => void;
  readonly stopSignal: AbortSignal;
};

/** Runs the whole command in a child process, and again without the checks that end it. */
export async function supervise({ startChild, now, onDeath, stopSignal }: SupervisionInput): Promise<SupervisedEnd> {
  let running: Child | undefined;
  const stop = (): void => {
    if (running) requestStop(running, stopSignal);
  };
  stopSignal.addEventListener("abort", stop, { once: true });
  const startStoppable: StartChild = async (...options) => {
    running = await startChild(...options);
    if (stopSignal.aborted) stop();
    return running;
  };
  // A command that was told to stop says so itself.
  const child = createCycleChild({ startChild: startStoppable, signal: new AbortController().signal });
  const asked = { observedAt: now(), suspects: [], onDeath, signal: stopSignal };
  const { answer } = await askInIsolation(child, asked);
  await child.finish();
  const stopCode = getStopExitCode(stopSignal);
  const end: ChildEnd = answer.kind === "ended" ? answer.end : { kind: "crashed", why: `it answered ${answer.kind}` };
  if (end.kind === "exited") return { code: stopCode ?? end.code };
  return stopCode === undefined
    ? { code: 1, problem: describeCommandEnd(end) }
    : { code: stopCode, problem: formatError(stopSignal.reason) };
}

function requestStop(child: Child, stopSignal: AbortSignal): void {
  child.send({ kind: "stop", why: formatError(stopSignal.reason), exitCode: getStopExitCode(stopSignal) ?? 1 });
  setTimeout(child.kill, STOP_TIMEOUT_MS).unref();
}

function describeCommandEnd(end: Exclude<ChildEnd, { kind: "exited" }>): string {
  switch (end.kind) {
    case "outOfMemory":
      return `out of memory: ${end.heapMib} MiB of heap are not enough. Raise the limit with NODE_OPTIONS=--max-old-space-size=${end.heapMib * 2}, or leave out checks with --skip`;
    case "killed":
      return "the process was killed (SIGKILL), as the kernel does if no memory is left. Run it where more memory is free, or leave out checks with --skip";
    case "crashed":
      return `unexpected end of the process: ${end.why}. Please report it`;
  }
}
