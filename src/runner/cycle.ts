import type { Reader } from "../model/reader.ts";
import type { CycleResult } from "../model/report.ts";
import { toVisible } from "../model/visible-text.ts";
import { readFacts, readFactsOfHalves } from "./facts/cluster-facts.ts";
import type { ListedRisk } from "./facts/openshift-facts.ts";
import type { CycleLimits, CycleProgress, Gathering } from "./gather/gathering.ts";
import { openGathering, startTimeLimit, systemSleep } from "./gather/gathering.ts";
import { gatherPlans } from "./gather/gather-plans.ts";
import { gather } from "./gather/gather.ts";
import type { Isolation, UpdateToJudge } from "./isolation.ts";
import { judgeAll } from "./judge/judge.ts";
import { buildCheckResult, buildReport, type CheckResult } from "./report/build-report.ts";
import { type CycleSelection, type CycleTarget, prepareUpdate } from "./updates/update.ts";

export type CycleInput = {
  readonly selection: CycleSelection;
  readonly reader: Reader;
  readonly target: CycleTarget;
  readonly now: Date;
  readonly signal: AbortSignal;
  readonly limits: CycleLimits;
  readonly progress?: CycleProgress;
  readonly isolation?: Isolation;
};

/** A cycle without its targets. */
export type CycleBase = Omit<CycleInput, "target">;

/** The same for several targets. */
export type CyclesInput = CycleBase & { readonly targets: readonly CycleTarget[] };

/** Performs the reads that the checks declare, evaluates the checks and builds the report. Failures are values; nothing is written. */
export async function runCycle({ target, ...input }: CycleInput): Promise<CycleResult> {
  const [result] = await runCycles({ ...input, targets: [target] });
  if (result === undefined) throw new Error("a cycle has a result for each target");
  return result;
}

/** Reads the cluster once for all targets; resolves with a result for each, in their order. */
export async function runCycles(input: CyclesInput): Promise<readonly CycleResult[]> {
  const { cycleTimeout, sleep = systemSleep } = input.limits;
  const limit = startTimeLimit(cycleTimeout, sleep);
  try {
    const results = await runInTime({ ...input, signal: AbortSignal.any([input.signal, limit.signal]) });
    // Here for every output, so that all of them name an object in the same way, and acceptances and comparisons know it by that name.
    return toVisible(results);
  } finally {
    limit.end();
  }
}

async function runInTime(input: CyclesInput): Promise<readonly CycleResult[]> {
  const { selection, now, targets, isolation = (judge) => judge } = input;
  const gathering = openGathering(input);
  const read = gathering.reader.management === undefined ? readFacts : readFactsOfHalves;
  const facts = await read((reads) => gather(reads, gathering));
  const options = { ...gathering, selection, now };
  const prepared = await Promise.all(targets.map((target) => prepareUpdate(target, facts, options)));
  const updates = prepared.filter((one) => one.kind === "ready");
  const known = facts.kind === "known" ? facts : undefined;
  const listedRisks = selection.operatorRisks === "leave" ? (known?.listedRisks ?? []) : [];
  const results = await isolation((given) => judgeUpdates(given, gathering, listedRisks))(updates);
  const cluster = { coverage: gathering.getCoverage(), clusterId: known?.clusterId };
  return prepared.map((one) => {
    if (one.kind === "failed") return one;
    return { kind: "completed", report: buildReport(one, results[updates.indexOf(one)] ?? [], cluster) };
  });
}

/** The results of the checks of all updates, whose reads are shared. */
async function judgeUpdates(
  updates: readonly UpdateToJudge[],
  gathering: Gathering,
  listedRisks: readonly ListedRisk[],
): Promise<readonly (readonly CheckResult[])[]> {
  const { runCode, owners, onBegin } = gathering;
  const { plans, gathered } = await gatherPlans(updates, gathering);
  const results = updates.map((update) => {
    const own = plans.filter(({ context }) => context === update.context);
    const reported = { context: update.context, owners, listedRisks };
    return judgeAll({ ...update, plans: own, gathered, runCode }, (check, verdict) =>
      buildCheckResult(check, verdict, reported),
    );
  });
  onBegin([]);
  return results;
}
