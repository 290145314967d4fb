import type { CycleFailure } from "../../../model/report.ts";
import type { ChildEnd } from "../../process/crash-report.ts";

/** What the end of a process means for the cluster that it was checking. */
export function describeWorkerEnd(end: ChildEnd): CycleFailure {
  switch (end.kind) {
    case "outOfMemory":
      return {
        reason: "OutOfMemory",
        message: `The check ran out of memory: ${end.heapMib} MiB of heap are not enough. Check fewer clusters at a time (--parallel), or raise the limit with NODE_OPTIONS=--max-old-space-size=${end.heapMib * 2}.`,
      };
    case "killed":
      return {
        reason: "OutOfMemory",
        message:
          "The process was killed (SIGKILL), as the kernel does if no memory is left. Check fewer clusters at a time (--parallel), or use a machine with more memory.",
      };
    case "crashed":
      return buildCrash(end.why);
    case "exited":
      return buildCrash(`it exited with ${end.code}`);
  }
}

function buildCrash(why: string): CycleFailure {
  return {
    reason: "RunnerCrashed",
    message: `The process ended before the check did: ${why}. stderr has the cause; please report it.`,
  };
}
