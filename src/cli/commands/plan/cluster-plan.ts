import type { PlanView } from "../../../format/plan/plan-view.ts";
import { listReports, type Plan, type PlannedStep, type StepResult } from "../../../model/plan.ts";
import { formatStepTarget } from "../../../model/route.ts";
import { allowsControlPlaneOnly } from "../../../release/graph/minor-route.ts";
import { findNeededChannels } from "../../../release/graph/update-service.ts";
import type { CycleBase } from "../../../runner/cycle.ts";
import { gatherReads, type GatheringInput } from "../../../runner/gather/gathering.ts";
import { runSteps } from "../../../runner/plan-cycles.ts";
import { type ChosenValues, parseChecks } from "../../checks/check-selection.ts";
import type { Io } from "../../io/io.ts";
import { type JudgingValues, judgeReports, warnOfCheckAcceptances } from "../../session/acceptances.ts";
import { type CycleValues, buildFailedError, runWithProgress } from "../../session/session.ts";
import { type ClusterRoute, readRoute, buildStepReaders } from "./route.ts";
import { textAt } from "../../../model/json.ts";
import { eachMetadata, onlyOn, soundInPart } from "../../../model/read.ts";
import { HOSTED_TOPOLOGY, buildTopologyRead } from "../../../model/infrastructure.ts";
import { type ClusterSession, type OpenValues, withSession } from "../../client/connection.ts";
import type { GraphValues } from "../../target-release/update-graph.ts";
import type { ImageValues } from "../../target-release/image-target.ts";
import { FailedError, UsageError } from "../../../model/errors.ts";
import type { Version } from "../../../model/version.ts";
import { readReleaseVersion } from "../../../release/payload/release-identity.ts";

/** Finds the updates that lead to a version and checks each of them. */
export async function planCluster(values: PlanningValues, io: Io): Promise<PlanView> {
  const folders = await readReleaseFolders(values.release);
  return withSession({ ...values, folders }, io, async (session) => {
    const plan = await checkRoute(await readRoute(session), session);
    const given = new Map(folders.map(({ version, path }) => [version.text, path]));
    return { ...judgePlan(plan, values, io), cluster: session.origin, folders: given };
  });
}

/** Judges the acceptances for each step, and warns of those that hold in none. */
export function judgePlan(plan: Plan, values: JudgingValues, io: Io): PlanView {
  const reports = listReports(plan);
  warnOfCheckAcceptances(reports, values, io);
  return { plan, judged: judgeReports(reports, values, io) };
}

async function checkRoute({ route, channel }: ClusterRoute, session: PlanSession): Promise<Plan> {
  const { values, io } = session;
  const run = async (cycle: CycleBase): Promise<Plan> => {
    const result = await runSteps(cycle, buildStepReaders(route, session));
    if (result.kind === "failed") throw buildFailedError(result.failure.message, io);
    const steps = buildPlannedSteps(route, channel, result.results);
    const isHosted = await readIsHosted(result.results, cycle);
    const pools = !isHosted && allowsControlPlaneOnly(route) ? await readPausablePools(cycle) : [];
    const controlPlaneOnly = pools.length === 0 ? undefined : { pools };
    return { route, observedAt: cycle.now, steps, isHosted: isHosted || undefined, controlPlaneOnly };
  };
  return runWithProgress(session, parseChecks(values), run, io.parent);
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
    const step = steps[i];
    const before = steps[i - 1];
    if (step === undefined) return [];
    const from = before === undefined ? source.text : formatStepTarget(before.to);
    return [{ from, step, result, channel: channels[i] }];
  });
}

export const topologyRead = onlyOn("openshift", buildTopologyRead());

/** By the reports; without any, by the cluster's own word. */
async function readIsHosted(results: readonly StepResult[], cycle: GatheringInput): Promise<boolean> {
  const reports = results.flatMap((result) => (result.kind === "checked" ? [result.report] : []));
  if (reports.length > 0) return reports.some(({ isHosted }) => isHosted === true);
  const topology = (await gatherReads([topologyRead], cycle)).get(topologyRead);
  return topology?.kind === "found" && "value" in topology && topology.value === HOSTED_TOPOLOGY;
}

/** The pools of the control plane, which every update needs. */
const CONTROL_PLANE_POOLS = ["master", "arbiter"];

/** As an API server allows them. They end in commands to copy, so nothing else that an archive may hold gets past. */
const POOL_NAME = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;

/** The names of the pools that may be paused. */
export const poolsRead = soundInPart(
  "object",
  eachMetadata("machineconfiguration.openshift.io/v1/machineconfigpools", (pool) => {
    const name = textAt(pool, "metadata", "name") ?? "";
    return POOL_NAME.test(name) && !CONTROL_PLANE_POOLS.includes(name) ? name : undefined;
  }),
);

/** Empty if there are none, or if they can't be read. */
export async function readPausablePools(cycle: GatheringInput): Promise<readonly string[]> {
  const pools = (await gatherReads([poolsRead], cycle)).get(poolsRead);
  return pools?.kind === "found" && "values" in pools ? pools.values.map(String) : [];
}

/** What a plan needs, whatever is made of it. `release`: folders of releases on the way. */
type PlanningValues = OpenValues &
  CycleValues &
  ChosenValues &
  JudgingValues &
  GraphValues &
  ImageValues & { readonly to: string; readonly release: readonly string[] };

/** With the folders that --release names. */
export type PlanSession = ClusterSession<PlanningValues & { readonly folders: readonly ReleaseFolder[] }>;

/** A folder that --release names. */
export type ReleaseFolder = { readonly path: string; readonly version: Version };

/** Reads the version of each folder. Throws a FailedError for an unreadable one, and a UsageError for two of one version. */
export async function readReleaseFolders(paths: readonly string[]): Promise<readonly ReleaseFolder[]> {
  const folders: ReleaseFolder[] = [];
  for (const path of paths) {
    const result = await readReleaseVersion(path);
    if (result.kind === "failed") throw new FailedError(`--release ${path}: ${result.failure.message}`);
    const { version } = result;
    const same = folders.find((folder) => folder.version.text === version.text);
    if (same !== undefined) throw new UsageError(`--release ${same.path} and ${path} both have ${version.text}`);
    folders.push({ path, version });
  }
  return folders;
}
