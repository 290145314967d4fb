import { type Unknown, type Check, type Context, type Judgement, isOn, sortFindings } from "../../model/check.ts";
import { formatError } from "../../model/errors.ts";
import { compareText } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";
import type { Read, Reads, ReadResults } from "../../model/read.ts";
import { formatGroupResource } from "../../model/resource.ts";
import type { CheckReport, Outcome } from "../../model/report.ts";
import { formatUngranted } from "../../model/ungranted.ts";
import {
  crosses,
  leavesMinor,
  getKubernetesMinor,
  formatMinor,
  LAST_KNOWN_RELEASE,
  parseMinor,
  type UpdateKind,
} from "../../model/version.ts";
import { getReadPath } from "../gather/gather.ts";
import type { GatherResult } from "../gather/list-collector.ts";
import type { CheckPlan } from "../plan/check-plan.ts";

/** Why the check does not apply to this update; undefined if it does. */
export function findNotApplicableReason(check: Check, context: Context): string | undefined {
  const { source, target, update } = context;
  if (context.platform === "kubernetes") {
    const why = findNotOnKubernetesReason(check, context);
    if (why !== undefined || check.applies.kind === "crosses") return why;
  } else if (!isOn("openshift", check)) return "This check concerns Kubernetes without OpenShift.";
  if (check.applies.kind === "crosses") {
    const { minor } = check.applies;
    if (crosses(source, minor, target)) return undefined;
    return `This check concerns a change in ${minor}, which an update from ${source.text} to ${target.text} does not cross.`;
  }
  const appliesToUpdate =
    check.applies.kind === "updates" ? check.applies.kinds.includes(update) : leavesMinor(context);
  if (appliesToUpdate) return undefined;
  return `This check does not apply to ${UPDATE_KIND_TEXT[update]} (${formatMinor(source)} to ${formatMinor(target)}).`;
}

/** A Kubernetes release has no manifests, and a minor of OpenShift stands for the Kubernetes minor that it contains. */
function findNotOnKubernetesReason(check: Check, { kubernetes, release }: Context): string | undefined {
  if (!isOn("kubernetes", check)) return "This is not an OpenShift cluster.";
  const { manifests, problems } = release;
  if (check.basis === "manifests" && manifests.length === 0 && problems.length === 0)
    return "This check needs a folder of manifests (--target), since Kubernetes itself has none.";
  const minorBoundary = check.applies.kind === "crosses" ? parseMinor(check.applies.minor) : undefined;
  if (minorBoundary === undefined) return undefined;
  const minor = getKubernetesMinor(minorBoundary);
  if (kubernetes.source < minor && minor <= kubernetes.target) return undefined;
  return `This check concerns a change in Kubernetes 1.${minor}, which an update from 1.${kubernetes.source} to 1.${kubernetes.target} does not cross.`;
}

const UPDATE_KIND_TEXT: Readonly<Record<UpdateKind, string>> = {
  patch: "patch updates",
  minor: "updates to a later minor",
  rollback: "rollbacks",
};

/** The values for `evaluate`, or the reads that failed, in which case it is not called. */
export function collectValues(
  reads: Reads,
  gathered: ReadonlyMap<Read, GatherResult>,
): ReadResults<Reads> | readonly Unknown[] {
  const unknowns = Object.values(reads).flatMap((read) => findReadUnknowns(read, gathered.get(read)));
  if (unknowns.length > 0) return unknowns;
  return Object.fromEntries(Object.entries(reads).flatMap(([key, read]) => buildValueEntry(key, gathered.get(read))));
}

function buildValueEntry(
  key: string,
  result: GatherResult | undefined,
): [string, Exclude<GatherResult, { kind: "failed" }>][] {
  return result === undefined || result.kind === "failed" ? [] : [[key, result]];
}

function findReadUnknowns(read: Read, result: GatherResult | undefined): readonly Unknown[] {
  if (result === undefined) return [{ reason: "NotRead", where: getReadPath(read), message: "it was not read" }];
  if (result.kind !== "failed") return [];
  const { reason } = result;
  const isUngranted = reason === "Forbidden" && read.kind === "each" && read.isUngranted === true;
  const message = isUngranted ? formatUngranted(result.message) : result.message;
  return [{ reason, where: formatRead(read), message }];
}

/** "networks.config.openshift.io cluster": the arguments of `oc get`. */
function formatRead(read: Read): string {
  if (read.kind === "raw" || read.kind === "query") return getReadPath(read);
  const kind = formatGroupResource(read.resource);
  if (read.kind === "each") return kind;
  return `${kind} ${read.namespace === undefined ? "" : `${read.namespace}/`}${read.name}`;
}

/** An outcome, and the names of others that its notices are about; absent if the check could not look at everything. */
export type CheckVerdict = {
  readonly outcome: Outcome;
  readonly noticedRisks?: readonly string[];
  readonly judged?: CheckReport["judged"];
};

export function judge(plan: CheckPlan, gathered: ReadonlyMap<Read, GatherResult>, context: Context): CheckVerdict {
  return { ...judgeReads(plan, gathered, context), ...defined({ judged: countJudged(plan, gathered) }) };
}

/** By list, how many objects a check of others had before it: without any, it is clear whatever it looks for. */
function countJudged(
  { check, reads, followedReads }: CheckPlan,
  gathered: ReadonlyMap<Read, GatherResult>,
): CheckReport["judged"] {
  if (check.origin === undefined || check.origin.kind === "knownBugs") return undefined;
  const counts = Object.entries({ ...reads, ...followedReads }).flatMap(([key, read]) => {
    const result = gathered.get(read);
    const isList = result !== undefined && "values" in result && !key.startsWith("@");
    return isList ? [[key, result.values.length] as const] : [];
  });
  return counts.length === 0 ? undefined : Object.fromEntries(counts.toSorted(([a], [b]) => compareText(a, b)));
}

function judgeReads(plan: CheckPlan, gathered: ReadonlyMap<Read, GatherResult>, context: Context): CheckVerdict {
  const { check, reads, followedReads, crash } = plan;
  if (crash) return { outcome: buildUnknownOutcome([crash]) };
  const values = collectValues(reads, gathered);
  const releaseProblems = check.basis === "manifests" ? context.release.problems : [];
  if (isUnknownList(values)) return { outcome: buildUnknownOutcome([...values, ...releaseProblems]) };
  // What is found in manifests that may not apply is no fault that is known.
  if (check.basis === "manifests" && context.release.unknownFacts !== undefined)
    return { outcome: buildUnknownOutcome(releaseProblems) };
  const followedValues = Object.entries(followedReads).flatMap(([key, read]) =>
    buildValueEntry(key, gathered.get(read)),
  );
  try {
    const judgement = check.evaluate(values, context, Object.fromEntries(followedValues));
    const relevant = findFollowedUnknowns(followedReads, judgement.irrelevantReads ?? [], gathered);
    const gaps = Object.values(reads).flatMap((read) => findGapUnknowns(read, gathered.get(read)));
    const missing = [...gaps, ...relevant, ...releaseProblems, ...findUnknownRelease(check, context)];
    const outcome = buildOutcome(check, judgement, [...(judgement.unknowns ?? []), ...missing]);
    const hasGaps =
      gaps.length > 0 ||
      Object.values(followedReads).some((read) => findGapUnknowns(read, gathered.get(read)).length > 0);
    return { outcome, ...(hasGaps ? {} : defined({ noticedRisks: judgement.noticedRisks })) };
  } catch (thrown) {
    return { outcome: buildUnknownOutcome([buildCrashUnknown(check, thrown)]) };
  }
}

/** What a table says about a release after the last one that it covers, it says by its silence: nobody knows. */
function findUnknownRelease({ basis }: Check, { platform, target, kubernetes, update }: Context): readonly Unknown[] {
  const lastMinor = getKubernetesMinor(LAST_KNOWN_RELEASE);
  if (basis !== "table" || update !== "minor" || kubernetes.target <= lastMinor) return [];
  const last = platform === "openshift" ? formatMinor(LAST_KNOWN_RELEASE) : `1.${lastMinor}`;
  const message = `this preflight knows what releases up to ${last} change`;
  return [{ reason: "TargetUnknown", where: `release ${formatMinor(target)}`, message }];
}

/** The followed reads that failed, except those that could not have changed the verdict. */
function findFollowedUnknowns(
  followedReads: Reads,
  irrelevantReads: readonly string[],
  gathered: ReadonlyMap<Read, GatherResult>,
): readonly Unknown[] {
  const irrelevantKeys = new Set(irrelevantReads);
  const relevant = Object.entries(followedReads).filter(([key]) => !irrelevantKeys.has(key));
  return relevant.flatMap(([, read]) => [
    ...findReadUnknowns(read, gathered.get(read)),
    ...findGapUnknowns(read, gathered.get(read)),
  ]);
}

/** What an archive lacks of a list whose other objects were judged. */
function findGapUnknowns(read: Read, result: GatherResult | undefined): readonly Unknown[] {
  const gaps = result !== undefined && "gaps" in result ? (result.gaps ?? []) : [];
  return gaps.map(({ reason, message }) => ({ reason, where: formatRead(read), message }));
}

export function isUnknownList(values: ReadResults<Reads> | readonly Unknown[]): values is readonly Unknown[] {
  return Array.isArray(values);
}

/** A check that throws is a bug in preflight: it says nothing about the cluster and must not read as "no risk found". */
export function buildCrashUnknown(check: Pick<Check, "id">, thrown: unknown): Unknown {
  const message = `the check failed (${formatError(thrown)}): this is a bug in preflight, please report it`;
  return { reason: "CheckFailed", where: `check ${check.id}`, message };
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
  if (undeclared)
    return buildUnknownOutcome([
      buildCrashUnknown(check, new Error(`it reported ${undeclared.risk}, a risk that it does not declare`)),
    ]);
  const collected = { findings, notices, ...defined({ omittedFindings: judgement.omittedFindings }) };
  if (unknowns.length > 0) return { kind: "unknown", unknowns: dropDuplicateUnknowns(unknowns), ...collected };
  if (judgement.notApplicable !== undefined) return { kind: "notApplicable", reason: judgement.notApplicable };
  return findings.length > 0 ? { kind: "risk", ...collected } : { kind: "clear", notices };
}
