import type { Check, Context, Finding, Judgement, Unknown } from "../../model/check.ts";
import { sortFindings } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import type { Gathered, Reads } from "../../model/read.ts";
import { type CheckReport, type Outcome, findingsOf } from "../../model/report.ts";
import { buildRefKey, formatRef } from "../../model/resource.ts";
import { type CoveredRisk, withSpecial } from "../../model/special-check.ts";
import { sortNames, summarizeNames } from "../../model/text.ts";
import { LAST_KNOWN_RELEASE, formatMinor, formatReleaseOf, getKubernetesMinor } from "../../model/version.ts";
import { type RunCode, attempt } from "../plan/check-code.ts";
import type { CheckPlan } from "../plan/check-plan.ts";
import { collectValues, findGapUnknowns, findReadUnknowns, isUnknownList, selectValues } from "../plan/check-plan.ts";

type JudgeInput = {
  readonly plans: readonly CheckPlan[];
  /** The verdicts of checks without a plan, from other processes, by the check's id. */
  readonly known?: ReadonlyMap<string, CheckVerdict>;
  readonly gathered: Gathered;
  readonly context: Context;
  readonly runCode: RunCode;
};

/**
 * Judges all plans, one at a time, and gives what `finish` makes of each verdict. A check that is judged last receives what all before it reported, those that are judged last included,
 * and what the others say of the risks that they cover.
 */
export function judgeAll<T>(input: JudgeInput, finish: (check: Check, verdict: CheckVerdict) => T): readonly T[] {
  const { plans, known, gathered, context, runCode } = input;
  const verdicts = new Map(known);
  const judgeEach = (some: readonly CheckPlan[], see: () => Context): readonly T[] => {
    const end = ({ check }: CheckPlan, verdict: CheckVerdict): T => {
      verdicts.set(check.id, { ...verdict, ...limitOutcome(check, verdict.outcome) });
      return finish(check, verdict);
    };
    return runCode(some, (plan) => end(plan, judge(plan, gathered, see()))).map(([plan, work]) =>
      work.kind === "done" ? work.value : end(plan, { outcome: buildUnknownOutcome([work.unknown]) }),
    );
  };
  const first = judgeEach(
    plans.filter(({ check }) => !check.special?.judgedLast),
    () => context,
  );
  const coveredRisks = context.special.coveredRisks.flatMap((covered) =>
    addNotice(covered, verdicts.get(covered.check)),
  );
  const last = judgeEach(
    plans.filter(({ check }) => check.special?.judgedLast),
    () =>
      withSpecial(context, {
        coveredRisks,
        reported: [...verdicts.values()].flatMap(({ outcome }) => findingsOf(outcome)),
      }),
  );
  return [...first, ...last];
}

/** A check that turns out not to apply to this cluster covers nothing that is published. */
function addNotice(covered: CoveredRisk, verdict: CheckVerdict | undefined): readonly CoveredRisk[] {
  if (covered.source === "published" && verdict?.outcome.kind === "notApplicable") return [];
  if (covered.risk !== undefined || verdict?.noticedRisks === undefined) return [covered];
  return [{ ...covered, hasNotice: verdict.noticedRisks.includes(covered.name) }];
}

/** An outcome, and the names of others that its notices are about; absent if the check could not look at everything. */
export type CheckVerdict = {
  readonly outcome: Outcome;
  readonly noticedRisks?: readonly string[];
  readonly judged?: CheckReport["judged"];
  readonly operators?: CheckReport["operators"];
};

export function judge(plan: CheckPlan, gathered: Gathered, context: Context): CheckVerdict {
  return { ...judgeReads(plan, gathered, context), judged: countJudged(plan, gathered) };
}

/** By list, how many objects a check of others had before it: without any, it is clear whatever it looks for. */
function countJudged({ check, reads, followedReads }: CheckPlan, gathered: Gathered): CheckReport["judged"] {
  if (check.origin === undefined || check.origin.kind === "knownBugs") return undefined;
  const counts = Object.entries({ ...reads, ...followedReads }).flatMap(([key, read]) => {
    const result = gathered.get(read);
    const isList = result !== undefined && "values" in result && !key.startsWith("@");
    return isList ? [[key, result.values.length] as const] : [];
  });
  return counts.length === 0 ? undefined : Object.fromEntries(counts.toSorted(([a], [b]) => compareText(a, b)));
}

function judgeReads(plan: CheckPlan, gathered: Gathered, context: Context): CheckVerdict {
  const { check, reads, followedReads, crash } = plan;
  if (crash) return { outcome: buildUnknownOutcome([crash]) };
  const values = collectValues(reads, gathered);
  const releaseProblems = check.basis === "manifests" ? context.release.problems : [];
  if (isUnknownList(values)) return { outcome: buildUnknownOutcome([...values, ...releaseProblems]) };
  // What is found in manifests that may not apply is no fault that is known.
  if (check.basis === "manifests" && context.release.unknownFacts !== undefined)
    return { outcome: buildUnknownOutcome(releaseProblems) };
  const followedValues = selectValues(followedReads, gathered);
  const judged = attempt(check, () =>
    buildVerdict(
      plan,
      evaluateInEither(check, context, (one) => check.evaluate(values, one, followedValues)),
      gathered,
      context,
    ),
  );
  return judged.kind === "done" ? judged.value : { outcome: buildUnknownOutcome([judged.unknown]) };
}

function buildVerdict(plan: CheckPlan, judgement: Judgement, gathered: Gathered, context: Context): CheckVerdict {
  const { check, reads, followedReads } = plan;
  const findGaps = (of: Reads) => Object.values(of).flatMap((read) => findGapUnknowns(read, gathered.get(read)));
  const gaps = findGaps(reads);
  const outcome = buildOutcome(check, judgement, [
    ...(judgement.unknowns ?? []),
    ...gaps,
    ...findFollowedUnknowns(followedReads, judgement.irrelevantReads ?? [], gathered),
    ...(check.basis === "manifests" ? context.release.problems : []),
    ...findUnknownRelease(check, context),
  ]);
  const hasGaps = gaps.length > 0 || findGaps(followedReads).length > 0;
  const { noticedRisks, operators } = (hasGaps ? undefined : judgement.special) ?? {};
  return { outcome, noticedRisks, operators };
}

/** What a table says about a release after the last one that it covers, it says by its silence: nobody knows. */
function findUnknownRelease({ basis }: Check, { platform, target, kubernetes, update }: Context): readonly Unknown[] {
  if (basis !== "table" || update !== "minor") return [];
  if (kubernetes.target <= getKubernetesMinor(LAST_KNOWN_RELEASE)) return [];
  const message = `this preflight knows what releases up to ${formatReleaseOf(platform, LAST_KNOWN_RELEASE)} change`;
  return [{ reason: "TargetUnknown", where: `release ${formatMinor(target)}`, message }];
}

/** The followed reads that failed, except those that could not have changed the verdict. */
function findFollowedUnknowns(
  followedReads: Reads,
  irrelevantReads: readonly string[],
  gathered: Gathered,
): readonly Unknown[] {
  const irrelevantKeys = new Set(irrelevantReads);
  const relevant = Object.entries(followedReads).filter(([key]) => !irrelevantKeys.has(key));
  return relevant.flatMap(([, read]) => [
    ...findReadUnknowns(read, gathered.get(read)),
    ...findGapUnknowns(read, gathered.get(read)),
  ]);
}

export function buildUnknownOutcome(unknowns: readonly Unknown[]): Outcome {
  return { kind: "unknown", unknowns: dropDuplicateUnknowns(unknowns), findings: [], notices: [] };
}

/** One request may answer several reads; its failure is reported once. */
function dropDuplicateUnknowns(unknowns: readonly Unknown[]): readonly Unknown[] {
  return [
    ...new Map(
      unknowns.map((unknown) => [[unknown.reason, unknown.where, unknown.message].join("\u0000"), unknown]),
    ).values(),
  ];
}

function buildOutcome(check: Check, judgement: Judgement, unknowns: readonly Unknown[]): Outcome {
  const notices = (judgement.notices ?? []).toSorted(compareText);
  const findings = sortFindings(judgement.findings ?? []);
  const undeclared = findings.find(({ risk }) => !check.risks.some(({ name }) => name === risk));
  if (undeclared) throw new Error(`it reported ${undeclared.risk}, a risk that it does not declare`);
  const collected = { findings, notices };
  if (unknowns.length > 0) return { kind: "unknown", unknowns: dropDuplicateUnknowns(unknowns), ...collected };
  if (judgement.notApplicable !== undefined) return { kind: "notApplicable", reason: judgement.notApplicable };
  return findings.length > 0 ? { kind: "risk", ...collected } : { kind: "clear", notices };
}

/** Findings and unknowns of one check in a report; the risks' texts count all of them. */
const MAX_FINDINGS = 10_000;

/** What a report names of an outcome, and how many findings it does not. */
export function limitOutcome(check: Check, outcome: Outcome): Pick<CheckReport, "outcome" | "omittedFindings"> {
  if (outcome.kind !== "risk" && outcome.kind !== "unknown") return { outcome };
  const { mostFindings = MAX_FINDINGS } = check.special ?? {};
  const counts = new Map<string, number>();
  const isNamed = (risk: string): boolean => {
    const count = (counts.get(risk) ?? 0) + 1;
    counts.set(risk, count);
    return count <= mostFindings;
  };
  const findings = outcome.findings.filter(({ risk }) => isNamed(risk)).slice(0, MAX_FINDINGS);
  const omitted = outcome.findings.length - findings.length;
  const limited =
    outcome.kind === "risk"
      ? { ...outcome, findings }
      : { ...outcome, findings, unknowns: outcome.unknowns.slice(0, MAX_FINDINGS) };
  return { outcome: limited, omittedFindings: omitted > 0 ? omitted : undefined };
}

type Evaluate = (context: Context) => Judgement;

/** Where nobody knows whether the control plane is hosted: what holds in either case, and what holds only in one as unknown. */
export function evaluateInEither(check: Check, context: Context, evaluate: Evaluate): Judgement {
  const { unknownTopology } = context;
  const standalone = evaluate(context);
  if (unknownTopology === undefined) return standalone;
  const hosted = evaluateHosted(check, context, evaluate);
  const open = [...listOnly("unless", standalone, hosted), ...listOnly("if", hosted, standalone)];
  return {
    findings: listShared(standalone.findings, hosted.findings, identify),
    // Those of either are worth knowing; both would say the same twice.
    notices: standalone.notices?.length ? standalone.notices : hosted.notices,
    unknowns: [
      ...(standalone.unknowns ?? []),
      ...(hosted.unknowns ?? []),
      ...(open.length === 0 ? [] : [unknownTopology, ...open]),
    ],
    irrelevantReads:
      hosted.notApplicable === undefined
        ? listShared(standalone.irrelevantReads, hosted.irrelevantReads, (key) => key)
        : standalone.irrelevantReads,
    notApplicable: hosted.notApplicable && standalone.notApplicable,
    special: standalone.special,
  };
}

function evaluateHosted({ hosted }: Check, context: Context, evaluate: Evaluate): Judgement {
  if (hosted?.notApplicable !== undefined) return { notApplicable: hosted.notApplicable };
  return evaluate({ ...context, isHosted: true });
}

function listShared<T>(some: readonly T[] = [], others: readonly T[] = [], toKey: (one: T) => string): readonly T[] {
  const keys = new Set(others.map(toKey));
  return some.filter((one) => keys.has(toKey(one)));
}

function identify({ risk, object, path = "" }: Finding): string {
  return JSON.stringify([risk, buildRefKey(object), path]);
}

/** The risks that only one of the two has. Not as part of why nobody knows, which may be a missing right, of which an output says no more. */
function listOnly(
  when: "if" | "unless",
  { findings = [] }: Judgement,
  { findings: others = [] }: Judgement,
): readonly Unknown[] {
  const shared = new Set(others.map(identify));
  const byRisk = Map.groupBy(
    findings.filter((finding) => !shared.has(identify(finding))),
    ({ risk }) => risk,
  );
  return [...byRisk].map(([where, ofRisk]) => {
    const objects = summarizeNames(sortNames(ofRisk.map(({ object }) => formatRef(object))));
    return { reason: "NotReported", where, message: `it applies to ${objects} ${when} the control plane is hosted` };
  });
}
