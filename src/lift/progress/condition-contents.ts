import type { LiftProblem } from "./lift-problems.ts";
import type { RejectionReason, DocumentVerdict } from "./document-verdict.ts";
import type { InfrastructureReason, RunnerState } from "./runner-state.ts";
import type { Payload, PayloadRefusalReason } from "../objects/payload.ts";

/** What the three conditions are made from. */
export type PreflightState = {
  readonly payload: Payload;
  readonly runner: RunnerState;
  readonly verdict: DocumentVerdict;
  /** The names of the risks that stand for this source and target. */
  readonly risks: readonly string[];
  readonly problems: readonly LiftProblem[];
  /** How long a runner may be without a document that can be used, in seconds. */
  readonly patienceSeconds: number;
  readonly now: Date;
};

/** Reasons are part of the conditions: none is ever renamed. */
export type ConditionContent<Reason extends string> = {
  readonly status: "True" | "False";
  readonly reason: Reason;
  readonly message: string;
};

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

export function describeRunning({ payload, runner }: PreflightState): ConditionContent<RunningReason> {
  switch (runner.kind) {
    case "stopped":
      if (payload.kind === "refused") return buildFalse(payload.reason, payload.message);
      return buildFalse("NotStarted", "The runner has not been started yet.");
    case "waiting":
      return buildFalse("WindowNotBegun", `The runner is not started before ${runner.notBefore.toISOString()}.`);
    case "over":
      return buildFalse("WindowOver", `The runner was stopped at ${runner.until.toISOString()}.`);
    case "starting":
      return buildTrue("Starting", `The runner is being started.${formatUnverified(payload)}`);
    case "up":
      return buildTrue("Checking", `The runner checks the cluster continuously.${formatUnverified(payload)}`);
    case "down":
      return buildFalse(runner.reason, runner.message);
  }
}

/** A result is told with what keeps it from being shown; without one, why there is none, and what stands meanwhile. */
export function describeCompleted({ verdict, risks, problems }: PreflightState): ConditionContent<CompletedReason> {
  if (verdict.kind === "kept") return buildFalse(verdict.reason, `${endSentence(verdict.message)} ${formatRetainedRisks(risks)}`);
  const isPartial = verdict.document.complete === false;
  const summary = `${formatRiskCount(risks)}${isPartial ? " Not every check could look at all that it needs." : ""}`;
  const message = [summary, ...problems.map((problem) => problem.message)].join(" ");
  const obstacle = problems.find(({ reason }) => reason !== "RiskFieldsAbsent");
  if (obstacle) return buildTrue(obstacle.reason, message);
  if (isPartial) return buildTrue("Incomplete", message);
  return buildTrue(risks.length > 0 ? "RisksFound" : "NoRisks", message);
}

/** Only what keeps the preflight from telling: risks are no failure. */
export function describeFailed(state: PreflightState): ConditionContent<FailedReason> {
  const { payload, runner, verdict } = state;
  if (runner.kind === "stopped" && payload.kind === "refused") return buildTrue(payload.reason, payload.message);
  if (runner.kind === "stopped" || runner.kind === "waiting" || runner.kind === "over")
    return buildFalse("AsExpected", "The runner is not meant to run now.");
  if (runner.kind === "down") return buildTrue(runner.reason, runner.message);
  if (verdict.kind === "replaces") return buildFalse("AsExpected", "The runner's last cycle ended.");
  return describeFailedVerdict(verdict.reason, verdict.message, runner.since, state);
}

function describeFailedVerdict(
  reason: RejectionReason,
  message: string,
  since: Date,
  { patienceSeconds, now }: PreflightState,
): ConditionContent<FailedReason> {
  if (reason === "DocumentUnreadable") return buildTrue("VolumeUnavailable", message);
  if (reason === "CycleFailed" || reason === "DocumentInvalid") return buildTrue(reason, message);
  const isLate = now.getTime() - since.getTime() > patienceSeconds * 1_000;
  if (!isLate)
    return buildFalse("AsExpected", `The runner has not been up for ${patienceSeconds} seconds yet. ${message}`);
  if (reason === "DocumentStale" || reason === "DocumentOlder") return buildTrue(reason, message);
  return buildTrue("NoDocumentInTime", `The runner gave no result within ${patienceSeconds} seconds. ${message}`);
}

function formatUnverified(payload: Payload): string {
  return payload.kind === "unverified" ? ` ClusterVersion does not offer ${payload.image}, so it is unverified.` : "";
}

const MAX_NAMES = 5;

function formatRiskCount(risks: readonly string[]): string {
  if (risks.length === 0) return "No risk was found.";
  const more = risks.length > MAX_NAMES ? ` and ${risks.length - MAX_NAMES} more` : "";
  const named = `${risks.slice(0, MAX_NAMES).join(", ")}${more}`;
  return `${risks.length} ${risks.length === 1 ? "risk was" : "risks were"} found: ${named}.`;
}

/** Problems and errors from elsewhere may lack the full stop. */
function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function formatRetainedRisks(risks: readonly string[]): string {
  if (risks.length === 0) return "Nothing is known to be clear.";
  return `The last completed result stands: ${formatRiskCount(risks)}`;
}

function buildTrue<R extends string>(reason: R, message: string): ConditionContent<R> {
  return { status: "True", reason, message };
}

function buildFalse<R extends string>(reason: R, message: string): ConditionContent<R> {
  return { status: "False", reason, message };
}
