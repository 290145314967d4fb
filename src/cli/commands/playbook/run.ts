import { playbookFormats } from "../../../format/playbook/index.ts";
import { replaceProgram } from "../../../model/program-name.ts";
import { quoteArgument } from "../../../model/commands.ts";
import { UsageError } from "../../../model/errors.ts";
import { defined } from "../../../model/optional.ts";
import type { Plan } from "../../../model/plan.ts";
import type { Report } from "../../../model/report.ts";
import type { TargetOffer } from "../../../model/route.ts";
import { toLine } from "../../../model/visible-text.ts";
import type { Io } from "../../io/io.ts";
import { type CheckSetValues, withCheckSet } from "../../checks/check-set.ts";
import { type JudgedPlan, judgePlan, planCluster } from "../plan/cluster-plan.ts";
import { printResult } from "../../session/print.ts";
import { buildFailedError, checkTarget } from "../../session/session.ts";
import { announceConfig } from "../../settings/found-config.ts";
import type { PlaybookValues } from "./definition.ts";

/** Writes the way to a target; resolves with 0 once it is written. */
export async function run(given: PlaybookValues, io: Io): Promise<0> {
  const { to, target, "target-version": version } = given;
  const isTarget = target !== undefined || version !== undefined;
  if (to === undefined && !isTarget)
    throw new UsageError("no target was given: set a version with --to, or a folder with --target");
  if (to !== undefined && isTarget)
    throw new UsageError("--to names the target release: remove --target and --target-version");
  announceConfig(given.config, io);
  const values = await withCheckSet(given, io);
  const { plan, judged } = to === undefined ? await planTarget(values, io) : await planCluster({ ...values, to }, io);
  const words = formatTargetFlags(values);
  const recheck = `preflight ${to === undefined ? "check" : "plan"} ${words}`;
  const view = { plan, judged, recheck, command: `preflight playbook ${words}`, isRoute: to !== undefined };
  await printResult(values.output, (format, { program }) => replaceProgram(playbookFormats[format](view), program), io);
  return 0;
}

/** The flags that name the releases and the checks. Those of the cluster differ from one reader to the next. */
function formatTargetFlags(values: PlaybookValues): string {
  const { to, graph, promql, release, checks, target, "target-version": version, "known-bugs": knownBugs } = values;
  const flags = [
    ["to", to],
    ["graph", graph],
    ["promql", promql],
    ...release.map((folder) => ["release", folder]),
    ["target", target],
    ["target-version", version],
    ...checks.map((path) => ["checks", path]),
    ["known-bugs", knownBugs],
  ];
  return flags
    .flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag} ${quoteArgument(toLine(value))}`]))
    .join(" ");
}

/** One target that was given, as a plan of one step. */
async function planTarget(values: PlaybookValues & CheckSetValues, io: Io): Promise<JudgedPlan> {
  const { result, offer } = await checkTarget(values, io);
  if (result.kind === "failed") throw buildFailedError(result.failure.message, io);
  return judgePlan(buildOneStepPlan(result.report, offer), values, io);
}

function buildOneStepPlan(report: Report, offer: TargetOffer | undefined): Plan {
  const { source, target, image, observedAt } = report;
  const to = { kind: "release", version: target, channels: [], ...defined({ image }) } as const;
  const step = { to, recommendation: offer?.recommendation ?? { kind: "unknown" } } as const;
  const result = { kind: "checked", report, pending: [], repeated: new Map<string, number>() } as const;
  return { route: { basis: "rule", source, steps: [step] }, observedAt, steps: [{ from: source.text, step, result }] };
}
