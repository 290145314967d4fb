import { FailedError, formatError } from "../../model/errors.ts";
import { defined } from "../../model/optional.ts";
import type { CycleResult } from "../../model/report.ts";
import { type CyclesInput, type CycleTarget, runCycle } from "../../runner/cycle.ts";
import type { OperatorRisks } from "../../runner/operator-risks.ts";
import type { CheckSelection } from "../checks/check-selection.ts";
import { type ClusterSession, openCluster, type OpenValues, type Warn } from "../client/connection.ts";
import type { Io } from "../io/io.ts";
import type { ReadLimitValues } from "../settings/config-settings.ts";
import type { VerboseValues } from "../settings/shared-settings.ts";
import { createProgress } from "./progress.ts";

/** Opens the cluster that the values name for as long as `use` takes. */
export async function withSession<Values extends OpenValues, Result>(
  values: Values,
  io: Io,
  use: (session: ClusterSession<Values>) => Promise<Result>,
): Promise<Result> {
  const session = await openCluster(values, io);
  try {
    return await use(session);
  } finally {
    session.close();
  }
}

/** For a command that goes on if a cluster can't be opened: the failure is its result. */
export async function tryOpenCluster<Values extends OpenValues>(
  values: Values,
  io: Io,
  warn?: Warn,
): Promise<ClusterSession<Values> | FailedCycle> {
  try {
    return await openCluster(values, io, warn);
  } catch (thrown) {
    if (!(thrown instanceof FailedError)) throw thrown;
    const failure = { reason: "KubeconfigUnreadable", message: thrown.message } as const;
    return { kind: "failed", failure, observedAt: io.now() };
  }
}

type FailedCycle = Extract<CycleResult, { readonly kind: "failed" }>;

/** What a command says about its cycles. */
export type CycleValues = ReadLimitValues & { readonly lifted?: OperatorRisks };

/** A cycle without its targets. */
export type CycleBase = Omit<CyclesInput, "targets">;

/** What all cycles over a cluster have in common. */
export function buildCycle(
  { values, io, reader, observedAt }: ClusterSession<CycleValues>,
  { checks, leftOut }: CheckSelection,
  onRead: NonNullable<CycleBase["onRead"]>,
): CycleBase {
  const { concurrency, "check-timeout": checkTimeout, "cycle-timeout": cycleTimeout, lifted } = values;
  const limits = { concurrency, checkTimeout, cycleTimeout, signal: io.stopSignal };
  const now = observedAt ?? io.now();
  return { checks, leftOut, reader, now, ...limits, onRead, ...defined({ operatorRisks: lifted }) };
}

/** Shows the progress of cycles while they run. */
export async function runWithProgress<Result>(
  session: ClusterSession<CycleValues & VerboseValues>,
  selection: CheckSelection,
  run: (cycle: CycleBase) => Promise<Result>,
): Promise<Result> {
  const progress = createProgress(session.io, session.values.verbose);
  try {
    return await run(buildCycle(session, selection, progress.onRead));
  } finally {
    progress.done();
  }
}

/** Judges one target. If that can't be read, neither is the cluster. */
export async function judgeTarget(
  session: ClusterSession<CycleValues & VerboseValues>,
  { target, ...selection }: CheckSelection & { readonly target: CycleTarget },
): Promise<CycleResult> {
  if (target.kind === "failed") return buildTargetFailure(target, session.io);
  return runWithProgress(session, selection, (cycle) => runCycle({ ...cycle, target }));
}

export function buildTargetFailure({ failure }: Extract<CycleTarget, { kind: "failed" }>, io: Io): CycleResult {
  return { kind: "failed", failure, observedAt: io.now() };
}

/** The error of a command that has no result: a stop signal is the reason for whatever failed after it. */
export function buildFailedError(message: string, { stopSignal }: Io): FailedError {
  return new FailedError(stopSignal.aborted ? formatError(stopSignal.reason) : message);
}
