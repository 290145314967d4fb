import { formatError } from "../../model/errors.ts";
import type { Child } from "./child.ts";
import type { ChildEnd } from "./crash-report.ts";
import { getStopExitCode } from "./stop-signal.ts";

/** Time for a child to end by itself once it is told to stop. */
const STOP_TIMEOUT_MS = 5_000;

/** How the whole command ended. `problem`: what it could not say itself. */
export type SupervisedEnd = { readonly code: number; readonly problem?: string };

/** Waits for a child process that runs the whole command. */
export async function supervise(child: Child, stopSignal: AbortSignal): Promise<SupervisedEnd> {
  const stop = (): void => requestStop(child, stopSignal);
  if (stopSignal.aborted) stop();
  stopSignal.addEventListener("abort", stop, { once: true });
  const end = await child.end;
  const stopCode = getStopExitCode(stopSignal);
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
