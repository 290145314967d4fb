import { FailedError, formatError } from "../../model/errors.ts";
import type { Acceptance, JudgedAcceptance } from "../../model/acceptance.ts";
import type { ClusterOrigin } from "../../format/view/view.ts";
import { defined } from "../../model/optional.ts";
import { getRisks, listReports, type Plan, type PlannedStep, type StepResult } from "../../model/plan.ts";
import { formatStepTarget } from "../../model/route.ts";
import { runSteps } from "../../runner/plan-cycles.ts";
import { allowsControlPlaneOnly } from "../../release/graph/control-plane-only.ts";
import { findNeededChannels } from "../../release/graph/update-service.ts";
import { collectAcceptances, warnOfAcceptances, warnOfCheckAcceptances } from "../session/acceptances.ts";
import { openCluster } from "../client/connection.ts";
import type { PlanValues } from "../commands/plan/definition.ts";
import { acceptLeftOut, type CheckSelection, parseChecks } from "../checks/check-selection.ts";
import { parseReadLimits, type ReadLimits } from "../settings/read-limits.ts";
import type { Io } from "../io/io.ts";
import { createProgress } from "../session/progress.ts";
import { combineJudgements, judgeStepAcceptances } from "./acceptances.ts";
import { readPausablePools } from "./pools.ts";
import { readReleaseFolders } from "./release-folders.ts";
import { type ClusterRoute, readRoute } from "./route.ts";
import { buildStepReaders, type ReleaseSource } from "./step-targets.ts";

/** What a plan needs, whatever is made of it. */
export type PlanningValues = Omit<PlanValues, "output" | "fail-on">;

/** A plan of a cluster, and what became of the acceptances in each step. */
export type ClusterPlan = {
  readonly plan: Plan;
  readonly cluster: ClusterOrigin;
  readonly judged: readonly (readonly JudgedAcceptance[])[];
};

/** Finds the updates that lead to a version and checks each of them. */
export async function planCluster(values: PlanningValues, io: Io): Promise<ClusterPlan> {
  const { config } = values;
  const readLimits = parseReadLimits(values);
  const folders = await readReleaseFolders(values.release);
  const cluster = await openCluster(values, io);
  try {
    const route = await readRoute({ to: values.to, values, folders, cluster, io });
    // Folders without a graph are for a place without an update service and its registry.
    const readsImages = folders.length === 0 || values.graph !== undefined;
    const { checks, leftOut } = parseChecks(values);
    const selection = { checks, leftOut: acceptLeftOut(leftOut, config?.acceptChecks) };
    const releases = { folders, readsImages, values, cluster, io };
    const plan = await checkRoute(route, releases, selection, values, readLimits);
    warnOfCheckAcceptances(config?.acceptChecks ?? [], listReports(plan), io);
    const judged = judgePlan(plan, collectAcceptances(values.accept, config?.accept), io);
    return { plan, cluster: cluster.origin, judged };
  } finally {
    cluster.close();
  }
}

/** Judges the acceptances for each step, and warns of those that hold in none. */
export function judgePlan(plan: Plan, acceptances: readonly Acceptance[], io: Io): ClusterPlan["judged"] {
  const judged = judgeStepAcceptances(plan, acceptances);
  warnOfAcceptances(combineJudgements(judged), { risks: plan.steps.flatMap(getRisks) }, io);
  return judged;
}

async function checkRoute(
  { route, channel }: ClusterRoute,
  releases: ReleaseSource,
  selection: CheckSelection,
  values: PlanningValues,
  readLimits: ReadLimits,
): Promise<Plan> {
  const { cluster, io } = releases;
  const { reader } = cluster;
  const observedAt = cluster.observedAt ?? io.now();
  const progress = createProgress(io, values.verbose);
  try {
    const result = await runSteps(
      {
        ...selection,
        reader,
        now: observedAt,
        signal: io.stopSignal,
        ...readLimits,
        onRead: progress.onRead,
      },
      buildStepReaders(route, releases),
    );
    if (result.kind === "failed")
      throw new FailedError(io.stopSignal.aborted ? formatError(io.stopSignal.reason) : result.failure.message);
    const steps = buildPlannedSteps(route, channel, result.results);
    const pools = allowsControlPlaneOnly(route) ? await readPausablePools(reader, io.stopSignal) : [];
    return { route, observedAt, steps, ...(pools.length === 0 ? {} : { controlPlaneOnly: { pools } }) };
  } finally {
    progress.done();
  }
}

function buildPlannedSteps(
  route: Plan["route"],
  ownChannel: string,
  results: readonly StepResult[],
): readonly PlannedStep[] {
  const { source, steps } = route;
  // The operator lists only updates of the channel that the cluster is subscribed to.
  const channels = route.basis === "clusterVersion" ? [] : findNeededChannels(ownChannel, route);
  return results.flatMap((result, i) => {
    const [step, before] = [steps[i], steps[i - 1]];
    if (step === undefined) return [];
    const from = before === undefined ? source.text : formatStepTarget(before.to);
    return [{ from, step, result, ...defined({ channel: channels[i] }) }];
  });
}
