import type { LeftOut, RecordedTest, Reached } from "./messages.ts";
import type { WorkerProcess } from "./worker-process.ts";

export type Recorded = {
  readonly tests: readonly RecordedTest[];
  readonly leftOut: readonly LeftOut[];
  /** What was reached while files were loaded. */
  readonly loading: ReadonlyMap<string, ReadonlySet<number>>;
};

/** Runs the tests of each file twice without a mutant. `open` gives a process, a new one if the last one ended. */
export async function recordTests(
  files: readonly string[],
  open: () => WorkerProcess,
  say: (line: string) => void,
): Promise<Recorded> {
  const tests: RecordedTest[] = [];
  const leftOut: LeftOut[] = [];
  const loading = new Map<string, Set<number>>();
  for (const file of files) {
    const answer = await open().ask({ kind: "record", file });
    if (answer.kind === "recording") {
      tests.push(...answer.tests);
      leftOut.push(...answer.leftOut);
      addReached(loading, answer.loading);
      continue;
    }
    const why = answer.kind === "stuck" ? "does not end" : "ends the process";
    leftOut.push({ file, name: "", why });
    say(`${file} ${why}`);
  }
  return { tests, leftOut, loading };
}

function addReached(to: Map<string, Set<number>>, reached: Reached): void {
  for (const [file, places] of Object.entries(reached)) {
    const known = to.get(file) ?? new Set();
    for (const place of places) known.add(place);
    to.set(file, known);
  }
}
