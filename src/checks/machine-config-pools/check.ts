import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { each } from "../../model/read.ts";
import { buildPoolUnknowns, buildPoolFindings, buildPoolNotices } from "./pool-verdict.ts";
import { type MachineConfigPool, keepMachineConfigPool } from "./pool.ts";
import {
  machineConfigPoolImageBuildInterrupted,
  degradedMachineConfigPool,
  pausedMachineConfigPoolLeftBehind,
  requiredMachineConfigPoolPaused,
  machineConfigPoolMaxUnavailableUnusable,
} from "./risks.ts";

export default defineCheck({
  id: "machine-config-pools",
  name: "MachineConfigPoolNotReady",
  title: "Every machine config pool can update its nodes",
  risks: [
    degradedMachineConfigPool,
    machineConfigPoolImageBuildInterrupted,
    machineConfigPoolMaxUnavailableUnusable,
    pausedMachineConfigPoolLeftBehind,
    requiredMachineConfigPoolPaused,
  ],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: false,
  seenAfterUpdate: "Each update rolls out through the pools.",
  reads: () => ({ pools: each("machineconfiguration.openshift.io/v1/machineconfigpools", keepMachineConfigPool) }),
  evaluate: ({ pools }, context) =>
    pools.kind === "absent" || pools.values.length === 0
      ? {
          notApplicable:
            "The cluster has no machine config pools: the machine-config operator doesn't update its nodes.",
        }
      : judge(pools.values, context),
});

function judge(pools: readonly MachineConfigPool[], context: Context): Judgement {
  return {
    findings: pools.flatMap((pool) => buildPoolFindings(pool, context)),
    notices: pools.flatMap((pool) => buildPoolNotices(pool, context)),
    unknowns: pools.flatMap(buildPoolUnknowns),
  };
}
