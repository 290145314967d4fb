import type reasons from "../../../conformance/reasons.json";
import { type JsonObject, textAt, objectsAt, type Json, isObject } from "../../model/json.ts";
import { findCondition } from "../../model/object.ts";
import { type Condition, setTransitionTime, setCondition } from "../objects/conditions.ts";
import { MAX_CONDITION_MESSAGE, truncate } from "../objects/limits.ts";
import { type PreflightDocument, COMPLETENESS_NOT_STATED } from "../../model/document.ts";
import { toVisibleText } from "../../model/visible-text.ts";
import type { RejectionReason, DocumentVerdict } from "./document-verdict.ts";
import { type ActiveRunner, type InfrastructureReason, isLate, type ReportedRunner } from "./runner-state.ts";
import type { RequestedPayload, PayloadRefusalReason, NotOfferedReason } from "../objects/payload.ts";
import { joinNames } from "../../model/text.ts";
import { type GatedFields, listAbsentRiskFields } from "../objects/gated-fields.ts";

/** Present in ClusterVersion while a preflight is requested. */
export const CONDITION_TYPES = ["PreflightRunning", "PreflightCompleted", "PreflightFailed"] as const;

/** The three conditions of a request; `prefix` begins each message, such as "5.0.3 -> 5.2.0: ". */
export function buildPreflightConditions(
  state: PreflightState,
  prefix: string,
  clusterVersion: JsonObject,
): readonly Condition[] {
  const contents = [describeRunning(state), describeCompleted(state), describeFailed(state)];
  return CONDITION_TYPES.flatMap((type, i) => {
    const content = contents[i];
    if (!content) return [];
    const message = truncate(`${prefix}${content.message}`, MAX_CONDITION_MESSAGE);
    return [setTransitionTime(findCondition(clusterVersion, type), { type, ...content, message }, state.now)];
  });
}

/** The conditions of ClusterVersion that are a preflight's. */
export function selectPreflightConditions(clusterVersion: JsonObject): readonly JsonObject[] {
  return objectsAt(clusterVersion, "status", "conditions").filter(isPreflightCondition);
}

/** Replaces them in place, or removes them if there are no others. */
export function replacePreflightConditions(present: readonly Json[], ours: readonly JsonObject[]): readonly Json[] {
  const kept = ours.length > 0 ? present : present.filter((one) => !isObject(one) || !isPreflightCondition(one));
  return ours.reduce(setCondition, kept);
}

export function isPreflightCondition(condition: JsonObject): boolean {
  return CONDITION_TYPES.some((type) => type === textAt(condition, "type"));
}

/** The input of the three conditions. */
export type PreflightState = {
  readonly payload: RequestedPayload;
  readonly runner: ReportedRunner;
  /** Whether the request lets the image run without a verified signature. */
  readonly allowsUnverified: boolean;
  readonly verdict: DocumentVerdict;
  /** The names of the current risks for this source and target; absent if there is no result. */
  readonly risks?: readonly string[];
  readonly problems: readonly LiftProblem[];
  /** How long a runner may run without a usable document, in seconds. */
  readonly patienceSeconds: number;
  readonly now: Date;
};

/** Reasons are API: they are never renamed. */
type ConditionContent<Reason extends string> = {
  readonly status: "True" | "False";
  readonly reason: Reason;
  readonly message: string;
};

type Rejection = Extract<DocumentVerdict, { kind: "rejected" }>;

type RunningReason = keyof typeof reasons.PreflightRunning | InfrastructureReason | PayloadRefusalReason;
type CompletedReason = keyof typeof reasons.result | LiftProblem["reason"] | RejectionReason;
type FailedReason =
  | keyof typeof reasons.PreflightFailed
  | InfrastructureReason
  | PayloadRefusalReason
  | RejectionReason;

export function describeRunning(state: PreflightState): ConditionContent<RunningReason> {
  const { payload, runner } = state;
  switch (runner.kind) {
    case "stopped":
      if (payload.kind === "refused") return buildFalse(payload.reason, payload.message);
      return buildFalse("NotStarted", describeStopped(runner.predecessor));
    case "verifying":
      return buildFalse("NotStarted", "The runner starts once the signature of the release image is verified.");
    case "waiting":
      return buildFalse("WindowNotBegun", `The runner starts at ${runner.notBefore.toISOString()}.`);
    case "windowOver":
      return buildFalse("WindowOver", `The maintenance window ended at ${runner.until.toISOString()}.`);
    case "starting":
      return buildTrue("Starting", `The runner is starting.${formatReservations(state)}`);
    case "up":
      return buildTrue("Checking", `The runner checks the cluster continuously.${formatReservations(state)}`);
    case "down":
      return buildFalse(runner.reason, runner.message);
  }
}

function describeStopped(predecessor: string | undefined): string {
  if (predecessor === undefined) return "The runner has not started.";
  return `The runner starts once pod ${predecessor} of the runner before it has ended.`;
}

/** Reports the result and what keeps ClusterVersion from showing it; without a result, why there is none and which earlier one counts. */
export function describeCompleted(state: PreflightState): ConditionContent<CompletedReason> {
  const { verdict, risks = [], problems } = state;
  if (verdict.kind === "rejected")
    return buildFalse(verdict.reason, `${describeRejection(verdict, state)} ${formatRetainedRisks(state.risks)}`);
  const isPartial = verdict.document.complete !== true;
  const summary = [formatRiskCount(risks), ...describeGaps(verdict.document)].join(" ");
  const message = [summary, ...problems.map((problem) => problem.message)].join(" ");
  const obstacle = problems.find(({ reason }) => reason !== "RiskFieldsAbsent");
  if (obstacle) return buildTrue(obstacle.reason, message);
  if (isPartial) return buildTrue("Incomplete", message);
  return buildTrue(risks.length > 0 ? "RisksFound" : "NoRisks", message);
}

function describeGaps({ complete }: PreflightDocument): readonly string[] {
  if (complete === undefined) return [COMPLETENESS_NOT_STATED];
  return complete ? [] : ["At least one check could not complete."];
}

/** A runner that had a result has written a document, and one whose window is over writes none any more. */
function describeRejection({ reason, message }: Rejection, { runner, risks }: PreflightState): string {
  if (reason !== "DocumentMissing") return endSentence(message);
  if (risks !== undefined) return "The runner's document is missing.";
  return runner.kind === "windowOver" ? "The runner wrote no document before the window ended." : message;
}

/** Only faults of the preflight itself; risks are not a failure. */
export function describeFailed(state: PreflightState): ConditionContent<FailedReason> {
  const { payload, runner, verdict } = state;
  // An outage is no failure of the preflight, which starts after it.
  const isRefused = payload.kind === "refused" && payload.reason !== "UpdatesNotRetrieved";
  if (runner.kind === "stopped" && isRefused) return buildTrue(payload.reason, payload.message);
  if (runner.kind === "stopped" || runner.kind === "verifying")
    return buildFalse("AsExpected", "The runner has not started.");
  if (runner.kind === "waiting" || runner.kind === "windowOver")
    return buildFalse("AsExpected", "No runner is expected to run now.");
  if (runner.kind === "down") return buildTrue(runner.reason, runner.message);
  if (verdict.kind === "accepted") return buildFalse("AsExpected", "The runner's last cycle completed.");
  return describeFailedVerdict(verdict, runner, state);
}

function describeFailedVerdict(
  rejection: Rejection,
  { kind, since }: ActiveRunner,
  state: PreflightState,
): ConditionContent<FailedReason> {
  const { patienceSeconds, now } = state;
  const { reason } = rejection;
  const message = describeRejection(rejection, state);
  if (reason === "DocumentUnreadable") return buildTrue("VolumeUnavailable", message);
  if (reason === "CycleFailed" || reason === "DocumentInvalid") return buildTrue(reason, message);
  const doing = kind === "up" ? "been up" : "been starting";
  if (!isLate(since, patienceSeconds, now))
    return buildFalse("AsExpected", `The runner has ${doing} for less than ${patienceSeconds} seconds. ${message}`);
  if (DATED.includes(reason)) return buildTrue(reason, message);
  const lacking = kind === "up" ? "published no result" : "not started";
  return buildTrue("NoDocumentInTime", `The runner has ${lacking} within ${patienceSeconds} seconds. ${message}`);
}

/** Reasons that a newer document removes. */
const DATED: readonly RejectionReason[] = [
  "DocumentBeforeRequest",
  "DocumentInFuture",
  "DocumentOlder",
  "DocumentStale",
];

function formatReservations({ payload, allowsUnverified }: PreflightState): string {
  const offer = payload.kind === "notOffered" ? ` ${payload.message}` : "";
  return allowsUnverified
    ? `${offer} The request allows the release image to run without a verified signature.`
    : offer;
}

const MAX_NAMES = 5;

function formatRiskCount(risks: readonly string[]): string {
  if (risks.length === 0) return "No risks were found.";
  const more = risks.length > MAX_NAMES ? ` and ${risks.length - MAX_NAMES} more` : "";
  const named = `${risks.slice(0, MAX_NAMES).join(", ")}${more}`;
  return `${risks.length} ${risks.length === 1 ? "risk was" : "risks were"} found: ${named}.`;
}

/** Problems and errors from elsewhere may lack the full stop. */
function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function formatRetainedRisks(risks: readonly string[] | undefined): string {
  if (risks === undefined) return "No earlier result exists.";
  return `The last completed result counts until there is a new one. ${formatRiskCount(risks)}`;
}

function buildTrue<R extends string>(reason: R, message: string): ConditionContent<R> {
  return { status: "True", reason, message: toVisibleText(message) };
}

function buildFalse<R extends string>(reason: R, message: string): ConditionContent<R> {
  return { status: "False", reason, message: toVisibleText(message) };
}

/** A risk that could not be merged. */
export type MergeProblem =
  | { readonly kind: "invalidName"; readonly risk: string }
  /** Two different risks of one name: the first is kept. `version` is set if the other was already in ClusterVersion. */
  | { readonly kind: "divergent"; readonly risk: string; readonly version?: string }
  | { readonly kind: "unknownVersion"; readonly risk: string; readonly version: string }
  | { readonly kind: "unknownRisk"; readonly risk: string };

/** What keeps ClusterVersion from showing a result. Reasons are API: they are never renamed. */
export type LiftProblem = {
  readonly reason: NotOfferedReason | PayloadRefusalReason | keyof typeof reasons.shown;
  /** Sentences for an administrator. */
  readonly message: string;
};

export function describeMergeProblems(problems: readonly MergeProblem[]): readonly LiftProblem[] {
  return problems.map((problem) => ({ reason: "RiskNotMerged", message: formatMergeProblem(problem) }));
}

function formatMergeProblem(problem: MergeProblem): string {
  switch (problem.kind) {
    case "invalidName":
      return `ClusterVersion does not allow the risk name "${problem.risk}".`;
    case "divergent":
      return `Another risk${problem.version === undefined ? "" : ` of ${problem.version}`} is also named ${problem.risk} but differs. Only the document shows the preflight's risk.`;
    case "unknownVersion":
      return `${problem.risk} names ${problem.version}, which is not offered.`;
    case "unknownRisk":
      return `${problem.risk} is listed but not defined.`;
  }
}

export function describeOmittedRisks(omitted: readonly string[]): readonly LiftProblem[] {
  if (omitted.length === 0) return [];
  const message = `${omitted.length} ${omitted.length === 1 ? "risk exceeds" : "risks exceed"} ClusterVersion's limits, so only the document shows: ${joinNames(omitted)}.`;
  return [{ reason: "NoRoom", message }];
}

/** Reports the fields that the API server would drop. */
export function describeAbsentFields(fields: GatedFields): readonly LiftProblem[] {
  const absent = listAbsentRiskFields(fields);
  if (absent.length === 0) return [];
  const message = `In this cluster's feature set, ClusterVersion has no ${joinNames(absent)}. These fields can't show the risks or accept them.`;
  return [{ reason: "RiskFieldsAbsent", message }];
}
