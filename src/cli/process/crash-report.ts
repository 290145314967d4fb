import { redactText } from "../../model/secrets/redact-text.ts";

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
