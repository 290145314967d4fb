import type { ImportGraph } from "./import-graph.ts";
import type { LeftOut, RecordedTest, Switch, TestName, TestToRun, Trial } from "./messages.ts";
import type { Mutant } from "./mutation.ts";
import type { Recorded } from "./recorder.ts";
import { findColdTests, findUsers, findWarmTests, getId, orderTests } from "./test-order.ts";
import type { Answer, WorkerProcess } from "./worker-process.ts";

export type OutcomeKind = "killed" | "survived" | "notReached" | "endless" | "other" | "crashed";
/** `by`: the test that said so; `message`: what it said. */
export type Outcome = { readonly kind: OutcomeKind; readonly by?: TestName; readonly message?: string };

type Processes = {
  /** One that has run tests before, without the mutant. */
  readonly open: () => WorkerProcess;
  readonly close: () => Promise<void>;
  /** A new one, with a mutant on before it loads anything. */
  readonly start: (on: Switch | null) => WorkerProcess;
  /** Seconds of CPU after which a test does not end. */
  readonly patience: number;
};

export type Trials = {
  readonly judge: (mutant: Mutant) => Promise<Outcome>;
  /** Tests that turned out to need others before them. */
  readonly leftOut: readonly LeftOut[];
};

/** A test that goes through twenty times as many places as without the mutant, and a million more, does not end. */
const toRun = ({ file, name, steps }: RecordedTest): TestToRun => ({ file, name, most: steps * 20 + 1_000_000 });

export function openTrials(
  { tests, loading }: Recorded,
  graph: ImportGraph,
  folder: string,
  { open, close, start, patience }: Processes,
): Trials {
  const kills = new Map<string, Map<string, number>>();
  const isSound = new Map<string, boolean>();
  const leftOut: LeftOut[] = [];
  const left = (): readonly RecordedTest[] => tests.filter((test) => isSound.get(getId(test)) !== false);

  function order(file: string, some: readonly RecordedTest[]): readonly RecordedTest[] {
    return orderTests(some, kills.get(file) ?? new Map(), folder);
  }

  function noteKill(file: string, by: TestName | undefined): void {
    if (by === undefined) return;
    const known = kills.get(file) ?? new Map<string, number>();
    kills.set(file, known.set(getId(by), (known.get(getId(by)) ?? 0) + 1));
  }

  async function judge(mutant: Mutant): Promise<Outcome> {
    const warm = order(mutant.file, findWarmTests(mutant, left()));
    const outcome = warm.length > 0 ? await judgeWarm(mutant, warm) : undefined;
    if (outcome !== undefined && outcome.kind !== "survived" && outcome.kind !== "other") return outcome;
    const isLoaded = loading.get(mutant.file)?.has(mutant.place) === true;
    const users = isLoaded ? findUsers(mutant.file, left(), graph, (some) => order(mutant.file, some)) : [];
    const cold = [...new Set([...order(mutant.file, findColdTests(mutant, left())), ...users])];
    if (cold.length === 0) return outcome ?? { kind: "notReached" };
    const fresh = await judgeFresh(mutant, cold);
    return fresh.kind === "survived" && outcome !== undefined ? outcome : fresh;
  }

  async function judgeWarm(mutant: Mutant, warm: readonly RecordedTest[]): Promise<Outcome> {
    const answer = await open().ask({ kind: "try", mutant, tests: warm.map(toRun), again: true }, patience);
    if (answer.kind !== "trial" || answer.verdict !== "unsound") return conclude(mutant, answer);
    await close();
    return judgeFresh(mutant, warm);
  }

  /** What kills in a process of its own must pass alone in another one without the mutant. */
  async function judgeFresh(mutant: Mutant, some: readonly RecordedTest[]): Promise<Outcome> {
    const sound = some.filter((test) => isSound.get(getId(test)) !== false);
    const answer = await askOnce(mutant, sound.map(toRun));
    const by = answer.kind === "trial" && answer.verdict === "killed" ? answer.by : undefined;
    if (by === undefined || (await passesAlone(by))) return conclude(mutant, answer);
    return judgeFresh(mutant, sound);
  }

  async function askOnce(on: Switch | null, some: readonly TestToRun[]): Promise<Answer> {
    const worker = start(on);
    const mutant = on ?? { file: "", number: 0 };
    const answer = await worker.ask({ kind: "try", mutant, tests: some, again: false }, patience);
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

  function conclude({ file }: Mutant, answer: Answer): Outcome {
    switch (answer.kind) {
      case "stuck":
        return { kind: "endless", message: answer.message };
      case "trial":
        if (answer.verdict === "killed") noteKill(file, answer.by);
        return { ...pick(answer), kind: nameVerdict(answer.verdict) };
      default:
        return { kind: "crashed", message: answer.kind === "crashed" ? answer.message : "" };
    }
  }

  return { judge, leftOut };
}

function pick({ by, message }: Trial): Pick<Outcome, "by" | "message"> {
  return { ...(by ? { by } : {}), ...(message === undefined ? {} : { message }) };
}

function nameVerdict(verdict: Trial["verdict"]): OutcomeKind {
  if (verdict === "passed") return "survived";
  // In a process of its own nothing ran before, so that nothing is unsound there.
  return verdict === "unsound" ? "other" : verdict;
}
