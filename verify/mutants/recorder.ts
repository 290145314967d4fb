import type { LeftOut, RecordedTest, Reached } from "./messages.ts";
import type { Answer, WorkerProcess } from "./worker-process.ts";

export type Recorded = {
  readonly tests: readonly RecordedTest[];
  readonly leftOut: readonly LeftOut[];
  /** What was reached while files were loaded. */
  readonly loading: ReadonlyMap<string, ReadonlySet<number>>;
};

/** In seconds of CPU. */
const PATIENCE = 4;

/** Runs the tests of each file twice without a mutant. `open` gives a process, a new one if the last one ended. */
export async function recordTests(files: readonly string[], open: () => WorkerProcess): Promise<Recorded> {
  const tests: RecordedTest[] = [];
  const leftOut: LeftOut[] = [];
  const loading = new Map<string, Set<number>>();
  for (const file of files) {
    const { answer, stuck } = await recordFile(file, [], open);
    leftOut.push(...stuck.map((name) => ({ file, name, why: `takes longer than ${PATIENCE} seconds` })));
    if (answer.kind === "recording") {
      tests.push(...answer.tests);
      leftOut.push(...answer.leftOut);
      addReached(loading, answer.loading);
    } else leftOut.push({ file, name: "", why: "cannot be loaded, or ends the process" });
  }
  return { tests, leftOut, loading };
}

/** Once more without the test that did not end, in another process. */
async function recordFile(
  file: string,
  stuck: readonly string[],
  open: () => WorkerProcess,
): Promise<{ answer: Answer; stuck: readonly string[] }> {
  const answer = await open().ask({ kind: "record", file, without: stuck }, PATIENCE);
  const isTest = answer.kind === "stuck" && answer.message !== file && !stuck.includes(answer.message);
  return isTest ? recordFile(file, [...stuck, answer.message], open) : { answer, stuck };
}

function addReached(to: Map<string, Set<number>>, reached: Reached): void {
  for (const [file, places] of Object.entries(reached)) {
    const known = to.get(file) ?? new Set();
    for (const place of places) known.add(place);
    to.set(file, known);
  }
}
