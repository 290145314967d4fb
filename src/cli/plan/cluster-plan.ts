import type { ClusterOrigin } from "../../format/view/view.ts";
import type { JudgedAcceptance } from "../../model/acceptance.ts";
import { defined } from "../../model/optional.ts";
import type { Plan, PlannedStep, StepResult } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import { formatStepTarget } from "../../model/route.ts";
import { allowsControlPlaneOnly } from "../../release/graph/control-plane-only.ts";
import { findNeededChannels } from "../../release/graph/update-service.ts";
import { runSteps } from "../../runner/plan-cycles.ts";
import { parseChecks } from "../checks/check-selection.ts";
import type { Io } from "../io/io.ts";
import { type AcceptanceValues, judgeReports, warnOfCheckAcceptances } from "../session/acceptances.ts";
import { buildFailedError, runWithProgress, withSession } from "../session/session.ts";
import type { PlanningValues } from "./plan-values.ts";
import { readPausablePools } from "./pools.ts";
import { readReleaseFolders } from "./release-folders.ts";
import { type ClusterRoute, readRoute } from "./route.ts";
import { buildStepReaders, type RouteReleases } from "./step-targets.ts";

/** A plan, and what became of the acceptances in each step. */
export type JudgedPlan = { readonly plan: Plan; readonly judged: readonly (readonly JudgedAcceptance[])[] };

/** Finds the updates that lead to a version and checks each of them. */
export async function planCluster(
  values: PlanningValues,
  io: Io,
): Promise<JudgedPlan & { readonly cluster: ClusterOrigin }> {
  const folders = await readReleaseFolders(values.release);
  return withSession(values, io, async (session) => {
    const route = await readRoute(folders, session);
    // Folders without a graph are for a place without an update service and its registry.
    const readsImages = folders.length === 0 || values.graph !== undefined;
    const plan = await checkRoute(route, { folders, readsImages, session });
    return { ...judgePlan(plan, values, io), cluster: session.origin };
  });
}

/** Judges the acceptances for each step, and warns of those that hold in none. */
export function judgePlan(plan: Plan, values: AcceptanceValues, io: Io): JudgedPlan {
  const reports = listStepReports(plan);
  warnOfCheckAcceptances(reports, values, io);
  return { plan, judged: judgeReports(reports, values, io) };
}

/** By step; undefined for one that was not checked. */
export function listStepReports({ steps }: Plan): readonly (Report | undefined)[] {
  return steps.map(({ result }) => (result.kind === "checked" ? result.report : undefined));
}

async function checkRoute({ route, channel }: ClusterRoute, releases: RouteReleases): Promise<Plan> {
  const { session } = releases;
  const { values, io, reader } = session;
  return runWithProgress(session, parseChecks(values), async (cycle) => {
    const result = await runSteps(cycle, buildStepReaders(route, releases));
    if (result.kind === "failed") throw buildFailedError(result.failure.message, io);
    const steps = buildPlannedSteps(route, channel, result.results);
    const pools = allowsControlPlaneOnly(route) ? await readPausablePools(reader, io.stopSignal) : [];
    return { route, observedAt: cycle.now, steps, ...(pools.length === 0 ? {} : { controlPlaneOnly: { pools } }) };
  });
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
