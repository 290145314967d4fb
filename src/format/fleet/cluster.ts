import { type Acceptance, UNSEEN_RISKS } from "../../model/unseen.ts";
import type { Effect } from "../../model/check.ts";
import { joinNames, sortNames } from "../../model/text.ts";
import { formatRef } from "../../model/resource.ts";
import { COMPLETENESS_NOT_STATED, describeFuture, FURTHER_RISKS, getResultTime } from "../../model/document.ts";
import { isSameRelease } from "../../model/version.ts";
import { formatAge, getAge, parseTimestamp } from "../../model/time.ts";
import { readResult, summarizeProblems } from "../document/document-parser.ts";
import { parseResult, type ParsedResult, type ResultCheck, type ResultRisk } from "../result/result.ts";
import type { Column } from "../result/risk-table.ts";
import { judgeByRisk, selectAcceptedNames } from "../view/acceptances.ts";

/**
 * What is known of one cluster of a fleet, the worst first. `failed`: its last cycle failed. `invalid`: its result can't be read. `stale`:
 * its result is too old to count. `running`: it has no result yet. `incomplete`: a check could not be completed. `updated`: it runs the
 * target already, so the result holds no risk of an update.
 */
export const FLEET_VERDICTS = [
  "risk",
  "failed",
  "invalid",
  "stale",
  "running",
  "incomplete",
  "clear",
  "updated",
] as const;
export type FleetVerdict = (typeof FLEET_VERDICTS)[number];

/** Why a cluster has no current result. The reason is one word, as in the document. */
type FleetProblem = { readonly reason: string; readonly message: string };

/**
 * How far a cluster is from being clear: by the risks that are to be mended on it, none if it is clear. `notSaid`: mending what was found
 * may not be enough, since not everything was seen. `updated`: there is nothing to reach.
 */
export type Outlook =
  | { readonly kind: "fixes"; readonly fixes: readonly string[] }
  | { readonly kind: "notSaid"; readonly problem: FleetProblem }
  | { readonly kind: "updated" };

type Judged = { readonly verdict: FleetVerdict; readonly problem?: FleetProblem; readonly outlook: Outlook };

/** What a hub knows of a cluster. */
export type ManagedCluster = { readonly name: string; readonly labels: ReadonlyMap<string, string> };

/** A cluster and what is kept of its result; of one that is not current, what it said last. Findings are not: a fleet has too many. */
export type FleetCluster = Column &
  Judged &
  Pick<ParsedResult, "sourceVersion" | "targetVersion" | "clusterId" | "observedAt" | "context" | "kubeconfig"> & {
    readonly name: string;
    readonly checks: readonly Pick<ResultCheck, "id" | "outcome">[];
    /** Of its result alone. */
    readonly file?: string;
    readonly managed?: ManagedCluster;
    readonly group?: string;
  };

/** What the reader of results knows besides their texts. */
export type FleetContext = {
  readonly now: Date;
  /** Milliseconds after which a result no longer counts. */
  readonly maxAge: number;
  readonly acceptances: readonly Acceptance[];
  /** By the names of risks, since documents don't say it. */
  readonly effects: ReadonlyMap<string, Effect>;
  /** By the ids of checks: the risks that stand for incomplete ones. */
  readonly unknownNames: ReadonlyMap<string, string>;
};

/** What a document, or the JSON of `check`, says of its cluster. Never rejects: a text that is neither is an invalid result. */
export async function parseClusterResult(name: string, text: string, context: FleetContext): Promise<FleetCluster> {
  const read = await readResult(text);
  if (read.kind === "invalid") return buildInvalid(name, summarizeProblems(read.problems));
  return judgeResult(name, parseResult(read.value), context);
}

export function buildInvalid(name: string, message: string): FleetCluster {
  return buildWithoutResult(name, "invalid", { reason: "InvalidDocument", message });
}

export function buildWithoutResult(name: string, verdict: "invalid" | "running", problem: FleetProblem): FleetCluster {
  return { name, ...judgeUnread(verdict, problem), ...NOTHING_FOUND };
}

/** Without a current result, nothing can be said. */
function judgeUnread(verdict: "failed" | "invalid" | "stale" | "running", problem: FleetProblem): Judged {
  return { verdict, problem, outlook: { kind: "notSaid", problem } };
}

const NOTHING_FOUND = { risks: [], checks: [], outcomes: new Map(), otherwise: "notRun" } as const;

function judgeResult(name: string, read: ParsedResult, context: FleetContext): FleetCluster {
  const listed = [...read.risks, ...listUnknownRisks(read, context.unknownNames)];
  const accepted = selectFleetAcceptances(context.acceptances, { ...read, risks: listed });
  const risks = listed.map(({ places: _places, ...risk }) => ({
    ...risk,
    omittedPlaces: 0,
    isAccepted: accepted.has(risk.name),
    effect: risk.effect ?? context.effects.get(risk.name),
  }));
  const judged = findVerdict({ ...read, risks }, accepted, context);
  const { sourceVersion, targetVersion, clusterId, observedAt, context: own, kubeconfig } = read;
  const cluster = { name, sourceVersion, targetVersion, clusterId, observedAt, context: own, kubeconfig, ...judged };
  // What is wrong with a cluster that has arrived does not stand against the update.
  if (judged.verdict === "updated") return { ...cluster, ...NOTHING_FOUND };
  const checks = read.checks.map(({ id, outcome }) => ({ id, outcome }));
  // Of what a result that is too old does not have, nothing is known.
  const current = judged.verdict === "stale" ? [] : checks;
  const outcomes = new Map(current.map(({ id, outcome }) => [id, outcome]));
  return { ...cluster, risks, checks, outcomes, otherwise: "notRun" };
}

/** With --no-unknown-risks a result has no risk for an incomplete check, but the fleet's owner has to see which it is. */
function listUnknownRisks({ risks, checks }: ParsedResult, names: FleetContext["unknownNames"]): readonly ResultRisk[] {
  const reported = new Set(risks.filter(({ unknown }) => unknown).map(({ name }) => name));
  const incomplete = checks.filter(({ outcome, isAcceptedLeftOut }) => outcome === "unknown" && !isAcceptedLeftOut);
  return incomplete.flatMap(({ id, message, isLeftOut }) => {
    const name = isLeftOut ? UNSEEN_RISKS.leftOut : (names.get(id) ?? id);
    return reported.has(name) ? [] : [{ name, check: id, message, url: "", unknown: true, omittedPlaces: 0 }];
  });
}

function findVerdict(result: ParsedResult, accepted: ReadonlySet<string>, context: FleetContext): Judged {
  const { status, risks } = result;
  if (status === "failed") return judgeUnread("failed", describeFailure(result));
  if (status === "running") return judgeUnread("running", RUNNING);
  const future = describeFuture(result, context.now);
  if (future !== undefined) return judgeUnread("stale", { reason: "ObservedInFuture", message: future });
  const staleness = findStaleness(result, context);
  if (staleness !== undefined) return judgeUnread("stale", { reason: "Stale", message: staleness });
  if (runsTarget(result)) return { verdict: "updated", outlook: { kind: "updated" } };
  const minors = findMinorProblem(result);
  const gap = findGap(result, accepted, minors);
  const fixes = sortNames(risks.filter(isOpen).map(({ name }) => name));
  if (fixes.length > 0) {
    const problem = gap ?? findOmission(result);
    const outlook: Outlook = problem === undefined ? { kind: "fixes", fixes } : { kind: "notSaid", problem };
    return { verdict: "risk", problem: minors, outlook };
  }
  if (gap === undefined) return { verdict: "clear", problem: minors, outlook: { kind: "fixes", fixes } };
  const problem = gap.isNamed ? minors : gap;
  return { verdict: "incomplete", problem, outlook: { kind: "notSaid", problem: gap } };
}

/** Why nobody can say when a cluster is clear; else what is to be said of its result. */
export function findProblem({ problem, outlook }: Judged): FleetProblem | undefined {
  return outlook.kind === "notSaid" ? outlook.problem : problem;
}

/** Found, and not accepted. */
export function isOpen({ isAccepted, unknown }: ResultRisk): boolean {
  return !isAccepted && !unknown;
}

/** Why a result is not whole, apart from what is accepted. `isNamed`: it has a risk that says so. */
function findGap(
  { risks, complete }: ParsedResult,
  accepted: ReadonlySet<string>,
  minors: FleetProblem | undefined,
): (FleetProblem & { readonly isNamed?: boolean }) | undefined {
  const unseen = risks.filter(({ unknown, isAccepted }) => unknown && !isAccepted);
  if (unseen.length > 0) return { ...describeUnseen(unseen), isNamed: true };
  if (minors !== undefined && !accepted.has(UNSEEN_RISKS.minorsBetween)) return { ...minors, isNamed: true };
  if (complete === undefined) return NOT_STATED;
  // Of a result that is not complete, something must be named and accepted.
  const isExplained = complete || risks.some(({ unknown }) => unknown) || minors !== undefined;
  return isExplained ? undefined : NOT_COMPLETE;
}

function describeUnseen(unseen: readonly ResultRisk[]): FleetProblem {
  const names = sortNames(unseen.map(({ check, name }) => check ?? name));
  return { reason: "NotComplete", message: `Without a verdict: ${joinNames(names)}.` };
}

/** A document that has no room for all of its risks says so by one more. */
function findOmission({ risks, omittedRisks }: ParsedResult): FleetProblem | undefined {
  return omittedRisks.length > 0 || risks.some(({ name }) => name === FURTHER_RISKS) ? NO_ROOM : undefined;
}

/** Why a completed result is too old to count; undefined if it is current. */
function findStaleness(result: ParsedResult, { now, maxAge }: FleetContext): string | undefined {
  const { observedAt, validUntil } = result;
  const time = getResultTime(result);
  const age = getAge(time, now);
  if (age === undefined) return "The result does not say when the cluster was read.";
  const until = parseTimestamp(validUntil);
  if (until !== undefined && until < now.getTime())
    return `The document was valid until ${validUntil}: nothing has replaced it since.`;
  if (age <= maxAge) return undefined;
  const what = observedAt === undefined ? "The runner started" : "The cluster was read";
  return `${what} ${formatAge(age)} ago, at ${time}: the limit is ${formatAge(maxAge)}.`;
}

/** CRDs are checked with the cluster's own version as the target: their check is then the only one. */
function runsTarget({ sourceVersion: source, targetVersion: target, checks }: ParsedResult): boolean {
  if (source === undefined || target === undefined) return false;
  return isSameRelease(source, target) && !(checks.length === 1 && checks[0]?.id === "crd-skew");
}

function describeFailure({ failure: { reason, message = reason } }: ParsedResult): FleetProblem {
  return reason === undefined || message === undefined ? UNEXPLAINED : { reason, message };
}

const UNEXPLAINED: FleetProblem = { reason: "Failed", message: "The last cycle failed." };
const NOT_COMPLETE: FleetProblem = {
  reason: "NotComplete",
  message:
    "The result says that not every check could complete, and names none that could not: check the cluster again.",
};
const NOT_STATED: FleetProblem = {
  reason: "NotComplete",
  message: `${COMPLETENESS_NOT_STATED} Check the cluster again.`,
};
const NO_ROOM: FleetProblem = {
  reason: "FurtherRisks",
  message: "The document has no room for all of its risks: check the cluster with -o json.",
};
const RUNNING: FleetProblem = { reason: "Running", message: "The first cycle has not completed yet." };

/** The minors that a result of `check` names. */
function findMinorProblem({ sourceVersion, targetVersion, minorsBetween }: ParsedResult): FleetProblem | undefined {
  if (minorsBetween.length === 0) return undefined;
  const message = `${minorsBetween.join(", ")} ${minorsBetween.length === 1 ? "lies" : "lie"} between ${sourceVersion} and ${targetVersion}, and only the last release was checked. Use preflight plan on this cluster.`;
  return { reason: "SeveralUpdates", message };
}

/** The names of a result's risks that acceptances cover. */
function selectFleetAcceptances(acceptances: readonly Acceptance[], result: ParsedResult): ReadonlySet<string> {
  const risks = new Map(result.risks.map((risk) => [risk.name, risk]));
  const judged = judgeByRisk(acceptances, getResultTime(result), (name) => {
    const risk = risks.get(name);
    return risk && listObjects(risk, result);
  });
  return selectAcceptedNames(judged);
}

/** A document does not name them, so no acceptance of certain objects holds for it. */
const UNNAMED = ["objects that the document does not name"];

function listObjects({ check, places, omittedPlaces }: ResultRisk, { checks }: ParsedResult): readonly string[] {
  if (places === undefined) return UNNAMED;
  const unknowns = checks.find(({ id }) => id === check)?.unknowns ?? [];
  const objects = places.map(({ object }) => formatRef(object));
  const named = sortNames(objects.length === 0 ? unknowns.flatMap(({ where }) => where ?? []) : objects);
  return omittedPlaces > 0 ? [...named, ...UNNAMED] : named;
}
