import type { CheckAcceptance, JudgedAcceptance } from "../../../model/acceptance.ts";
import { FailedError, formatError, UsageError } from "../../../model/errors.ts";
import { defined } from "../../../model/optional.ts";
import type { Plan } from "../../../model/plan.ts";
import type { Report } from "../../../model/report.ts";
import type { TargetOffer } from "../../../model/route.ts";
import { formatPlaybook } from "../../../format/playbook/playbook.ts";
import { runCycle } from "../../../runner/cycle.ts";
import { collectAcceptances, warnOfCheckAcceptances } from "../../session/acceptances.ts";
import { openCluster } from "../../client/connection.ts";
import type { PlaybookValues } from "./definition.ts";
import { addGraphOffer } from "../../target/target-offer.ts";
import { acceptLeftOut } from "../../checks/check-selection.ts";
import { readChecksAndTarget } from "../../target/checks-and-target.ts";
import { announceConfig } from "../../settings/found-config.ts";
import { parseReadLimits } from "../../settings/read-limits.ts";
import { printWarnings } from "../../target/target.ts";
import type { Io } from "../../io/io.ts";
import { judgePlan, planCluster } from "../../plan/cluster-plan.ts";
import { createProgress } from "../../session/progress.ts";
import { quoteArgument } from "../../../model/commands.ts";
import { toLine } from "../../../model/visible-text.ts";

/** Writes the way to a target as markdown; resolves with 0 once it is written. */
export async function run(values: PlaybookValues, io: Io): Promise<0> {
  const { to, target, "target-version": version } = values;
  const isTarget = target !== undefined || version !== undefined;
  if (to === undefined && !isTarget)
    throw new UsageError("no target was given: set a version with --to, or a folder with --target");
  if (to !== undefined && isTarget)
    throw new UsageError("--to names the target release: remove --target and --target-version");
  announceConfig(values.config, io);
  const { plan, judged } = to === undefined ? await planTarget(values, io) : await planCluster({ ...values, to }, io);
  const words = formatTargetFlags(values);
  const recheck = `preflight ${to === undefined ? "check" : "plan"} ${words}`;
  io.out(formatPlaybook({ plan, judged, recheck, command: `preflight playbook ${words}`, isRoute: to !== undefined }));
  return 0;
}

/** The flags that name the releases. Those of the cluster differ from one reader to the next. */
function formatTargetFlags({ to, graph, release, target, "target-version": version }: PlaybookValues): string {
  const flags = [
    ["to", to],
    ["graph", graph],
    ...release.map((folder) => ["release", folder]),
    ["target", target],
    ["target-version", version],
  ];
  return flags
    .flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag} ${quoteArgument(toLine(value))}`]))
    .join(" ");
}

/** One target that was given, as a plan of one step. */
async function planTarget(
  values: PlaybookValues,
  io: Io,
): Promise<{ readonly plan: Plan; readonly judged: readonly (readonly JudgedAcceptance[])[] }> {
  const { config } = values;
  const acceptChecks = config?.acceptChecks ?? [];
  const { report, offer } = await checkTarget(values, acceptChecks, io);
  warnOfCheckAcceptances(acceptChecks, [report], io);
  const plan = buildOneStepPlan(report, offer);
  return { plan, judged: judgePlan(plan, collectAcceptances(values.accept, config?.accept), io) };
}

async function checkTarget(
  values: PlaybookValues,
  acceptances: readonly CheckAcceptance[],
  io: Io,
): Promise<{ readonly report: Report; readonly offer?: TargetOffer }> {
  const readLimits = parseReadLimits(values);
  const given = await readChecksAndTarget({ ...values, crds: undefined });
  const leftOut = acceptLeftOut(given.leftOut, acceptances);
  printWarnings(given.target, io);
  const cluster = await openCluster(values, io);
  const progress = createProgress(io, values.verbose);
  try {
    const { onRead } = progress;
    const [now, signal] = [io.now(), io.stopSignal];
    const { checks, target, offer } = await addGraphOffer(given, values, cluster, io);
    const result = await runCycle({
      checks,
      leftOut,
      target,
      reader: cluster.reader,
      now,
      signal,
      ...readLimits,
      onRead,
    });
    if (result.kind === "completed") return { report: result.report, ...defined({ offer }) };
    throw new FailedError(signal.aborted ? formatError(signal.reason) : result.failure.message);
  } finally {
    progress.done();
    cluster.close();
  }
}

function buildOneStepPlan(report: Report, offer: TargetOffer | undefined): Plan {
  const { source, target, image, observedAt } = report;
  const to = { kind: "release", version: target, channels: [], ...defined({ image }) } as const;
  const step = { to, recommendation: offer?.recommendation ?? { kind: "unknown" } } as const;
  const result = { kind: "checked", report, pending: [], repeated: new Map<string, number>() } as const;
  return { route: { basis: "rule", source, steps: [step] }, observedAt, steps: [{ from: source.text, step, result }] };
}
