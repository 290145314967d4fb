import type { CycleFailure } from "../../model/report.ts";
import type { ChildEnd } from "./crash-report.ts";

/** What a child process does and is called, and what helps if its memory is too small. */
export type ChildWords = {
  readonly work: string;
  readonly process: string;
  readonly log: string;
  /** `option`: gives the process more heap. */
  readonly describeMoreHeap: (option: string) => string;
  readonly moreMemory: string;
};

/** What the end of a child process means for the work that it was doing. */
export function describeChildEnd(end: ChildEnd, words: ChildWords): CycleFailure {
  const { work, process, log } = words;
  switch (end.kind) {
    case "outOfMemory": {
      const help = words.describeMoreHeap(`NODE_OPTIONS=--max-old-space-size=${end.heapMib * 2}`);
      const message = `The ${work} ran out of memory: ${end.heapMib} MiB of heap are not enough. ${help}`;
      return { reason: "OutOfMemory", message };
    }
    case "killed": {
      const message = `${process} was killed (SIGKILL), as the kernel does if no memory is left. ${words.moreMemory}`;
      return { reason: "OutOfMemory", message };
    }
    case "crashed":
    case "exited": {
      const why = end.kind === "crashed" ? end.why : `it exited with ${end.code}`;
      const message = `${process} ended before the ${work} did: ${why}. ${log} has the cause; please report it.`;
      return { reason: "RunnerCrashed", message };
    }
  }
}
