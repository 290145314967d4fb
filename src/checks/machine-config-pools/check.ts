import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { each } from "../../model/read.ts";
import { poolBlind, poolFindings, poolNotices } from "./faults.ts";
import { type Pool, keepPool } from "./pool.ts";
import { buildInterrupted, degraded, pausedBehind, requiredPaused, unmovable } from "./risks.ts";

export default defineCheck({
  id: "machine-config-pools",
  name: "MachineConfigPoolNotReady",
  title: "The machine config pools can take their nodes along",
  risks: [degraded, buildInterrupted, unmovable, pausedBehind, requiredPaused],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: false,
  reads: () => ({ pools: each("machineconfiguration.openshift.io/v1/machineconfigpools", keepPool) }),
  evaluate: ({ pools }, context) =>
    pools.kind === "absent" || pools.values.length === 0
      ? {
          notApplicable: "There are no machine config pools: the nodes are not updated by the machine-config operator.",
        }
      : judge(pools.values, context),
});

function judge(pools: readonly Pool[], context: Context): Judgement {
  return {
    findings: pools.flatMap((pool) => poolFindings(pool, context)),
    notices: pools.flatMap((pool) => poolNotices(pool, context)),
    blind: pools.flatMap(poolBlind),
  };
}
