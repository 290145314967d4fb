import type reasons from "../../../conformance/reasons.json";
import type { PreflightDocument } from "../../model/document.ts";

/** Why the runner is down: a fault of the cluster or of the tool, never a risk of the update. */
export type InfrastructureReason = keyof typeof reasons.runner;

export type RunnerFailure = {
  readonly kind: "down";
  readonly reason: InfrastructureReason;
  readonly message: string;
};

/** A pod that hasn't failed. */
export type ActiveRunner = { readonly kind: "starting" | "up"; readonly since: Date };

/** The state of the runner's Deployment. */
export type RunnerState =
  /** No Deployment exists: it is not created yet, since the pod of an earlier one still runs for example, or the target can't run. */
  | { readonly kind: "stopped"; readonly predecessor?: string }
  /** The release image's signature is being verified. */
  | { readonly kind: "verifying" }
  /** The maintenance window has not started. */
  | { readonly kind: "waiting"; readonly notBefore: Date }
  /** The maintenance window is over, and the Deployment is deleted. */
  | { readonly kind: "windowOver"; readonly until: Date }
  | ActiveRunner
  | RunnerFailure
  /** Its container, or a pod before this one, has failed, and the container is not ready yet. */
  | {
      readonly kind: "restarted";
      readonly current: ActiveRunner;
      readonly failure: RunnerFailure;
      readonly failedAt: Date;
    };

/** The state that the conditions report. */
export type ReportedRunner = Exclude<RunnerState, { kind: "restarted" }>;

/**
 * A runner that started again is still failing, since it may fail in the same way, until there is a newer result or it has run for long
 * enough. So a crash loop is one state, however often it restarts.
 */
export function settleRestart(
  runner: RunnerState,
  resultTime: Date | undefined,
  patienceSeconds: number,
  now: Date,
): ReportedRunner {
  if (runner.kind !== "restarted") return runner;
  const { current, failure, failedAt } = runner;
  const hasResult = resultTime !== undefined && resultTime > failedAt;
  return hasResult || isLate(current.since, patienceSeconds, now) ? current : failure;
}

export function isLate(since: Date, patienceSeconds: number, now: Date): boolean {
  return now.getTime() - since.getTime() > patienceSeconds * 1_000;
}

/** The state of the file at the document's path. */
export type DocumentState =
  | { readonly kind: "read"; readonly document: PreflightDocument }
  | { readonly kind: "missing" }
  | { readonly kind: "invalid"; readonly problems: readonly string[] }
  /** The volume or the file can't be read. */
  | { readonly kind: "unreadable"; readonly message: string };
