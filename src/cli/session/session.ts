import type { ClusterOrigin } from "../../format/view/view.ts";
import { FailedError, formatError } from "../../model/errors.ts";
import type { CycleFailure, CycleResult } from "../../model/report.ts";
import type { TargetOffer } from "../../model/route.ts";
import { type CycleBase, runCycle } from "../../runner/cycle.ts";
import type { FailedCycle, OperatorRisks } from "../../runner/updates/prepare-update.ts";
import type { CheckSelection } from "../checks/check-selection.ts";
import { type ClusterSession, openCluster, type OpenValues, withSession } from "../client/connection.ts";
import type { Io } from "../io/io.ts";
import type { Parent } from "../process/parent.ts";
import { startWorkLimit } from "../process/work-limit.ts";
import type { ReadLimitValues } from "../settings/config-settings.ts";
import type { VerboseValues } from "../settings/shared-settings.ts";
import {
  type ChecksAndTarget,
  completeTarget,
  readGivenTarget,
  type ReleaseValues,
} from "../target-release/checks-and-target.ts";
import { addListSignature, type BugListValues } from "../target-release/known-bugs-signature.ts";
import { printSkipped } from "../target-release/target.ts";
import { findSupervisor, runAsAsked } from "./supervised-cycles.ts";
import { formatCount } from "../../model/count.ts";
import type { ReadStats } from "../../runner/gather/gather.ts";
import type { CycleProgress } from "../../runner/gather/gathering.ts";

/** For a command that goes on if a cluster can't be opened: the failure is its result. */
export async function tryOpenCluster<Values extends OpenValues>(
  values: Values,
  io: Io,
): Promise<ClusterSession<Values> | FailedCycle> {
  try {
    return await openCluster(values, io);
  } catch (thrown) {
    if (!(thrown instanceof FailedError)) throw thrown;
    return buildFailedCycle({ reason: "KubeconfigUnreadable", message: thrown.message }, io);
  }
}

export function buildFailedCycle(failure: CycleFailure, io: Io): FailedCycle {
  return { kind: "failed", failure, observedAt: io.now() };
}

/** What a command says about its cycles. */
export type CycleValues = ReadLimitValues & { readonly lifted?: OperatorRisks };

/** What all cycles over a cluster have in common. */
export function buildCycle(
  { values, io, reader, observedAt }: ClusterSession<CycleValues>,
  selection: CheckSelection,
  progress: CycleProgress,
): CycleBase {
  const { concurrency, "check-timeout": checkTimeout, "cycle-timeout": cycleTimeout, lifted } = values;
  return {
    selection: { ...selection, operatorRisks: lifted },
    reader,
    now: observedAt ?? io.now(),
    signal: io.stopSignal,
    limits: { concurrency, checkTimeout, cycleTimeout, startWorkLimit },
    progress,
  };
}

/** Shows the progress of cycles while they run. `supervisor`: runs this command again without the checks that end its process. */
export async function runWithProgress<Result>(
  session: ClusterSession<CycleValues & VerboseValues & BugListValues>,
  selection: CheckSelection,
  run: (cycle: CycleBase) => Promise<Result>,
  supervisor?: Parent,
): Promise<Result> {
  const checks = await addListSignature(selection.checks, session);
  const progress = createProgress(session.io, session.values.verbose);
  const cycle = buildCycle(session, { ...selection, checks }, progress);
  try {
    return await (supervisor === undefined ? run(cycle) : runAsAsked(supervisor, { session, cycle, run }));
  } finally {
    progress.done();
  }
}

/** Judges one target. If that can't be read, neither is the cluster. */
export async function judgeTarget(
  session: ClusterSession<CycleValues & VerboseValues & BugListValues>,
  { target, ...selection }: ChecksAndTarget,
  supervisor?: Parent,
): Promise<CycleResult> {
  if (target.kind === "failed") return buildFailedCycle(target.failure, session.io);
  return runWithProgress(session, selection, (cycle) => runCycle({ ...cycle, target }), supervisor);
}

/** How a cycle ended, where its objects were read, and how the target is offered; absent if the cluster was not opened, or no update graph was read. */
export type TargetCheck = {
  readonly result: CycleResult;
  readonly cluster?: ClusterOrigin;
  readonly offer?: TargetOffer;
};

/** Reads the target, then the cluster, and runs the checks once. */
export async function checkTarget(values: ReleaseValues & OpenValues & CycleValues, io: Io): Promise<TargetCheck> {
  const given = await readGivenTarget(values);
  if (given !== undefined) printSkipped(given.target.warnings, io);
  if (given?.target.kind === "failed") return { result: buildFailedCycle(given.target.failure, io) };
  return withSession(values, io, async (session) => {
    const { offer, ...completed } = await completeTarget(given, session);
    if (given === undefined) printSkipped(completed.target.warnings, io);
    const result = await judgeTarget(session, completed, findSupervisor(values, io));
    return { result, cluster: session.origin, offer };
  });
}

/** The error of a command that has no result: a stop signal is the reason for whatever failed after it. */
export function buildFailedError(message: string, { stopSignal }: Io): FailedError {
  return new FailedError(stopSignal.aborted ? formatError(stopSignal.reason) : message);
}

/** Shows the progress of the reads on stderr if it is a terminal and --verbose does not write there; `done` clears the line. */
function createProgress(
  io: Io,
  isVerbose = false,
): { readonly onRead: (end: ReadStats) => void; readonly done: () => void } {
  if (!io.isErrTerminal || isVerbose) return { onRead: () => {}, done: () => {} };
  let reads = 0;
  let objects = 0;
  const onRead = (end: ReadStats): void => {
    reads += 1;
    objects += end.objects;
    io.progress(`Reading the cluster: ${formatCount(reads, "read")}, ${formatCount(objects, "object")}`);
  };
  return { onRead, done: () => io.progress("") };
}
