import type { FuzzFault } from "./execution.ts";
import type { Limits, LoopState } from "./loop.ts";

/** What the process of a target is told. */
export type Job = {
  readonly file: string;
  readonly folder: string;
  readonly seed: number;
  readonly limits: Limits;
  readonly hangSeconds: number;
  readonly memoryMib: number;
  /** What an earlier process of this run, which was ended, had done. */
  readonly state: LoopState;
  /** An input to run instead of fuzzing. */
  readonly replay?: string;
};

/** What the watchdog is told. */
export type Watch = Pick<Job, "hangSeconds" | "memoryMib"> & {
  readonly counter: Int32Array;
  readonly reasonFile: string;
};

/** What a process leaves behind. `fault`: of a replayed input. */
export type Leftover = { readonly isDone: boolean; readonly state: LoopState; readonly fault?: FuzzFault };

/** The files of a process, in its target's folder. */
export const FILES = { input: "running/input", reason: "running/reason", leftover: "running/state.json" };
