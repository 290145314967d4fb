import type { Unknown, Check, Context } from "../model/check.ts";
import type { Absence, Read, Reads } from "../model/read.ts";
import { gather, type GatherOptions, getReadPath } from "./gather.ts";
import type { GatherResult } from "./list-collector.ts";
import { buildCrashUnknown, isUnknownList, collectValues } from "./judge.ts";

/** A check and its reads. */
export type CheckPlan = {
  readonly check: Check;
  readonly reads: Reads;
  readonly followedReads: Reads;
  /** Set if the check threw while its reads were planned. */
  readonly crash?: Unknown;
};

/** The checks that apply to one update. */
export type ApplicableChecks = { readonly context: Context; readonly checks: readonly Check[] };

function buildPlan(check: Check): CheckPlan {
  try {
    return { check, reads: check.reads(), followedReads: {} };
  } catch (thrown) {
    return { check, reads: {}, followedReads: {}, crash: buildCrashUnknown(check, thrown) };
  }
}

/**
 * Gathers for the checks of all updates in two steps: first the reads that others follow from, then the rest, so that each kind is listed
 * once no matter how many checks read it. A check's own reads depend on no update, so all updates share what they keep.
 */
export async function gatherPlans(
  updates: readonly ApplicableChecks[],
  options: GatherOptions,
): Promise<{
  readonly plans: readonly (readonly CheckPlan[])[];
  readonly gathered: ReadonlyMap<Read, GatherResult>;
}> {
  const [context] = updates.map((update) => update.context);
  if (context === undefined) return { plans: [], gathered: new Map() };
  const plans = [...new Set(updates.flatMap(({ checks }) => checks))].map(buildPlan);
  const early = await gatherOnPlatform(selectEarlyReads(plans), context, options);
  const extendedPlans = updates.map((update) => planUpdate(update, plans, early));
  const rest = new Set(
    extendedPlans
      .flat()
      .flatMap(readsOf)
      .filter((read) => !early.has(read)),
  );
  const late = await gatherOnPlatform([...rest], context, options);
  return { plans: extendedPlans, gathered: new Map([...early, ...late]) };
}

function planUpdate(
  { context, checks }: ApplicableChecks,
  plans: readonly CheckPlan[],
  early: ReadonlyMap<Read, GatherResult>,
): readonly CheckPlan[] {
  const applicable = new Set(checks);
  return plans.filter(({ check }) => applicable.has(check)).map((plan) => planFollowedReads(plan, early, context));
}

const ABSENT_ON_PLATFORM: Absence = { kind: "absent", what: "resource" };

/** Resources of the other platform are never requested: they count as absent, whatever the account's rights. */
async function gatherOnPlatform(
  reads: readonly Read[],
  { platform }: Context,
  options: GatherOptions,
): Promise<ReadonlyMap<Read, GatherResult>> {
  const isElsewhere = (read: Read): boolean => read.only !== undefined && read.only !== platform;
  const gathered = await gather(
    reads.filter((read) => !isElsewhere(read)),
    options,
  );
  return new Map([...gathered, ...reads.filter(isElsewhere).map((read) => [read, ABSENT_ON_PLATFORM] as const)]);
}

function readsOf(plan: CheckPlan): readonly Read[] {
  return [...Object.values(plan.reads), ...Object.values(plan.followedReads)];
}

/** The reads of checks that plan more reads after them, and other checks' reads of the same paths. */
function selectEarlyReads(plans: readonly CheckPlan[]): readonly Read[] {
  const followingReads = plans.filter((plan) => plan.check.follow !== undefined).flatMap(readsOf);
  const paths = new Set(followingReads.map(getReadPath));
  return plans.flatMap(readsOf).filter((read) => paths.has(getReadPath(read)));
}

function planFollowedReads(plan: CheckPlan, gathered: ReadonlyMap<Read, GatherResult>, context: Context): CheckPlan {
  if (plan.check.follow === undefined || plan.crash) return plan;
  const values = collectValues(plan.reads, gathered);
  if (isUnknownList(values)) return plan;
  try {
    return { ...plan, followedReads: plan.check.follow(values, context) };
  } catch (thrown) {
    return { ...plan, crash: buildCrashUnknown(plan.check, thrown) };
  }
}
