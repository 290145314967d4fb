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
      const message = `The ${work} ran out of memory: ${formatChildEnd(end)}. ${help}`;
      return { reason: "OutOfMemory", message };
    }
    case "killed": {
      const message = `${process} was killed (SIGKILL), as the kernel does if no memory is left. ${words.moreMemory}`;
      return { reason: "OutOfMemory", message };
    }
    case "crashed":
    case "exited": {
      const message = `${process} ended before the ${work} did: ${formatChildEnd(end)}. ${log} has the cause; please report it.`;
      return { reason: "RunnerCrashed", message };
    }
  }
}

/** Why a process ended, as a part of a sentence. */
export function formatChildEnd(end: ChildEnd): string {
  switch (end.kind) {
    case "outOfMemory":
      return `${end.heapMib} MiB of heap are not enough`;
    case "killed":
      return "it was killed (SIGKILL), as the kernel does if no memory is left";
    case "crashed":
      return end.why;
    case "exited":
      return `it exited with ${end.code}`;
  }
}
