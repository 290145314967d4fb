import { redactText } from "../../model/secrets/redact-text.ts";
import type { CycleFailure } from "../../model/report.ts";

/** How Node and V8 begin what they print before they abort. */
const REPORT_START = /\n?^(?:<--- Last few GCs --->|FATAL ERROR: |# Fatal error in )/m;
const MAX_REPORT_LENGTH = 64 * 1024;
const OUT_OF_MEMORY = /out of memory|Array buffer allocation failed/i;

/** Passes on what a process writes to stderr, and keeps a report of its crash, which a sentence replaces. */
export function createCrashReport(write: (text: string) => void) {
  let report = "";
  const push = (text: string): void => {
    const start = report === "" ? text.search(REPORT_START) : 0;
    const passed = start < 0 ? text : text.slice(0, start);
    if (passed !== "") write(redactText(passed));
    report = (report + text.slice(passed.length)).slice(0, MAX_REPORT_LENGTH);
  };
  return { push, text: () => redactText(report) };
}

/** How a child process ended. */
export type ChildEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "outOfMemory"; readonly heapMib: number }
  /** The kernel ends processes with SIGKILL if the machine or the container has no memory left. */
  | { readonly kind: "killed" }
  | { readonly kind: "crashed"; readonly why: string };

const ABORT_CODE = 134;

export function classifyEnd(code: number | null, signal: string | null, report: string, heapMib: number): ChildEnd {
  if (OUT_OF_MEMORY.test(report)) return { kind: "outOfMemory", heapMib };
  if (signal === "SIGKILL") return { kind: "killed" };
  if (signal !== null) return { kind: "crashed", why: `it ended with ${signal}` };
  if (code === ABORT_CODE) return { kind: "crashed", why: "it aborted" };
  return { kind: "exited", code: code ?? 1 };
}

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
