import type { PreflightDocument } from "../../model/document.ts";
import { COMPLETENESS_NOT_STATED } from "../../model/result-limits.ts";
import { toVisibleText } from "../../model/visible-text.ts";
import type { LiftProblem } from "./lift-problems.ts";
import type { RejectionReason, DocumentVerdict } from "./document-verdict.ts";
import { type ActiveRunner, type InfrastructureReason, isLate, type ReportedRunner } from "./runner-state.ts";
import type { RequestedPayload, PayloadRefusalReason } from "../objects/payload.ts";

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
export type ConditionContent<Reason extends string> = {
  readonly status: "True" | "False";
  readonly reason: Reason;
  readonly message: string;
};

type Rejection = Extract<DocumentVerdict, { kind: "rejected" }>;

type RunningReason =
  | "NotStarted"
  | "Starting"
  | "Checking"
  | "WindowNotBegun"
  | "WindowOver"
  | InfrastructureReason
  | PayloadRefusalReason;
type CompletedReason = "NoRisks" | "RisksFound" | "Incomplete" | LiftProblem["reason"] | RejectionReason;
type FailedReason = "AsExpected" | "NoDocumentInTime" | InfrastructureReason | PayloadRefusalReason | RejectionReason;

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
