import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { type ListResult, each, valuesOf, soundInPart } from "../../model/read.ts";
import { buildCertificateNotices, buildCertificatesRead } from "./certificates.ts";
import { buildPoolUnknowns, buildPoolFindings, buildPoolNotices } from "./pool-verdict.ts";
import { type MachineConfigPool, keepMachineConfigPool } from "./pool.ts";
import { risks } from "./risks.ts";
import { MACHINE_CONFIG_POOLS } from "../shared/machine-config-pools.ts";

export default defineCheck({
  id: "machine-config-pools",
  name: "MachineConfigPoolNotReady",
  title: "Every machine config pool can update its nodes",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  seenAfterUpdate: "Each update rolls out through the pools.",
  reads: () => ({
    pools: soundInPart("object", each(MACHINE_CONFIG_POOLS, keepMachineConfigPool)),
  }),
  mayRead: () => ({ certificates: buildCertificatesRead() }),
  follow: ({ pools }) => (hasPools(pools) ? { certificates: buildCertificatesRead() } : {}),
  evaluate({ pools }, context, { certificates }): Judgement {
    if (!hasPools(pools))
      return {
        notApplicable: "The cluster has no machine config pools: the machine-config operator doesn't update its nodes.",
      };
    const judgement = judge(valuesOf(pools), context);
    const authorities = certificates?.kind === "found" ? certificates.value : [];
    const notices = [...(judgement.notices ?? []), ...buildCertificateNotices(authorities, context.now)];
    return { ...judgement, notices, irrelevantReads: ["certificates"] };
  },
});

function hasPools(pools: ListResult<MachineConfigPool>): boolean {
  return valuesOf(pools).length > 0;
}

function judge(pools: readonly MachineConfigPool[], context: Context): Judgement {
  return {
    findings: pools.flatMap((pool) => buildPoolFindings(pool, context)),
    notices: pools.flatMap((pool) => buildPoolNotices(pool, context)),
    unknowns: pools.flatMap(buildPoolUnknowns),
  };
}
