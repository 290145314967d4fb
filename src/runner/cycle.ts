import pLimit, { type LimitFunction } from "p-limit";
import { buildContext, type Check, type Context } from "../model/check.ts";
import { compareText } from "../model/json.ts";
import type { Reader } from "../model/reader.ts";
import type { ClusterFacts, Release, ReleaseSelector } from "../model/release.ts";
import type { CheckReport, Coverage, CycleResult, CycleFailure, Outcome, Report, ReportRisk } from "../model/report.ts";
import type { Recommendation } from "../model/route.ts";
import type { Version } from "../model/version.ts";
import type { FactsResult } from "./openshift-facts.ts";
import { buildExpectedObjects } from "./expected-objects.ts";
import { gather, type GatherOptions, type ReadStats } from "./gather.ts";
import { findNotApplicableReason } from "./judge.ts";
import { judgeAll, findCoveredRisks } from "./judge-order.ts";
import { MAX_KEPT } from "./list-collector.ts";
import { type OperatorRisks, omitOperatorRisks, type ListedRisk } from "./operator-risks.ts";
import { addCommands } from "./commands.ts";
import { createCachingReader } from "./caching-reader.ts";
import { type ApplicableChecks, gatherPlans } from "./check-plan.ts";
import { createCoverageCounter } from "./coverage.ts";
import { readFacts } from "./cluster-facts.ts";
import { type LeftOutCheck, reportLeftOut } from "./left-out.ts";
import { buildRisks } from "./risks.ts";
import { buildUnseenRisks } from "./unseen-risks.ts";
import { redactOutcome, redactRisk, redactVerification } from "./redact-report.ts";
import { findUnsupportedSkew } from "./skew.ts";
import { defined } from "../model/optional.ts";
import { redactText } from "../model/secrets/redact-text.ts";
import { collectUnseen } from "../model/unseen.ts";
import { toVisible } from "../model/visible-text.ts";

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
  const coverage = createCoverageCounter();
  const options = createGatherOptions(input, coverage.onRead);
  const readResult = await readFacts((reads) => gather(reads, options));
  const facts = assume(readResult, input.assumeFacts);
  const prepared = input.targets.map((target) => prepareUpdate(target, readResult, facts, input.now));
  const updates = prepared.flatMap((one) => (one.kind === "ready" ? [one.context] : []));
  const listedRisks = input.operatorRisks === "leave" && facts.kind === "known" ? facts.listedRisks : [];
  const expected = facts.kind === "known" ? { expectedObjects: buildExpectedObjects(facts.platform) } : {};
  const results = await runChecks(input.checks, listedRisks, updates, { ...options, ...expected });
  const leftOut = input.leftOut ?? [];
  const clusterId = facts.kind === "known" ? facts.clusterId : undefined;
  const built = prepared.map((one): CycleResult => {
    if (one.kind === "failed") return one;
    const ofUpdate = results[updates.indexOf(one.context)] ?? [];
    const notRun = leftOut.map((check) => reportLeftOut(check, one.context));
    const report = buildReport(ofUpdate, notRun, one.context, input.now, coverage.total());
    return { kind: "completed", report: { ...report, ...defined({ clusterId }) } };
  });
  // Here for every output, so that all of them name an object in the same way, and acceptances and comparisons know it by that name.
  return toVisible(built);
}

type PreparedUpdate =
  | { readonly kind: "ready"; readonly context: Context }
  | Extract<CycleResult, { readonly kind: "failed" }>;

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

type CheckResult = { readonly report: CheckReport; readonly risks: readonly ReportRisk[] };

/** The results of all checks for each update, whose reads are shared. */
async function runChecks(
  checks: readonly Check[],
  listedRisks: readonly ListedRisk[],
  updates: readonly Context[],
  options: GatherOptions,
): Promise<readonly (readonly CheckResult[])[]> {
  const selections = updates.map((context) => selectApplicable(checks, context));
  const { plans, gathered } = await gatherPlans(selections, options);
  return selections.map(({ context, reasons }, i) => {
    const outcomes = judgeAll(plans[i] ?? [], gathered, context);
    const listed = listedRisks.filter(({ version }) => version === context.target.text);
    return checks.map((check) => {
      const fullOutcome = outcomes.get(check) ?? { kind: "notApplicable", reason: reasons.get(check) ?? "" };
      return buildCheckResult(check, omitOperatorRisks(check, fullOutcome, listed), context);
    });
  });
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

function buildCheckResult(check: Check, outcome: Outcome, context: Context): CheckResult {
  const { id, name, title } = check;
  const { outcome: limited, omittedFindings } = limitOutcome(outcome);
  return {
    report: {
      id,
      name,
      title,
      outcome: redactOutcome(addCommands(check, limited, context)),
      ...defined({ omittedFindings }),
    },
    risks: buildRisks(check, outcome, context).map(redactRisk),
  };
}

/** Findings and unknowns of one check in a report; the risks' texts count all of them. */
const MAX_FINDINGS = 10_000;

function limitOutcome(outcome: Outcome): { readonly outcome: Outcome; readonly omittedFindings?: number } {
  if (outcome.kind !== "risk" && outcome.kind !== "unknown") return { outcome };
  const findings = outcome.findings.slice(0, MAX_FINDINGS);
  const counted = Object.values(outcome.omittedFindings ?? {}).reduce((sum, count) => sum + count, 0);
  const omitted = outcome.findings.length - findings.length + counted;
  const limited =
    outcome.kind === "risk"
      ? { ...outcome, findings }
      : { ...outcome, findings, unknowns: outcome.unknowns.slice(0, MAX_FINDINGS) };
  return { outcome: limited, ...(omitted > 0 ? { omittedFindings: omitted } : {}) };
}

function buildReport(
  results: readonly CheckResult[],
  notRun: readonly CheckReport[],
  context: Context,
  observedAt: Date,
  coverage: Coverage,
): Report {
  const { source, target, release } = context;
  const checks = [...results.map(({ report }) => report), ...notRun].toSorted((a, b) => compareText(a.id, b.id));
  const unseen = collectUnseen({ checks, source, target });
  const risks = [...results.flatMap((result) => result.risks), ...buildUnseenRisks(unseen, context)];
  return {
    source,
    target,
    ...defined({
      crdFolder: release.crdFolder,
      image: release.image,
      imageVerification: redactVerification(release.imageVerification),
    }),
    digest: release.digest,
    observedAt,
    checks,
    risks: risks.toSorted((a, b) => compareText(a.name, b.name)),
    unseen,
    coverage,
  };
}
