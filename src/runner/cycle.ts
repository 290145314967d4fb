import pLimit, { type LimitFunction } from "p-limit";
import { buildContext, type Check, type Context } from "../model/check.ts";
import type { Reader, Absence, FoundObject, ReadFailure } from "../model/reader.ts";
import type { ClusterFacts, Release, ReleaseSelector } from "../model/release.ts";
import type { Coverage, CycleFailure, CycleResult } from "../model/report.ts";
import type { Recommendation } from "../model/route.ts";
import type { Version } from "../model/version.ts";
import type { FactsResult } from "./openshift-facts.ts";
import { buildCheckResult, buildReport, type CheckResult } from "./build-report.ts";
import { buildExpectedObjects } from "./expected-objects.ts";
import { gather, type GatherOptions, type ReadStats } from "./gather.ts";
import { type CheckVerdict, findNotApplicableReason } from "./judge.ts";
import { judgeAll, findCoveredRisks } from "./judge-order.ts";
import { MAX_KEPT } from "./list-collector.ts";
import { type OperatorRisks, omitOperatorRisks, type ListedRisk } from "./operator-risks.ts";
import { type ApplicableChecks, gatherPlans } from "./check-plan.ts";
import { createCoverageCounter } from "./coverage.ts";
import { readFacts } from "./cluster-facts.ts";
import { type LeftOutCheck, reportLeftOut } from "./left-out.ts";
import { collectVerdicts, leaveToOthers, type OnBegin, type SeparateResult } from "./separate.ts";
import { findUnsupportedSkew } from "./skew.ts";
import { defined } from "../model/optional.ts";
import { redactText } from "../model/secrets/redact-text.ts";
import { toVisible } from "../model/visible-text.ts";
import { buildResourcePath } from "../model/resource.ts";

/** The target before anything is known about the cluster. */
export type CycleTarget =
  | {
      readonly kind: "read";
      /** Absent if the target has no version of its own: the cluster's version then counts. */
      readonly version?: Version;
      readonly select: ReleaseSelector;
      /** What the update service says of the update, if the target was looked up there. */
      readonly recommendation?: Recommendation;
    }
  | { readonly kind: "failed"; readonly failure: CycleFailure; readonly version?: Version };

export type CycleInput = {
  readonly checks: readonly Check[];
  /** The checks that the user left out: those that apply to the update are reported as unknown. */
  readonly leftOut?: readonly LeftOutCheck[];
  readonly reader: Reader;
  readonly target: CycleTarget;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** How many reads may run at the same time. */
  readonly concurrency: number;
  /** Milliseconds for one read, and for the whole cycle. */
  readonly checkTimeout: number;
  readonly cycleTimeout: number;
  /** "show" by default. */
  readonly operatorRisks?: OperatorRisks;
  /** The facts to assume instead of those that were read: those after an update that is still to be done. */
  readonly assumeFacts?: (facts: ClusterFacts) => ClusterFacts;
  readonly onRead?: (stats: ReadStats) => void;
  /** How many objects of a kind one read may keep. */
  readonly maxKept?: number;
  /** What another process found, by the check's id: these checks are neither read for nor judged. */
  readonly separate?: ReadonlyMap<string, SeparateResult>;
  readonly onBegin?: OnBegin;
};

/** The same for several targets. */
export type CyclesInput = Omit<CycleInput, "target"> & { readonly targets: readonly CycleTarget[] };

/** Performs the reads that the checks declare, evaluates the checks and builds the report. Failures are values; nothing is written. */
export async function runCycle({ target, ...input }: CycleInput): Promise<CycleResult> {
  const [result] = await runCycles({ ...input, targets: [target] });
  if (result === undefined) throw new Error("a cycle has a result for each target");
  return result;
}

/** Reads the cluster once for all targets; resolves with a result for each, in their order. */
export async function runCycles(input: CyclesInput): Promise<readonly CycleResult[]> {
  const { updates, clusterId, coverage } = await judgeUpdates(input);
  const leftOut = input.leftOut ?? [];
  const built = updates.map((update): CycleResult => {
    if (update.kind === "failed") return update;
    const { context, results } = update;
    const notRun = leftOut.map((check) => reportLeftOut(check, context));
    const report = buildReport(results, notRun, context, input.now, coverage);
    return { kind: "completed", report: { ...report, ...defined({ clusterId }) } };
  });
  // Here for every output, so that all of them name an object in the same way, and acceptances and comparisons know it by that name.
  return toVisible(built);
}

/** The results of these checks alone, as if the others ran too. */
export async function runSeparately(ids: readonly string[], { target, ...input }: CycleInput): Promise<SeparateRun> {
  const separate = leaveToOthers(input.checks, ids);
  const { updates } = await judgeUpdates({ ...input, separate, targets: [target] });
  const [update] = updates;
  if (update === undefined || update.kind === "failed") return update ?? { kind: "judged", results: new Map() };
  const results = update.results.flatMap((result) => (ids.includes(result.report.id) ? [result] : []));
  return { kind: "judged", results: new Map(results.map((result) => [result.report.id, result])) };
}

export type FailedCycle = Extract<CycleResult, { readonly kind: "failed" }>;
type SeparateRun = FailedCycle | { readonly kind: "judged"; readonly results: ReadonlyMap<string, CheckResult> };

/** What the checks say of each update. */
type JudgedUpdates = {
  readonly updates: readonly (
    | FailedCycle
    | { readonly kind: "judged"; readonly context: Context; readonly results: readonly CheckResult[] }
  )[];
  readonly clusterId: string | undefined;
  readonly coverage: Coverage;
};

async function judgeUpdates(input: CyclesInput): Promise<JudgedUpdates> {
  const coverage = createCoverageCounter();
  const options = createGatherOptions(input, coverage.onRead);
  const readResult = await readFacts((reads) => gather(reads, options));
  const facts = assume(readResult, input.assumeFacts);
  const prepared = input.targets.map((target) => prepareUpdate(target, readResult, facts, input.now));
  const contexts = prepared.flatMap((one) => (one.kind === "ready" ? [one.context] : []));
  const listedRisks = input.operatorRisks === "leave" && facts.kind === "known" ? facts.listedRisks : [];
  const expected = facts.kind === "known" ? { expectedObjects: buildExpectedObjects(facts.platform) } : {};
  const results = await runChecks(input, listedRisks, contexts, { ...options, ...expected });
  return {
    updates: prepared.map((one) =>
      one.kind === "failed"
        ? one
        : { kind: "judged", context: one.context, results: results[contexts.indexOf(one.context)] ?? [] },
    ),
    clusterId: facts.kind === "known" ? facts.clusterId : undefined,
    coverage: coverage.total(),
  };
}

type PreparedUpdate = { readonly kind: "ready"; readonly context: Context } | FailedCycle;

/** Selects the release for the cluster, or says why nothing can be checked against it. */
function prepareUpdate(target: CycleTarget, readResult: FactsResult, facts: FactsResult, now: Date): PreparedUpdate {
  const source = facts.kind === "known" ? facts.facts.version : undefined;
  const fail = (failure: CycleFailure): PreparedUpdate => ({
    kind: "failed",
    failure: { ...failure, message: redactText(failure.message) },
    observedAt: now,
    ...defined({ source, target: target.version }),
  });
  if (target.kind === "failed") return fail(target.failure);
  if (facts.kind === "failed") return fail(facts.failure);
  const { platform } = facts;
  const skew = findUnsupportedSkew(facts.facts.version, target.version ?? facts.facts.version, platform);
  if (skew) return fail(skew);
  const release = addFactProblems(target.select(facts.facts), facts);
  const running = findRunningVersion(readResult, facts.facts.version);
  const { recommendation } = target;
  const context = buildContext(facts.facts.version, release, now, platform);
  return { kind: "ready", context: { ...context, ...defined({ running, recommendation }) } };
}

function assume(result: FactsResult, assumeFacts: CycleInput["assumeFacts"]): FactsResult {
  return result.kind === "failed" || assumeFacts === undefined
    ? result
    : { ...result, facts: assumeFacts(result.facts) };
}

/** The version that the cluster runs, if another one is assumed. */
function findRunningVersion(read: FactsResult, assumed: Version): Version | undefined {
  return read.kind === "failed" || read.facts.version.text === assumed.text ? undefined : read.facts.version;
}

function createGatherOptions(input: CyclesInput, onRead: (stats: ReadStats) => void): GatherOptions {
  const limit: LimitFunction = pLimit(input.concurrency);
  const signal = AbortSignal.any([input.signal, AbortSignal.timeout(input.cycleTimeout)]);
  const notify = (stats: ReadStats): void => {
    onRead(stats);
    input.onRead?.(stats);
  };
  return {
    reader: createCachingReader(input.reader),
    limit,
    signal,
    timeout: input.checkTimeout,
    onRead: notify,
    maxKept: input.maxKept ?? MAX_KEPT,
  };
}

/** If the facts that decide on inclusion can't be read, neither can the manifests that apply: as with an unreadable file. */
function addFactProblems(release: Release, facts: Extract<FactsResult, { kind: "known" }>): Release {
  return { ...release, problems: [...facts.problems, ...release.problems] };
}

/** The results of all checks for each update, whose reads are shared. */
async function runChecks(
  { checks, separate = new Map(), onBegin = () => {} }: CyclesInput,
  listedRisks: readonly ListedRisk[],
  updates: readonly Context[],
  options: GatherOptions,
): Promise<readonly (readonly CheckResult[])[]> {
  const selections = updates.map((context) => selectApplicable(checks, context));
  const here = selections.map((one) => ({ ...one, checks: one.checks.filter(({ id }) => !separate.has(id)) }));
  const { plans, gathered } = await gatherPlans(here, options, onBegin);
  const results = selections.map(({ context, checks: applicable, reasons }, i) => {
    const listed = listedRisks.filter(({ version }) => version === context.target.text);
    const built = new Map<Check, CheckResult>();
    const onVerdict = (check: Check, { outcome, noticedRisks, judged }: CheckVerdict): void => {
      const result = buildCheckResult(check, omitOperatorRisks(check, outcome, listed), context, judged);
      built.set(check, { ...result, ...defined({ noticedRisks }) });
    };
    const known = collectVerdicts(applicable, separate);
    for (const [check, verdict] of known) {
      const elsewhere = separate.get(check.id);
      if (elsewhere?.kind === "judged") built.set(check, elsewhere.result);
      else onVerdict(check, verdict);
    }
    judgeAll({ plans: plans[i] ?? [], known, gathered, context, onBegin, onVerdict });
    const buildNotApplicable = (check: Check): CheckResult =>
      buildCheckResult(check, { kind: "notApplicable", reason: reasons.get(check) ?? "" }, context);
    return checks.map((check) => built.get(check) ?? buildNotApplicable(check));
  });
  onBegin([]);
  return results;
}

/** The checks that apply to an update, and why the others do not. */
function selectApplicable(
  checks: readonly Check[],
  base: Context,
): ApplicableChecks & { readonly reasons: ReadonlyMap<Check, string | undefined> } {
  const reasons = new Map(checks.map((check) => [check, findNotApplicableReason(check, base)]));
  const applicable = checks.filter((check) => reasons.get(check) === undefined);
  const coveredRisks = findCoveredRisks(applicable, base);
  const context = { ...base, checks: applicable.map(({ id }) => id), coveredRisks };
  return { context, checks: applicable, reasons };
}

/** A reader for one cycle, which requests an object with several readers (ClusterVersion) once. */
function createCachingReader(shared: Reader): Reader {
  const reader = shared.forCycle?.() ?? shared;
  const results = new Map<string, Promise<FoundObject | Absence | ReadFailure>>();
  const get: Reader["get"] = (place, signal) => {
    const path = buildResourcePath(place.resource, place.namespace, place.name);
    const result = results.get(path) ?? reader.get(place, signal);
    results.set(path, result);
    return result;
  };
  return { get, list: reader.list, raw: reader.raw };
}
