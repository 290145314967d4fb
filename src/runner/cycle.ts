import pLimit, { type LimitFunction } from "p-limit";
import type { Check, Context } from "../model/check.ts";
import { contextOf } from "../model/context.ts";
import { byText } from "../model/json.ts";
import type { Reader } from "../model/reader.ts";
import type { Release, SelectRelease } from "../model/release.ts";
import type { CheckReport, Coverage, CycleResult, Failure, Outcome, Report, ReportRisk } from "../model/report.ts";
import type { Version } from "../model/version.ts";
import type { Facts } from "./facts.ts";
import { gather, type GatherTools, type ReadEnd } from "./gather.ts";
import { judge, whyNotApplicable } from "./judge.ts";
import { type Lifted, whyLeft, withoutLifted } from "./lifted.ts";
import { gatherPlans, planOf } from "./plan.ts";
import { readingOnce } from "./once.ts";
import { readFacts } from "./read-facts.ts";
import { risksOf } from "./risks.ts";
import { unsupportedSkew } from "./skew.ts";

/** The target as far as it is known before the cluster is. */
export type Target =
  | {
      readonly kind: "read";
      /** Absent where the target has none of its own: it is the cluster's then. */
      readonly version?: Version;
      readonly select: SelectRelease;
    }
  | { readonly kind: "failed"; readonly failure: Failure; readonly version?: Version };

export type CycleInput = {
  readonly checks: readonly Check[];
  readonly reader: Reader;
  readonly target: Target;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** Reads at one time. */
  readonly concurrency: number;
  /** Milliseconds for one check's read, and for all of the cycle. */
  readonly checkTimeout: number;
  readonly cycleTimeout: number;
  /** Shown, unless it is said. */
  readonly lifted?: Lifted;
  readonly onRead?: (end: ReadEnd) => void;
};

/** Reads what the checks declare, judges it and says what it found. Failures are values; nothing is written anywhere. */
export async function runCycle(input: CycleInput): Promise<CycleResult> {
  const { target, now } = input;
  const seen = coverage();
  const tools = gatherTools(input, seen.onRead);
  const facts = await readFacts((reads) => gather(reads, tools));
  const known = facts.kind === "known" ? { source: facts.facts.version } : {};
  const fail = (failure: Failure): CycleResult => ({
    kind: "failed",
    failure,
    observedAt: now,
    ...known,
    ...(target.version ? { target: target.version } : {}),
  });
  if (target.kind === "failed") return fail(target.failure);
  if (facts.kind === "failed") return fail(facts.failure);
  const { platform } = facts;
  const skew = unsupportedSkew(facts.facts.version, target.version ?? facts.facts.version, platform);
  if (skew) return fail(skew);
  const release = withProblems(target.select(facts.facts), facts);
  const context = contextOf(facts.facts.version, release, now, platform);
  const checked = await runChecks(input, context, tools);
  return { kind: "completed", report: reportOf(checked, context, now, seen.total()) };
}

function gatherTools(input: CycleInput, onRead: (end: ReadEnd) => void): GatherTools {
  const limit: LimitFunction = pLimit(input.concurrency);
  const signal = AbortSignal.any([input.signal, AbortSignal.timeout(input.cycleTimeout)]);
  const tell = (end: ReadEnd): void => {
    onRead(end);
    input.onRead?.(end);
  };
  return { reader: readingOnce(input.reader), limit, signal, timeout: input.checkTimeout, onRead: tell };
}

/** What hides the cluster's own side of the inclusion hides which manifests apply, like a bad file does. */
function withProblems(release: Release, facts: Extract<Facts, { kind: "known" }>): Release {
  return { ...release, problems: [...facts.problems, ...release.problems] };
}

type Checked = { readonly report: CheckReport; readonly risks: readonly ReportRisk[] };

async function runChecks(
  { checks, lifted }: CycleInput,
  known: Context,
  tools: GatherTools,
): Promise<readonly Checked[]> {
  const leaves = lifted === "leave";
  const why = (check: Check) => whyNotApplicable(check, known) ?? (leaves ? whyLeft(check, known) : undefined);
  const reasons = new Map(checks.map((check) => [check, why(check)]));
  const applicable = checks.filter((check) => reasons.get(check) === undefined);
  const context = { ...known, checks: applicable.map(({ id }) => id) };
  const { plans, gathered } = await gatherPlans(applicable.map(planOf), context, tools);
  const outcomes = new Map(plans.map((plan) => [plan.check, judge(plan, gathered, context)]));
  return checks.map((check) => {
    const judged = outcomes.get(check) ?? { kind: "notApplicable", reason: reasons.get(check) ?? "" };
    const outcome = leaves ? withoutLifted(check, judged, context) : judged;
    return checkedOf(check, outcome, context);
  });
}

function checkedOf(check: Check, outcome: Outcome, context: Context): Checked {
  const { id, name, title } = check;
  return { report: { id, name, title, outcome }, risks: risksOf(check, outcome, context) };
}

function reportOf(checked: readonly Checked[], context: Context, observedAt: Date, seen: Coverage): Report {
  const { source, target, release } = context;
  return {
    source,
    target,
    ...(release.crdFolder === undefined ? {} : { crdFolder: release.crdFolder }),
    ...(release.image === undefined ? {} : { image: release.image }),
    digest: release.digest,
    observedAt,
    checks: checked.map(({ report }) => report).toSorted((a, b) => byText(a.id, b.id)),
    risks: checked.flatMap(({ risks }) => risks).toSorted((a, b) => byText(a.name, b.name)),
    coverage: seen,
  };
}

function coverage(): { readonly onRead: (end: ReadEnd) => void; readonly total: () => Coverage } {
  const kinds = new Set<string>();
  let [objects, bytes] = [0, 0];
  const onRead = (end: ReadEnd): void => {
    if (end.kind !== undefined) kinds.add(end.kind);
    objects += end.objects;
    bytes += end.bytes;
  };
  return { onRead, total: () => ({ kinds: kinds.size, objects, bytes }) };
}
