import { selectAcceptedNames } from "../../../format/view/acceptances.ts";
import { planFormats } from "../../../format/plan/index.ts";
import type { PlanValues } from "./definition.ts";
import { getPlanExitCode } from "../../session/exit-code.ts";
import { announceConfig } from "../../settings/found-config.ts";
import { type Io, hasColour } from "../../io/io.ts";
import { writeOutputFiles } from "../../io/output-files.ts";
import { type ClusterPlan, planCluster } from "../../plan/cluster-plan.ts";
import { buildRunFacts } from "../../session/run-facts.ts";
import { hasLinks } from "../../io/terminal-links.ts";

/** Finds the updates that lead to a version, checks each and prints the plan; resolves with the exit code. */
export async function run(values: PlanValues, io: Io): Promise<0 | 3 | 4> {
  announceConfig(values.config, io);
  return printPlan(await planCluster(values, io), values, io);
}

async function printPlan({ plan, cluster, judged }: ClusterPlan, values: PlanValues, io: Io): Promise<0 | 3 | 4> {
  const accepted = judged.map(selectAcceptedNames);
  const run = buildRunFacts(values, plan.observedAt, undefined, 0);
  const view = { plan, cluster, accepted, run, colour: hasColour(io), links: hasLinks(io), width: io.width };
  await writeOutputFiles(values.output.files, (name) => planFormats[name]({ ...view, colour: false, links: false }));
  const write = view.colour || view.links ? io.outStyled : io.out;
  write(planFormats[values.output.stdout](view));
  return getPlanExitCode(plan, accepted, values["fail-on"]);
}
