import { planFormats } from "../../../format/plan/index.ts";
import { judgeStep, listSteps } from "../../../format/plan/plan-view.ts";
import type { Io } from "../../io/io.ts";
import { withCheckSet } from "../../checks/check-set.ts";
import { planCluster } from "./cluster-plan.ts";
import { getExitCode, printResult, buildRunFacts } from "../../session/result.ts";
import { announceConfig } from "../../settings/config-file.ts";
import { formatRepeatedFlags } from "../../settings/repeated-flags.ts";
import { plan as command, type PlanValues } from "./definition.ts";

/** Folders of releases are for a plan only, and each step names a target of its own. */
const { to: _to, release: _release, ...stepSettings } = command.settings;

/** Finds the updates that lead to a version, checks each and prints the plan; resolves with the exit code. */
export async function run(given: PlanValues, io: Io): Promise<0 | 3 | 4> {
  announceConfig(given.config, given["must-gather"] !== undefined, io);
  const values = await withCheckSet(given, io);
  const planned = await planCluster(values, io);
  const checkFlags = formatRepeatedFlags(stepSettings, given);
  const view = { ...planned, checkFlags, run: buildRunFacts(values, planned.plan.observedAt) };
  await printResult(values.output, (format, style) => planFormats[format]({ ...view, ...style }), io);
  return getExitCode(listSteps(planned).map(judgeStep), values["fail-on"]);
}
