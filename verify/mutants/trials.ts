import type { ImportGraph } from "./import-graph.ts";
import type { LeftOut, RecordedTest, Switch, TestName, Trial } from "./messages.ts";
import type { Mutant } from "./mutation.ts";
import type { Recorded } from "./recorder.ts";
import { findColdTests, findUsers, findWarmTests, getId, orderTests } from "./test-order.ts";
import { openFreshTrials, toRun } from "./fresh-trials.ts";
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

export function openTrials(
  { tests, loading }: Recorded,
  graph: ImportGraph,
  folder: string,
  { open, close, start, patience }: Processes,
): Trials {
  const kills = new Map<string, Map<string, number>>();
  const fresh = openFreshTrials(start, patience);
  const left = (): readonly RecordedTest[] => tests.filter(fresh.mayBeSound);

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
    const once = findColdTests(mutant, left());
    // What one test imports while it runs is loaded for all that come later.
    const isLoaded = once.length > 0 || loading.get(mutant.file)?.has(mutant.place) === true;
    const users = isLoaded ? findUsers(mutant.file, left(), graph, (some) => order(mutant.file, some)) : [];
    const cold = [...new Set([...order(mutant.file, once), ...users])];
    if (cold.length === 0) return outcome ?? { kind: "notReached" };
    const last = conclude(mutant, await fresh.ask(mutant, cold));
    return last.kind === "survived" && outcome !== undefined ? outcome : last;
  }

  async function judgeWarm(mutant: Mutant, warm: readonly RecordedTest[]): Promise<Outcome> {
    const answer = await open().ask({ kind: "try", mutant, tests: warm.map(toRun), again: true }, patience);
    if (answer.kind !== "trial" || answer.verdict !== "unsound") return conclude(mutant, answer);
    await close();
    return conclude(mutant, await fresh.ask(mutant, warm));
  }

  function conclude({ file }: Mutant, answer: Answer): Outcome {
    if (answer.kind === "stuck") return { kind: "endless", message: answer.message };
    if (answer.kind !== "trial") return { kind: "crashed", message: answer.kind === "crashed" ? answer.message : "" };
    if (answer.verdict === "killed") noteKill(file, answer.by);
    return { ...pick(answer), kind: nameVerdict(answer.verdict) };
  }

  return { judge, leftOut: fresh.leftOut };
}

function pick({ by, message }: Trial): Pick<Outcome, "by" | "message"> {
  return { ...(by ? { by } : {}), ...(message === undefined ? {} : { message }) };
}

function nameVerdict(verdict: Trial["verdict"]): OutcomeKind {
  if (verdict === "passed") return "survived";
  // In a process of its own nothing ran before, so that nothing is unsound there.
  return verdict === "unsound" ? "other" : verdict;
}
