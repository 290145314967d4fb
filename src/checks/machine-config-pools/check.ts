import { readRisks } from "../shared/risks.ts";
import {
  type MachineConfigPool,
  formatDegradations,
  buildCertificateNotices,
  buildCertificatesRead,
  keepMachineConfigPool,
  formatDegradation,
  selectDegradedConditions,
  hasCondition,
} from "./pool.ts";
import { type Context, type Judgement, type Unknown, type Finding, defineCheck } from "../../model/check.ts";
import { type ListResult, each, valuesOf, soundInPart } from "../../model/read.ts";
import { MACHINE_CONFIG_POOLS } from "../shared/node.ts";
import { formatRef } from "../../model/resource.ts";
import { getMinorOrdinal } from "../../model/version.ts";

const risks = readRisks("machine-config-pools", {
  DegradedMachineConfigPool: {
    message: {
      reported: (findings) => {
        const reported = formatDegradations(findings);
        return reported === "" ? "" : ` ${reported}.`;
      },
    },
  },
  MachineConfigPoolImageBuildInterrupted: {},
  MachineConfigPoolMaxUnavailableUnusable: {},
  PausedMachineConfigPoolLeftBehind: {},
  RequiredMachineConfigPoolPaused: {},
});

export default defineCheck({
  id: "machine-config-pools",
  name: "MachineConfigPoolNotReady",
  title: "Every machine config pool can update its nodes",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  seenAfterUpdate: "Each update rolls out through the pools.",
  hosted: {
    notApplicable: "The control plane is hosted, so NodePools update the nodes and there are no machine config pools.",
  },
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

function buildPoolFindings(pool: MachineConfigPool, context: Context): readonly Finding[] {
  return [
    ...buildDegradedFindings(pool),
    ...buildInterruptedBuildFindings(pool),
    ...buildPausedFindings(pool, context),
    ...buildStuckFindings(pool),
  ];
}

function buildDegradedFindings(pool: MachineConfigPool): readonly Finding[] {
  if (!hasCondition(pool, "Degraded")) return [];
  return selectDegradedConditions(pool).map(({ type, message }) => ({
    risk: risks.DegradedMachineConfigPool.name,
    object: pool.object,
    path: `status.conditions[${type}]`,
    message: message === "" ? "The operator reports no reason." : `${formatDegradation(message)}.`,
    detail: message === "" ? undefined : { message },
  }));
}

function buildInterruptedBuildFindings(pool: MachineConfigPool): readonly Finding[] {
  if (!hasCondition(pool, "BuildInterrupted")) return [];
  const path = "status.conditions[BuildInterrupted]";
  const message = "The build of the pool's image was interrupted.";
  return [{ risk: risks.MachineConfigPoolImageBuildInterrupted.name, object: pool.object, path, message }];
}

function buildPausedFindings(pool: MachineConfigPool, context: Context): readonly Finding[] {
  const risk = findPausedRisk(pool, context);
  if (risk === undefined) return [];
  const message =
    risk === risks.RequiredMachineConfigPoolPaused.name
      ? "The pool is paused, and the update waits for it."
      : "The pool is paused, and some of its nodes don't have its current configuration.";
  return [{ risk, object: pool.object, path: "spec.paused", message }];
}

/** Worker pools may be paused on purpose during an update; the README says when the ones left behind are a risk. */
function findPausedRisk(pool: MachineConfigPool, context: Context): string | undefined {
  if (!pool.isPaused || !pool.hasNodes) return undefined;
  if (pool.isRequired) return risks.RequiredMachineConfigPoolPaused.name;
  if (!pool.isBehind || context.update !== "minor" || isControlPlaneOnlyStep(context)) return undefined;
  return risks.PausedMachineConfigPoolLeftBehind.name;
}

function buildStuckFindings({ hasNodes, maxUnavailable, object }: MachineConfigPool): readonly Finding[] {
  if (!hasNodes || maxUnavailable.kind !== "unusable") return [];
  const message = `spec.maxUnavailable is ${maxUnavailable.text}, which is neither a number of nodes nor a percentage.`;
  return [{ risk: risks.MachineConfigPoolMaxUnavailableUnusable.name, object, path: "spec.maxUnavailable", message }];
}

/** States that pass without help, or that may be intended. */
function buildPoolNotices(pool: MachineConfigPool, context: Context): readonly string[] {
  const text = formatRef(pool.object);
  if (!pool.hasNodes || hasCondition(pool, "Degraded")) return [];
  if (pool.isPaused) return findPausedRisk(pool, context) === undefined ? [buildPausedNotice(pool, context)] : [];
  if (hasCondition(pool, "Updating")) return [`${text} is still updating its nodes. Wait until it has finished.`];
  // That check names the nodes.
  if (!pool.isAtMaxUnavailable || context.checks.includes("nodes")) return [];
  return [
    `${text} has as many unavailable nodes as spec.maxUnavailable allows: the machine-config operator updates no other node until one of these is available again.`,
  ];
}

function buildPausedNotice({ object, isBehind }: MachineConfigPool, { target }: Context): string {
  const already = isBehind
    ? " and its nodes are already behind, which is expected only in a Control Plane Only update"
    : "";
  return `${formatRef(object)} is paused${already}: its nodes keep their configuration, kubelet and operating system, and are updated to ${target.text} only after you unpause it.`;
}

function buildPoolUnknowns({ isReported, object }: MachineConfigPool): readonly Unknown[] {
  if (isReported) return [];
  const message = "its status has no condition Degraded, so the check can't tell whether it is degraded";
  return [{ reason: "NotReported", where: formatRef(object), message }];
}

/** Before 5.0 a Control Plane Only update ends at an even minor; from 5.0 on, at every third one (5.2, 5.5). */
const FIRST_OF_THREE = getMinorOrdinal({ major: 5, minor: 0 });

/**
 * Is this a later step of a Control Plane Only update, in which pools stay paused as documented? The target of such a step still supports
 * the oldest kubelets that the source supports. Another check judges nodes that are older.
 */
export function isControlPlaneOnlyStep({ source, target }: Pick<Context, "source" | "target">): boolean {
  const ordinal = getMinorOrdinal(source);
  const remaining = ordinal < FIRST_OF_THREE ? ordinal % 2 : 2 - ((ordinal - FIRST_OF_THREE) % 3);
  return getMinorOrdinal(target) - ordinal <= remaining;
}
