import pLimit, { type LimitFunction } from "p-limit";
import type { Check } from "../model/check.ts";
import { defined } from "../model/optional.ts";
import type { Reader, Absence, FoundObject, ReadFailure } from "../model/reader.ts";
import type { Coverage, CycleResult } from "../model/report.ts";
import { buildResourcePath } from "../model/resource.ts";
import type { Sleep } from "../model/sleep.ts";
import { toVisible } from "../model/visible-text.ts";
import { readFacts } from "./facts/cluster-facts.ts";
import type { ListedRisk } from "./facts/listed-risks.ts";
import { createCoverageCounter } from "./gather/coverage.ts";
import { gatherPlans } from "./gather/gather-plans.ts";
import { gather, type GatherOptions, type ReadStats } from "./gather/gather.ts";
import { MAX_KEPT } from "./gather/list-collector.ts";
import { createOwnerIndex, type OwnerIndex } from "./gather/owner-index.ts";
import { limitSilence, startTimeLimit, systemSleep } from "./gather/silence.ts";
import { judgeAll } from "./judge/judge-order.ts";
import type { CheckVerdict } from "./judge/judge.ts";
import { createCodeRunner, type LimitWork, startNoWorkLimit, type StartWorkLimit } from "./plan/check-code.ts";
import { buildCheckResult, buildReport, type CheckResult } from "./report/build-report.ts";
import { reportLeftOut } from "./report/left-out.ts";
import { type OperatorRisks, omitOperatorRisks } from "./report/operator-risks.ts";
import { collectVerdicts, type Isolation, NO_ISOLATION } from "./separate.ts";
import { findNotApplicableReason, selectApplicable } from "./updates/applicable-checks.ts";
import {
  addFoundChecks,
  assume,
  type AssumeFacts,
  type CycleQuestion,
  type CycleTarget,
  type FailedCycle,
  type FindChecks,
  type FoundChecks,
  type LeftOutCheck,
  prepareUpdate,
  type ReadyUpdate,
  type UpdateChecks,
} from "./updates/prepare-update.ts";

export type CycleInput = CycleQuestion & {
  readonly checks: readonly Check[];
  /** The checks that the user left out: those that apply to the update are reported as unknown. */
  readonly leftOut?: readonly LeftOutCheck[];
  readonly findChecks?: FindChecks;
  readonly reader: Reader;
  readonly target: CycleTarget;
  readonly signal: AbortSignal;
  /** How many reads may run at the same time. */
  readonly concurrency: number;
  /** Milliseconds for which nothing may arrive for a read, and for the whole cycle. */
  readonly checkTimeout: number;
  readonly cycleTimeout: number;
  /** The system's by default. */
  readonly sleep?: Sleep;
  /** "show" by default. */
  readonly operatorRisks?: OperatorRisks;
  readonly assumeFacts?: AssumeFacts;
  readonly onRead?: (stats: ReadStats) => void;
  /** How many objects of a kind one read may keep. */
  readonly maxKept?: number;
  readonly isolation?: Isolation;
  /** Without it, the code of a check is not ended. */
  readonly startWorkLimit?: StartWorkLimit;
};

/** The same for several targets. */
export type CyclesInput = Omit<CycleInput, "target"> & { readonly targets: readonly CycleTarget[] };

/** A cycle without its targets. */
export type CycleBase = Omit<CyclesInput, "targets">;

/** Performs the reads that the checks declare, evaluates the checks and builds the report. Failures are values; nothing is written. */
export async function runCycle({ target, ...input }: CycleInput): Promise<CycleResult> {
  const [result] = await runCycles({ ...input, targets: [target] });
  if (result === undefined) throw new Error("a cycle has a result for each target");
  return result;
}

/** Reads the cluster once for all targets; resolves with a result for each, in their order. */
export async function runCycles(input: CyclesInput): Promise<readonly CycleResult[]> {
  const { updates, clusterId, coverage } = await judgeUpdates(input);
  const built = updates.map((update): CycleResult => {
    if (update.kind === "failed") return update;
    const { results, leftOut } = update;
    const notRun = leftOut.map((check) => reportLeftOut(check, update.context));
    const report = buildReport(results, notRun, update, input.now, coverage);
    return { kind: "completed", report: { ...report, ...defined({ clusterId }) } };
  });
  // Here for every output, so that all of them name an object in the same way, and acceptances and comparisons know it by that name.
  return toVisible(built);
}

/** What the checks say of each update. */
type JudgedUpdates = {
  readonly updates: readonly (
    | FailedCycle
    | ({ readonly kind: "judged"; readonly results: readonly CheckResult[] } & Pick<
        ReadyUpdate,
        "context" | "minorsBetween"
      > &
        Pick<FoundChecks, "leftOut">)
  )[];
  readonly clusterId: string | undefined;
  readonly coverage: Coverage;
};

async function judgeUpdates(input: CyclesInput): Promise<JudgedUpdates> {
  const limit = startTimeLimit(input.cycleTimeout, input.sleep ?? systemSleep);
  try {
    return await judgeInTime({ ...input, signal: AbortSignal.any([input.signal, limit.signal]) });
  } finally {
    limit.end();
  }
}

async function judgeInTime(input: CyclesInput): Promise<JudgedUpdates> {
  const limitWork = (input.startWorkLimit ?? startNoWorkLimit)(input);
  const coverage = createCoverageCounter();
  const owners = createOwnerIndex();
  const options = { ...createGatherOptions(input, coverage.onRead), owners };
  const readResult = await readFacts((reads) => gather(reads, options));
  const facts = assume(readResult, input.assumeFacts);
  const prepared = input.targets.map((target) => prepareUpdate(target, readResult, facts, input));
  const ready = prepared.flatMap((one) => (one.kind === "ready" ? [one] : []));
  const { checks, leftOut = [], findChecks } = input;
  const updates = await Promise.all(ready.map((one) => addFoundChecks(one, { checks, leftOut }, findChecks, options)));
  const listedRisks = input.operatorRisks === "leave" && facts.kind === "known" ? facts.listedRisks : [];
  const platform = facts.kind === "known" ? { platform: facts.platform } : {};
  const results = await runChecks(updates, listedRisks, { ...input, limitWork }, { ...options, ...platform });
  return {
    updates: prepared.map((one) => {
      if (one.kind === "failed") return one;
      const i = ready.indexOf(one);
      return { ...one, kind: "judged", results: results[i] ?? [], leftOut: updates[i]?.leftOut ?? [] };
    }),
    clusterId: facts.kind === "known" ? facts.clusterId : undefined,
    coverage: coverage.total(),
  };
}

function createGatherOptions(input: CyclesInput, onRead: (stats: ReadStats) => void): GatherOptions {
  const limit: LimitFunction = pLimit(input.concurrency);
  const reader = input.reader.forCycle?.() ?? input.reader;
  const notify = (stats: ReadStats): void => {
    onRead(stats);
    input.onRead?.(stats);
  };
  return {
    reader: createCachingReader(
      limitSilence(reader, { timeout: input.checkTimeout, sleep: input.sleep ?? systemSleep }),
    ),
    limit,
    signal: input.signal,
    onRead: notify,
    maxKept: input.maxKept ?? MAX_KEPT,
  };
}

type RunOptions = Pick<CycleInput, "isolation"> & { readonly limitWork: LimitWork };

/** The results of all checks for each update, whose reads are shared. */
async function runChecks(
  updates: readonly UpdateChecks[],
  listedRisks: readonly ListedRisk[],
  { isolation = NO_ISOLATION, limitWork }: RunOptions,
  options: GatherOptions & { readonly owners: OwnerIndex },
): Promise<readonly (readonly CheckResult[])[]> {
  const { onBegin } = isolation;
  const runCode = createCodeRunner(onBegin, limitWork);
  const selections = updates.map((update) => {
    const selected = selectApplicable(update);
    return { ...selected, all: update.checks, elsewhere: isolation.takeKnown(selected) };
  });
  const here = selections.map((one) => ({ ...one, checks: one.checks.filter(({ id }) => !one.elsewhere.has(id)) }));
  const { plans, gathered } = await gatherPlans(here, options, onBegin, runCode);
  const results = selections.map(({ context, checks: applicable, all, elsewhere }) => {
    const listed = listedRisks.filter(({ version }) => version === context.target.text);
    const built = new Map<Check, CheckResult>();
    const build = (check: Check, { outcome, noticedRisks, judged }: CheckVerdict): void => {
      const shown = omitOperatorRisks(check, outcome, listed);
      const result = buildCheckResult(check, shown, context, { owners: options.owners, ...defined({ judged }) });
      built.set(check, { ...result, ...defined({ noticedRisks }) });
    };
    const known = collectVerdicts(applicable, elsewhere);
    for (const [check, verdict] of known) {
      const one = elsewhere.get(check.id);
      if (one?.kind === "judged") built.set(check, one.result);
      else build(check, verdict);
    }
    const own = plans.filter((plan) => plan.context === context);
    for (const [check, verdict] of judgeAll({ plans: own, known, gathered, context, runCode })) build(check, verdict);
    const buildNotApplicable = (check: Check): CheckResult => {
      const reason = findNotApplicableReason(check, context) ?? "";
      return buildCheckResult(check, { kind: "notApplicable", reason }, context);
    };
    const ofUpdate = all.map((check) => built.get(check) ?? buildNotApplicable(check));
    isolation.onJudged(context, ofUpdate);
    return ofUpdate;
  });
  onBegin([]);
  return results;
}

/** A reader for one cycle, which requests an object with several readers (ClusterVersion) once. */
function createCachingReader(reader: Reader): Reader {
  const results = new Map<string, Promise<FoundObject | Absence | ReadFailure>>();
  const get: Reader["get"] = (place, signal) => {
    const path = buildResourcePath(place.resource, place.namespace, place.name);
    const result = results.get(path) ?? reader.get(place, signal);
    results.set(path, result);
    return result;
  };
  return { get, list: reader.list, raw: reader.raw, ...defined({ query: reader.query }) };
}
