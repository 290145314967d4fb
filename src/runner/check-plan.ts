import type { Unknown, Check, Context } from "../model/check.ts";
import type { Absence, Read, Reads } from "../model/read.ts";
import { buildResourcePath } from "../model/resource.ts";
import { type GatherResult, gather, type GatherOptions, getReadPath } from "./gather.ts";
import { buildCrashUnknown, isUnknownList, collectValues } from "./judge.ts";

/** A check and its reads. */
export type CheckPlan = {
  readonly check: Check;
  readonly reads: Reads;
  readonly followedReads: Reads;
  /** Set if the check threw while its reads were planned. */
  readonly crash?: Unknown;
};

export function buildPlan(check: Check): CheckPlan {
  try {
    return { check, reads: check.reads(), followedReads: {} };
  } catch (thrown) {
    return { check, reads: {}, followedReads: {}, crash: buildCrashUnknown(check, thrown) };
  }
}

type Gathered = ReadonlyMap<Read, GatherResult>;

/**
 * Gathers for all plans in as many steps as reads follow from each other. A path is read once no check can plan another read of it any
 * more, so that each kind is listed once no matter how many checks read it, and when they do.
 */
export async function gatherPlans(
  plans: readonly CheckPlan[],
  context: Context,
  options: GatherOptions,
): Promise<{ readonly plans: readonly CheckPlan[]; readonly gathered: Gathered }> {
  const open = findOpenChecks(plans, context);
  let [current, gathered]: [readonly CheckPlan[], Gathered] = [plans, new Map()];
  for (;;) {
    const known = gathered;
    current = current.map((plan) => {
      const isReady = open.has(plan.check) && Object.values(plan.reads).every((read) => known.has(read));
      if (!isReady) return plan;
      open.delete(plan.check);
      return planFollowedReads(plan, known, context);
    });
    const reads = selectNextReads(current, known, open);
    if (reads.length === 0) return { plans: current, gathered };
    gathered = new Map([...known, ...(await gatherOnPlatform(reads, context, options))]);
  }
}

/**
 * The checks that will plan more reads, each with the paths that these may have besides those of its first reads. Not those of single
 * objects, which a cycle's reader remembers.
 */
type OpenChecks = Map<CheckPlan["check"], ReadonlySet<string>>;

function findOpenChecks(plans: readonly CheckPlan[], { release }: Context): OpenChecks {
  const open = plans.filter(({ check, crash }) => check.follow !== undefined && crash === undefined);
  return new Map(
    open.map(({ check, reads }) => {
      const kinds = check.followedKinds?.select(release) ?? [];
      const possible = Object.values(check.mayRead?.() ?? {}).filter(({ kind }) => kind !== "get");
      const paths = new Set([...kinds.map((kind) => buildResourcePath(kind)), ...possible.map(getReadPath)]);
      for (const read of Object.values(reads)) paths.delete(getReadPath(read));
      return [check, paths] as const;
    }),
  );
}

/** The reads of all paths that no open check can add to; if there are none, those that the open checks wait for. */
function selectNextReads(plans: readonly CheckPlan[], gathered: Gathered, open: OpenChecks): readonly Read[] {
  const growing = new Set([...open.values()].flatMap((paths) => [...paths]));
  const rest = plans.flatMap(readsOf).filter((read) => !gathered.has(read));
  const complete = rest.filter((read) => !growing.has(getReadPath(read)));
  if (complete.length > 0) return complete;
  const needed = plans.filter(({ check }) => open.has(check)).flatMap(({ reads }) => Object.values(reads));
  const paths = new Set(needed.map(getReadPath));
  return rest.filter((read) => paths.has(getReadPath(read)));
}

const ABSENT_ON_PLATFORM: Absence = { kind: "absent", what: "resource" };

/** Resources of the other platform are never requested: they count as absent, whatever the account's rights. */
async function gatherOnPlatform(
  reads: readonly Read[],
  { platform }: Context,
  options: GatherOptions,
): Promise<Gathered> {
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

function planFollowedReads(plan: CheckPlan, gathered: Gathered, context: Context): CheckPlan {
  if (plan.check.follow === undefined) return plan;
  const values = collectValues(plan.reads, gathered);
  if (isUnknownList(values)) return plan;
  try {
    return { ...plan, followedReads: plan.check.follow(values, context) };
  } catch (thrown) {
    return { ...plan, crash: buildCrashUnknown(plan.check, thrown) };
  }
}
