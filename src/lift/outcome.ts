import type { LiftProblem } from "./problems.ts";
import type { KeptReason, Reading } from "./reading.ts";
import type { InfrastructureReason, RunnerState } from "./runner-state.ts";
import type { Payload, RefusedReason } from "./target.ts";

/** What the three conditions are made from. */
export type Situation = {
  readonly payload: Payload;
  readonly runner: RunnerState;
  readonly reading: Reading;
  /** The names of the risks that stand for this source and target. */
  readonly risks: readonly string[];
  readonly problems: readonly LiftProblem[];
  /** How long a runner may be without a document that can be used, in seconds. */
  readonly patienceSeconds: number;
  readonly now: Date;
};

/** Reasons are part of the conditions: none is ever renamed. */
export type Said<Reason extends string> = {
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
  | RefusedReason;
type CompletedReason = "NoRisks" | "RisksFound" | "Incomplete" | LiftProblem["reason"] | KeptReason;
type FailedReason = "AsExpected" | "NoDocumentInTime" | InfrastructureReason | RefusedReason | KeptReason;

export function running({ payload, runner }: Situation): Said<RunningReason> {
  switch (runner.kind) {
    case "stopped":
      if (payload.kind === "refused") return no(payload.reason, payload.message);
      return no("NotStarted", "The runner has not been started yet.");
    case "waiting":
      return no("WindowNotBegun", `The runner is not started before ${runner.notBefore.toISOString()}.`);
    case "over":
      return no("WindowOver", `The runner was stopped at ${runner.until.toISOString()}.`);
    case "starting":
      return yes("Starting", `The runner is being started.${unverified(payload)}`);
    case "up":
      return yes("Checking", `The runner checks the cluster continuously.${unverified(payload)}`);
    case "down":
      return no(runner.reason, runner.message);
  }
}

/** A result is told with what keeps it from being shown; without one, why there is none, and what stands meanwhile. */
export function completed({ reading, risks, problems }: Situation): Said<CompletedReason> {
  if (reading.kind === "kept") return no(reading.reason, `${reading.message} ${standing(risks)}`);
  const isPartial = reading.document.complete === false;
  const found = `${counted(risks)}${isPartial ? " Not every check could look at all that it needs." : ""}`;
  const message = [found, ...problems.map((problem) => problem.message)].join(" ");
  const hidden = problems.find(({ reason }) => reason !== "RiskFieldsAbsent");
  if (hidden) return yes(hidden.reason, message);
  if (isPartial) return yes("Incomplete", message);
  return yes(risks.length > 0 ? "RisksFound" : "NoRisks", message);
}

/** Only what keeps the preflight from telling: risks are no failure. */
export function failed(situation: Situation): Said<FailedReason> {
  const { payload, runner, reading } = situation;
  if (runner.kind === "stopped" && payload.kind === "refused") return yes(payload.reason, payload.message);
  if (runner.kind === "stopped" || runner.kind === "waiting" || runner.kind === "over")
    return no("AsExpected", "The runner is not meant to run now.");
  if (runner.kind === "down") return yes(runner.reason, runner.message);
  if (reading.kind === "replaces") return no("AsExpected", "The runner's last cycle ended.");
  return failedReading(reading.reason, reading.message, runner.since, situation);
}

function failedReading(
  reason: KeptReason,
  message: string,
  since: Date,
  { patienceSeconds, now }: Situation,
): Said<FailedReason> {
  if (reason === "DocumentUnreadable") return yes("VolumeUnavailable", message);
  if (reason === "CycleFailed" || reason === "DocumentInvalid") return yes(reason, message);
  const isLate = now.getTime() - since.getTime() > patienceSeconds * 1_000;
  if (!isLate) return no("AsExpected", `The runner has not been up for ${patienceSeconds} seconds yet. ${message}`);
  if (reason === "DocumentStale" || reason === "DocumentOlder") return yes(reason, message);
  return yes("NoDocumentInTime", `The runner gave no result within ${patienceSeconds} seconds. ${message}`);
}

function unverified(payload: Payload): string {
  return payload.kind === "unverified" ? ` ClusterVersion does not offer ${payload.image}, so it is unverified.` : "";
}

const MOST_NAMED = 5;

function counted(risks: readonly string[]): string {
  if (risks.length === 0) return "No risk was found.";
  const more = risks.length > MOST_NAMED ? ` and ${risks.length - MOST_NAMED} more` : "";
  const named = `${risks.slice(0, MOST_NAMED).join(", ")}${more}`;
  return `${risks.length} ${risks.length === 1 ? "risk was" : "risks were"} found: ${named}.`;
}

function standing(risks: readonly string[]): string {
  if (risks.length === 0) return "Nothing is known to be clear.";
  return `The last completed result stands: ${counted(risks)}`;
}

function yes<R extends string>(reason: R, message: string): Said<R> {
  return { status: "True", reason, message };
}

function no<R extends string>(reason: R, message: string): Said<R> {
  return { status: "False", reason, message };
}
