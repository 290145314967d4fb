import { formatError, FailedError } from "../../model/errors.ts";
import type { Child } from "./child.ts";
import type { ChildEnd } from "./crash-report.ts";

/** Time for a child to end by itself once it is told to stop. */
const STOP_TIMEOUT_MS = 10_000;

/** Waits for a child process that runs the whole command; resolves with its exit code. A FailedError if it runs out of memory or crashes. */
export async function supervise(child: Child, stopSignal: AbortSignal): Promise<number> {
  const stop = (): void => requestStop(child, formatError(stopSignal.reason));
  if (stopSignal.aborted) stop();
  stopSignal.addEventListener("abort", stop, { once: true });
  const end = await child.end;
  if (end.kind === "exited") return end.code;
  throw new FailedError(describeCommandEnd(end));
}

function requestStop(child: Child, why: string): void {
  child.send({ kind: "stop", why });
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
