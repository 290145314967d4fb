import type { Verdict } from "./failure.ts";
import type { Reached } from "./switchboard.ts";

export type { Reached };

/** A test by its file and its name there. */
export type TestName = { readonly file: string; readonly name: string };

/** A test as it ran without a mutant: `cold` is what it reached the first time, when nothing was kept yet; `warm`, the second time. */
export type RecordedTest = TestName & {
  readonly steps: number;
  readonly milliseconds: number;
  readonly cold: Reached;
  readonly warm: Reached;
};

export type LeftOut = TestName & { readonly why: string };

/** `loading`: what was reached while the file was imported. */
export type Recording = {
  readonly kind: "recording";
  readonly tests: readonly RecordedTest[];
  readonly leftOut: readonly LeftOut[];
  readonly loading: Reached;
};

/** `most`: how many places the test may go through before it is endless. */
export type TestToRun = TestName & { readonly most: number };

export type Request =
  | { readonly kind: "record"; readonly file: string; readonly without: readonly string[] }
  | { readonly kind: "try"; readonly mutant: Switch; readonly tests: readonly TestToRun[]; readonly again: boolean }
  | { readonly kind: "finish" };

export type Switch = { readonly file: string; readonly number: number };

/** `unsound`: the test that killed fails without the mutant, too, after what ran before it. */
export type Trial = {
  readonly kind: "trial";
  readonly verdict: Verdict | "unsound";
  readonly by?: TestName;
  readonly message?: string;
};

/** `beat`: what comes next, so that a test that does not end is known. */
export type Reply = Recording | Trial | { readonly kind: "beat"; readonly test: TestName };

/** What a worker is started with. `on`: a mutant that is on before anything is imported. */
export type WorkerSettings = { readonly root: string; readonly folder: string; readonly on: Switch | null };
