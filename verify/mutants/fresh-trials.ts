import type { LeftOut, RecordedTest, Switch, TestName, TestToRun } from "./messages.ts";
import { getId } from "./test-order.ts";
import type { Answer, WorkerProcess } from "./worker-process.ts";

export type FreshTrials = {
  /** Runs tests in a process that loads everything with the mutant. */
  readonly ask: (mutant: Switch, tests: readonly RecordedTest[]) => Promise<Answer>;
  /** Whether a test is not known to need others before it. */
  readonly mayBeSound: (test: TestName) => boolean;
  /** Those that are known to. */
  readonly leftOut: readonly LeftOut[];
};

/** A test that goes through twenty times as many places as without the mutant, and a million more, does not end. */
export function toRun({ file, name, steps }: RecordedTest): TestToRun {
  return { file, name, most: steps * 20 + 1_000_000 };
}

export function openFreshTrials(start: (on: Switch | null) => WorkerProcess, patience: number): FreshTrials {
  const isSound = new Map<string, boolean>();
  const leftOut: LeftOut[] = [];
  const mayBeSound = (test: TestName): boolean => isSound.get(getId(test)) !== false;

  /** What kills in a process of its own must pass alone in another one without the mutant. */
  async function ask(mutant: Switch, tests: readonly RecordedTest[]): Promise<Answer> {
    const answer = await askOnce(mutant, tests.filter(mayBeSound).map(toRun));
    const by = answer.kind === "trial" && answer.verdict === "killed" ? answer.by : undefined;
    return by === undefined || (await passesAlone(by)) ? answer : ask(mutant, tests);
  }

  async function askOnce(on: Switch | null, tests: readonly TestToRun[]): Promise<Answer> {
    const worker = start(on);
    const mutant = on ?? { file: "", number: 0 };
    const answer = await worker.ask({ kind: "try", mutant, tests, again: false }, patience);
    await worker.end();
    return answer;
  }

  async function passesAlone(test: TestName): Promise<boolean> {
    const known = isSound.get(getId(test));
    if (known !== undefined) return known;
    const answer = await askOnce(null, [{ ...test, most: Number.MAX_SAFE_INTEGER }]);
    const passes = answer.kind === "trial" && answer.verdict === "passed";
    isSound.set(getId(test), passes);
    if (!passes) leftOut.push({ ...test, why: "fails alone: it needs tests before it" });
    return passes;
  }

  return { ask, mayBeSound, leftOut };
}
