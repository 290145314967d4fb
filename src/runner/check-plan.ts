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

/** The checks that apply to one update. */
export type ApplicableChecks = { readonly context: Context; readonly checks: readonly Check[] };

function buildPlan(check: Check): CheckPlan {
  try {
    return { check, reads: check.reads(), followedReads: {} };
  } catch (thrown) {
    return { check, reads: {}, followedReads: {}, crash: buildCrashUnknown(check, thrown) };
  }
}

type Gathered = ReadonlyMap<Read, GatherResult>;

/** The plans of one update, and those of its checks that will plan more reads. */
type UpdatePlans = { readonly context: Context; readonly plans: readonly CheckPlan[]; readonly open: OpenChecks };

/**
 * Gathers for the checks of all updates in as many steps as reads follow from each other. A path is read once no check can plan another
 * read of it any more, so that each kind is listed once no matter how many checks read it, and when they do. A check's own reads depend on
 * no update, so all updates share what they keep.
 */
export async function gatherPlans(
  updates: readonly ApplicableChecks[],
  options: GatherOptions,
): Promise<{ readonly plans: readonly (readonly CheckPlan[])[]; readonly gathered: Gathered }> {
  const [context] = updates.map((update) => update.context);
  if (context === undefined) return { plans: [], gathered: new Map() };
  const plans = [...new Set(updates.flatMap(({ checks }) => checks))].map(buildPlan);
  let [current, gathered]: [readonly UpdatePlans[], Gathered] = [
    updates.map((update) => planUpdate(update, plans)),
    new Map(),
  ];
  for (;;) {
    const known = gathered;
    current = current.map((update) => planReadyChecks(update, known));
    const reads = selectNextReads(current, known);
    if (reads.length === 0) return { plans: current.map((update) => update.plans), gathered };
    gathered = new Map([...known, ...(await gatherOnPlatform(reads, context, options))]);
  }
}

function planUpdate({ context, checks }: ApplicableChecks, all: readonly CheckPlan[]): UpdatePlans {
  const applicable = new Set(checks);
  const plans = all.filter(({ check }) => applicable.has(check));
  return { context, plans, open: findOpenChecks(plans, context) };
}

/** Plans what follows from the reads of the open checks that are complete; these checks are open no more. */
function planReadyChecks({ context, plans, open }: UpdatePlans, gathered: Gathered): UpdatePlans {
  const isReady = ({ check, reads }: CheckPlan): boolean =>
    open.has(check) && Object.values(reads).every((read) => gathered.has(read));
  const ready = new Set(plans.filter(isReady));
  return {
    context,
    plans: plans.map((plan) => (ready.has(plan) ? planFollowedReads(plan, gathered, context) : plan)),
    open: new Map([...open].filter(([check]) => ![...ready].some((plan) => plan.check === check))),
  };
}

/**
 * The checks that will plan more reads, each with the paths that these may have besides those of its first reads. Not those of single
 * objects, which a cycle's reader remembers.
 */
type OpenChecks = ReadonlyMap<Check, ReadonlySet<string>>;

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
function selectNextReads(updates: readonly UpdatePlans[], gathered: Gathered): readonly Read[] {
  const growing = new Set(updates.flatMap(({ open }) => [...open.values()].flatMap((paths) => [...paths])));
  const planned = new Set(updates.flatMap(({ plans }) => plans.flatMap(readsOf)));
  const rest = [...planned].filter((read) => !gathered.has(read));
  const complete = rest.filter((read) => !growing.has(getReadPath(read)));
  if (complete.length > 0) return complete;
  const waiting = updates.flatMap(({ plans, open }) => plans.filter(({ check }) => open.has(check)));
  const paths = new Set(waiting.flatMap(({ reads }) => Object.values(reads)).map(getReadPath));
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
