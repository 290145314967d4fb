import { selectAcceptedNames } from "../../format/acceptances.ts";
import { formatPlanJson } from "../../format/plan/plan-json.ts";
import { formatPlanTable } from "../../format/plan/plan-table.ts";
import type { PlanView } from "../../format/plan/plan-view.ts";
import type { ClusterOrigin } from "../../format/view.ts";
import type { Acceptance } from "../../model/acceptance.ts";
import { FailedError, formatError } from "../../model/errors.ts";
import { defined } from "../../model/optional.ts";
import { getRisks, type Plan, type PlannedStep, type StepResult } from "../../model/plan.ts";
import { formatStepTarget } from "../../model/route.ts";
import { runSteps } from "../../runner/plan.ts";
import { allowsControlPlaneOnly } from "../../update-graph/control-plane-only.ts";
import { findNeededChannels } from "../../update-graph/update-service.ts";
import { collectAcceptances, warnOfAcceptances } from "../acceptances.ts";
import { openCluster } from "../client/connection.ts";
import type { PlanValues } from "../definitions/plan.ts";
import { getPlanExitCode } from "../exit-code.ts";
import { parseChecks } from "../inputs/check-selection.ts";
import { readConfig } from "../inputs/config-file.ts";
import { parseReadLimits, type ReadLimits } from "../inputs/read-limits.ts";
import { hasColour, type Io } from "../io.ts";
import { writeOutputFiles } from "../output-files.ts";
import { combineJudgements, judgeStepAcceptances } from "../plan/acceptances.ts";
import { readPausablePools } from "../plan/pools.ts";
import { readReleaseFolders } from "../plan/release-folders.ts";
import { type ClusterRoute, readRoute } from "../plan/route.ts";
import { buildStepReaders, type ReleaseSource } from "../plan/step-targets.ts";
import { createProgress } from "../progress.ts";
import { buildRunFacts } from "../run-facts.ts";
import { hasLinks } from "../terminal-links.ts";

/** Finds the updates that lead to a version, checks each and prints the plan; resolves with the exit code. */
export async function run(values: PlanValues, io: Io): Promise<number> {
  const config = await readConfig(values.config);
  const readLimits = parseReadLimits(values);
  const folders = await readReleaseFolders(values.release);
  const cluster = await openCluster(values, io);
  try {
    const route = await readRoute({ to: values.to, graph: values.graph, folders, reader: cluster.reader, io });
    // Folders without a graph are for a place without an update service and its registry.
    const readsImages = folders.length === 0 || values.graph !== undefined;
    const plan = await checkRoute(route, { folders, readsImages, values, cluster, io }, values, readLimits);
    return await printPlan(plan, collectAcceptances(values.accept, config?.accept), cluster.origin, values, io);
  } finally {
    cluster.close();
  }
}

async function checkRoute(
  { route, channel }: ClusterRoute,
  releases: ReleaseSource,
  values: PlanValues,
  readLimits: ReadLimits,
): Promise<Plan> {
  const { cluster, io } = releases;
  const { reader } = cluster;
  const observedAt = cluster.observedAt ?? io.now();
  const progress = createProgress(io, values.verbose);
  try {
    const result = await runSteps(
      {
        checks: parseChecks(values),
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

async function printPlan(
  plan: Plan,
  acceptances: readonly Acceptance[],
  cluster: ClusterOrigin,
  values: PlanValues,
  io: Io,
): Promise<number> {
  const judged = judgeStepAcceptances(plan, acceptances);
  warnOfAcceptances(combineJudgements(judged), { risks: plan.steps.flatMap(getRisks) }, io);
  const accepted = judged.map(selectAcceptedNames);
  const run = buildRunFacts(values, plan.observedAt, undefined, 0);
  const view: PlanView = { plan, cluster, accepted, colour: hasColour(io), links: hasLinks(io), width: io.width };
  const formatAs = (format: "table" | "json", of: PlanView): string =>
    format === "json" ? formatPlanJson(of, run) : formatPlanTable(of);
  await writeOutputFiles(values.output.files, (format) => formatAs(format, { ...view, colour: false, links: false }));
  const write = view.colour || view.links ? io.outStyled : io.out;
  write(formatAs(values.output.stdout, view));
  return getPlanExitCode(plan, accepted, values["fail-on"]);
}
