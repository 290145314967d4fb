import type { Acceptance } from "../../model/acceptance.ts";
import type { Effect } from "../../model/check.ts";
import type { ClusterRisk, FleetCluster, FleetProblem } from "../../model/fleet.ts";
import { defined } from "../../model/optional.ts";
import { isSameRelease } from "../../model/target-version.ts";
import { UNSEEN_RISKS } from "../../model/unseen.ts";
import { COMPLETENESS_NOT_STATED, describeFuture, getResultTime } from "../../model/result-limits.ts";
import { type ResultReader, summarizeProblems } from "../document/document-parser.ts";
import { buildResultFields, type ResultFields } from "./result-fields.ts";
import { findStaleness } from "./staleness.ts";
import { sortNames } from "../../model/names.ts";
import { formatRef } from "../../model/resource.ts";
import { judgeByRisk, selectAcceptedNames } from "../view/acceptances.ts";
import type { ParsedCheck } from "../document/result-parser.ts";

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
  readonly readResult: ResultReader;
};

/** What a document, or the JSON of `check`, says of its cluster. Never rejects: a text that is neither is an invalid result. */
export async function parseClusterResult(name: string, text: string, context: FleetContext): Promise<FleetCluster> {
  const read = await context.readResult(text);
  if (read.kind === "invalid") return buildInvalid(name, summarizeProblems(read.problems));
  return judgeResult(name, buildResultFields(read, context.unknownNames), context);
}

export function buildInvalid(name: string, message: string): FleetCluster {
  return {
    name,
    verdict: "invalid",
    problem: { reason: "InvalidDocument", message },
    risks: [],
    outcomes: new Map(),
  };
}

function judgeResult(name: string, fields: ResultFields, context: FleetContext): FleetCluster {
  const accepted = selectFleetAcceptances(context.acceptances, fields);
  const risks = fields.risks.map((risk): ClusterRisk => ({
    ...risk,
    isAccepted: accepted.has(risk.name),
    ...defined({ effect: risk.effect ?? context.effects.get(risk.name) }),
  }));
  const { clusterId, sourceVersion: source, targetVersion: target, observedAt, outcomes } = fields;
  const verdict = findVerdict(fields, risks, accepted, context);
  // What is wrong with a cluster that has arrived does not stand against the update.
  const results = verdict.verdict === "updated" ? { risks: [], outcomes: new Map() } : { risks, outcomes };
  return { name, ...verdict, ...defined({ clusterId, source, target, observedAt }), ...results };
}

type Verdict = Pick<FleetCluster, "verdict" | "problem">;

function findVerdict(
  fields: ResultFields,
  risks: readonly ClusterRisk[],
  accepted: ReadonlySet<string>,
  context: FleetContext,
): Verdict {
  if (fields.status === "failed") return { verdict: "failed", problem: describeFailure(fields) };
  if (fields.status === "running") return { verdict: "running", problem: RUNNING };
  const future = describeFuture(fields, context.now);
  if (future !== undefined) return { verdict: "stale", problem: { reason: "ObservedInFuture", message: future } };
  const staleness = findStaleness(fields, context);
  if (staleness !== undefined) return { verdict: "stale", problem: { reason: "Stale", message: staleness } };
  if (runsTarget(fields)) return { verdict: "updated" };
  const minors = defined({ problem: findMinorProblem(fields) });
  if (risks.some(({ unknown, isAccepted }) => !unknown && !isAccepted)) return { verdict: "risk", ...minors };
  const isUnseen = risks.some(({ unknown, isAccepted }) => unknown && !isAccepted);
  const isPassed = minors.problem !== undefined && !accepted.has(UNSEEN_RISKS.minorsBetween);
  if (isUnseen || isPassed) return { verdict: "incomplete", ...minors };
  if (fields.complete === undefined) return { verdict: "incomplete", problem: NOT_STATED };
  // Of a result that is not complete, something must be named and accepted.
  const isExplained = fields.complete || risks.some(({ unknown }) => unknown) || minors.problem !== undefined;
  return isExplained ? { verdict: "clear", ...minors } : { verdict: "incomplete", problem: NOT_COMPLETE };
}

/** CRDs are checked with the cluster's own version as the target: their check is then the only one. */
function runsTarget({ sourceVersion: source, targetVersion: target, outcomes }: ResultFields): boolean {
  if (source === undefined || target === undefined) return false;
  return isSameRelease(source, target) && !(outcomes.size === 1 && outcomes.has("crd-skew"));
}

function describeFailure({ failure: { reason, message = reason } }: ResultFields): FleetProblem {
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
const RUNNING: FleetProblem = { reason: "Running", message: "The first cycle has not completed yet." };

/** The minors that a result of `check` names. */
function findMinorProblem(fields: ResultFields): FleetProblem | undefined {
  const { sourceVersion, targetVersion, minorsBetween } = fields;
  if (minorsBetween.length === 0) return undefined;
  const message = `${minorsBetween.join(", ")} ${minorsBetween.length === 1 ? "lies" : "lie"} between ${sourceVersion} and ${targetVersion}, and only the last release was checked. Use preflight plan on this cluster.`;
  return { reason: "SeveralUpdates", message };
}

/** The names of a result's risks that acceptances cover. */
function selectFleetAcceptances(
  acceptances: readonly Acceptance[],
  { risks, checks, ...fields }: ResultFields,
): ReadonlySet<string> {
  const observedAt = getResultTime(fields);
  const names = new Set(risks.map(({ name }) => name));
  return selectAcceptedNames(
    judgeByRisk(acceptances, observedAt, (risk) => (names.has(risk) ? listObjects(risk, checks) : undefined)),
  );
}

/** A document does not name them, so no acceptance of certain objects holds for it. */
const UNNAMED = ["objects that the document does not name"];

function listObjects(name: string, checks: readonly ParsedCheck[]): readonly string[] {
  const check = checks.find(({ risks }) => risks.includes(name));
  if (check?.findings === undefined) return UNNAMED;
  const objects = check.findings.filter(({ risk }) => risk === name).map(({ object }) => formatRef(object));
  const named = sortNames(objects.length === 0 ? check.unknowns.flatMap(({ where }) => where ?? []) : objects);
  return check.omittedFindings === undefined ? named : [...named, ...UNNAMED];
}
