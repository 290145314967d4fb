import type { ClusterOrigin } from "../../format/view/view.ts";
import { FailedError, formatError } from "../../model/errors.ts";
import type { CycleFailure, CycleResult } from "../../model/report.ts";
import type { TargetOffer } from "../../model/route.ts";
import { type CycleBase, type CycleInput, runCycle } from "../../runner/cycle.ts";
import type { FailedCycle, OperatorRisks } from "../../runner/updates/update.ts";
import type { CheckSelection } from "../checks/check-selection.ts";
import { type ClusterSession, type OpenValues, openCluster, withSession } from "../client/connection.ts";
import type { Io } from "../io/io.ts";
import { type Parent, createProgressSender } from "../process/parent.ts";
import type { ReadLimitValues } from "../settings/judging-settings.ts";
import type { VerboseValues } from "../settings/shared-settings.ts";
import type { ChecksAndTarget, ReleaseValues } from "../target-release/checks-and-target.ts";
import { completeTarget, readGivenTarget } from "../target-release/checks-and-target.ts";
import { printSkipped } from "../target-release/target.ts";
import { formatCount } from "../../model/text.ts";
import type { ReadStats } from "../../runner/gather/gather.ts";
import type { CycleProgress } from "../../runner/gather/gathering.ts";
import { isolateCheck, leaveOutSeparate } from "../../runner/isolation.ts";
import type { ParentMessage } from "../process/messages.ts";
import { startWorkLimit } from "../process/work-limit.ts";
import { addListSignature, type BugListValues } from "../target-release/known-bugs-signature.ts";

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

const FILE_READS = 4;

type CycleSession = Pick<ClusterSession<CycleValues>, "values" | "reader" | "observedAt" | "findServerLimit"> & {
  readonly io: Pick<Io, "now" | "stopSignal">;
};

/** What all cycles over a cluster have in common. */
export function buildCycle(
  { values, io, reader, observedAt, findServerLimit }: CycleSession,
  selection: CheckSelection,
  progress: CycleProgress,
): CycleBase {
  const { concurrency: most, "check-timeout": checkTimeout, "cycle-timeout": cycleTimeout, lifted } = values;
  // A recording and an archive are files, which nobody waits for: more at a time would only take memory.
  const concurrency = findServerLimit === undefined ? Math.min(most, FILE_READS) : most;
  return {
    selection: { ...selection, operatorRisks: lifted },
    reader,
    now: observedAt ?? io.now(),
    signal: io.stopSignal,
    limits: { concurrency, findServerLimit, checkTimeout, cycleTimeout, startWorkLimit },
    progress,
  };
}

/** `isWhole`: whether all its checks run here, so that this process can go on with the next cycle. */
type RunCycles<Result> = (cycle: CycleBase, isWhole: boolean) => Promise<Result>;

/** Shows the progress of cycles while they run. `supervisor`: runs this command again without the checks that end its process. */
export async function runWithProgress<Result>(
  session: ClusterSession<CycleValues & VerboseValues & BugListValues>,
  selection: CheckSelection,
  run: RunCycles<Result>,
  supervisor?: Parent,
): Promise<Result> {
  const checks = await addListSignature(selection.checks, session);
  const progress = createProgress(session.io, session.values.verbose);
  const cycle = buildCycle(session, { ...selection, checks }, progress);
  try {
    return await (supervisor === undefined ? run(cycle, true) : runAsAsked(supervisor, { session, cycle, run }));
  } finally {
    progress.done();
  }
}

/** Runs a cycle, or one after the other, and resolves with the result of the last. */
type RunTarget = (input: CycleInput, isWhole: boolean) => Promise<CycleResult>;

/** Judges one target. If that can't be read, neither is the cluster. */
export async function judgeTarget(
  session: ClusterSession<CycleValues & VerboseValues & BugListValues>,
  { target, ...selection }: ChecksAndTarget,
  supervisor?: Parent,
  run: RunTarget = runCycle,
): Promise<CycleResult> {
  if (target.kind === "failed") return buildFailedCycle(target.failure, session.io);
  return runWithProgress(session, selection, (cycle, isWhole) => run({ ...cycle, target }, isWhole), supervisor);
}

/** How a cycle ended, where its objects were read, and how the target is offered; absent if the cluster was not opened, or no update graph was read. */
export type TargetCheck = {
  readonly result: CycleResult;
  readonly cluster?: ClusterOrigin;
  readonly offer?: TargetOffer;
};

/** What runs instead of one cycle, over the cluster that is open. */
export type Repeat = (session: ClusterSession, origin: Omit<TargetCheck, "result">) => RunTarget;

/** Reads the target, then the cluster, and runs the checks once, or as `repeat` says. */
export async function checkTarget(
  values: ReleaseValues & OpenValues & CycleValues,
  io: Io,
  repeat?: Repeat,
): Promise<TargetCheck> {
  const given = await readGivenTarget(values);
  if (given !== undefined) printSkipped(given.target.warnings, io);
  if (given?.target.kind === "failed") return { result: buildFailedCycle(given.target.failure, io) };
  return withSession(values, io, async (session) => {
    const { offer, ...completed } = await completeTarget(given, session);
    if (given === undefined) printSkipped(completed.target.warnings, io);
    const origin = { cluster: session.origin, offer };
    const result = await judgeTarget(session, completed, findSupervisor(values, io), repeat?.(session, origin));
    return { result, ...origin };
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

type AskedCycles<Result> = {
  readonly session: Pick<ClusterSession, "io" | "observedAt">;
  readonly cycle: CycleBase;
  readonly run: RunCycles<Result>;
};

/** Runs the cycles of a command as its supervisor asks: with all checks, or with one, whose results are for the supervisor alone. */
async function runAsAsked<Result>(supervisor: Parent, asked: AskedCycles<Result>): Promise<Result> {
  const { session, cycle, run } = asked;
  const { task, stopped } = receiveTask(supervisor);
  const message = await task;
  const { onBegin, onRead } = createProgressSender(supervisor);
  const progress: CycleProgress = {
    onBegin,
    onRead: (stats) => {
      onRead(stats);
      cycle.progress?.onRead?.(stats);
    },
  };
  if (message.kind === "cycle") {
    // What others have judged, they have read before.
    const now = message.separate.size === 0 ? cycle.now : (session.observedAt ?? message.observedAt);
    const isolation = leaveOutSeparate(message.separate);
    return run({ ...cycle, now, progress, isolation }, message.separate.size === 0);
  }
  const { isolation, updates } = isolateCheck(message.check);
  await run({ ...cycle, now: session.observedAt ?? message.observedAt, progress, isolation }, false);
  supervisor.send({ kind: "judged", updates });
  session.io.exit((await stopped).exitCode);
  return new Promise(() => {});
}

type Task = Extract<ParentMessage, { readonly kind: "cycle" | "separate" }>;
type Stop = Extract<ParentMessage, { readonly kind: "stop" }>;

function receiveTask(supervisor: Parent): { readonly task: Promise<Task>; readonly stopped: Promise<Stop> } {
  const task = Promise.withResolvers<Task>();
  const stopped = Promise.withResolvers<Stop>();
  supervisor.onMessage((message) => {
    if (message.kind === "cycle" || message.kind === "separate") task.resolve(message);
    if (message.kind === "stop") stopped.resolve(message);
  });
  supervisor.send({ kind: "ready", target: undefined });
  return { task: task.promise, stopped: stopped.promise };
}

/** stdin can be read once, so a command that has read it can't run again. */
function findSupervisor({ crds, recheck }: ReleaseValues, { parent }: Pick<Io, "parent">): Io["parent"] {
  return crds === "-" || recheck === "-" ? undefined : parent;
}
