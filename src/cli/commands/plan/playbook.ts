import { playbookFormats } from "../../../format/plan/index.ts";
import type { PlanView, PlaybookView } from "../../../format/plan/plan-view.ts";
import { replaceProgram } from "../../../model/program-name.ts";
import { UsageError } from "../../../model/errors.ts";
import type { Plan } from "../../../model/plan.ts";
import type { Report } from "../../../model/report.ts";
import type { TargetOffer } from "../../../model/route.ts";
import type { Io } from "../../io/io.ts";
import { type CheckSetValues, withCheckSet } from "../../checks/check-set.ts";
import { judgePlan, planCluster } from "./cluster-plan.ts";
import { printResult } from "../../session/result.ts";
import { buildFailedError, checkTarget } from "../../session/session.ts";
import { announceConfig } from "../../settings/config-file.ts";
import { formatRepeatedFlags } from "../../settings/repeated-flags.ts";
import { type PlaybookValues, plan as planCommand, playbook } from "./definition.ts";

/** Writes the way to a target; resolves with 0 once it is written. */
export async function run(given: PlaybookValues, io: Io): Promise<0> {
  const { to, target, "target-version": version } = given;
  const isTarget = target !== undefined || version !== undefined;
  if (to === undefined && !isTarget)
    throw new UsageError("no target was given: set a version with --to, or a folder with --target");
  if (to !== undefined && isTarget)
    throw new UsageError("--to names the target release: remove --target and --target-version");
  announceConfig(given.config, given["must-gather"] !== undefined, io);
  const values = await withCheckSet(given, io);
  const { plan, judged } = to === undefined ? await planTarget(values, io) : await planCluster({ ...values, to }, io);
  const command = `preflight playbook ${formatRepeatedFlags(playbook.settings, given)}`;
  const view = { plan, judged, command, ...buildRechecks(given), isRoute: to !== undefined };
  await printResult(values.output, (format, { program }) => replaceProgram(playbookFormats[format](view), program), io);
  return 0;
}

/** A folder on the way is for a plan only. */
const { release: _release, ...checkedSettings } = playbook.settings;

/** The commands that check the same updates again. */
function buildRechecks(values: PlaybookValues): Pick<PlaybookView, "recheck" | "recheckSome"> {
  const isCheck = values.to === undefined;
  const [name, settings] = isCheck ? (["check", checkedSettings] as const) : (["plan", planCommand.settings] as const);
  const format = (given: PlaybookValues): string => `preflight ${name} ${formatRepeatedFlags(settings, given)}`;
  return { recheck: format(values), recheckSome: format({ ...values, only: [], skip: [] }) };
}

/** One target that was given, as a plan of one step. */
async function planTarget(values: PlaybookValues & CheckSetValues, io: Io): Promise<PlanView> {
  const { result, offer } = await checkTarget(values, io);
  if (result.kind === "failed") throw buildFailedError(result.failure.message, io);
  return judgePlan(buildOneStepPlan(result.report, offer), values, io);
}

function buildOneStepPlan(report: Report, offer: TargetOffer | undefined): Plan {
  const { source, target, image, observedAt } = report;
  const to = { kind: "release", version: target, channels: [], image } as const;
  const step = { to, recommendation: offer?.recommendation ?? { kind: "unknown" } } as const;
  const result = { kind: "checked", report, pending: [], repeated: new Map<string, number>() } as const;
  const route = { basis: "rule", source, steps: [step] } as const;
  return { route, observedAt, steps: [{ from: source.text, step, result }], isHosted: report.isHosted };
}
