import type { Unknown, Check, Context } from "../../model/check.ts";
import type { Absence } from "../../model/reader.ts";
import type { Read, Reads } from "../../model/read.ts";
import { buildResourcePath } from "../../model/resource.ts";
import { gather, type GatherOptions, getReadPath } from "../gather/gather.ts";
import type { GatherResult } from "../gather/list-collector.ts";
import type { OnBegin } from "../separate.ts";
import { buildLateUnknown, type LimitWork } from "./work-limit.ts";
import { buildCrashUnknown, isUnknownList, collectValues } from "../judge/judge.ts";

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

/**
 * Gathers for the checks of all updates, in as many steps as reads follow from each other. A path is read once no check can plan another
 * read of it any more, so that each kind is listed once no matter how many checks read it, and when they do. A check's own reads depend
 * on no update, so all updates share what they keep.
 */
export async function gatherPlans(
  updates: readonly ApplicableChecks[],
  options: GatherOptions,
  onBegin: OnBegin,
  limitWork: LimitWork,
): Promise<{ readonly plans: readonly (readonly CheckPlan[])[]; readonly gathered: Gathered }> {
  const [context] = updates.map((update) => update.context);
  if (context === undefined) return { plans: [], gathered: new Map() };
  const plans = [...new Set(updates.flatMap(({ checks }) => checks))].map(buildPlan);
  let gathered: Gathered = new Map();
  let current = updates.map((update) => openPlans(update, plans));
  for (;;) {
    const known = gathered;
    const ready = current.flat().filter((open) => isReadyToFollow(open, known));
    if (ready.length > 0) onBegin(ready.map(({ plan }) => plan.check.id));
    current = current.map((ofUpdate) =>
      ofUpdate.map((open) => (ready.includes(open) ? follow(open, known, limitWork) : open)),
    );
    const reads = selectNextReads(current.flat(), known);
    if (reads.length === 0) return { plans: current.map((ofUpdate) => ofUpdate.map(({ plan }) => plan)), gathered };
    const onPath = createPathListener(current.flat(), onBegin);
    gathered = new Map([...known, ...(await gatherOnPlatform(reads, context, { ...options, onPath }))]);
  }
}

/** Names the checks that a path is read for. */
function createPathListener(plans: readonly OpenPlan[], onBegin: OnBegin): NonNullable<GatherOptions["onPath"]> {
  const entries = plans.flatMap(({ plan }) => readsOf(plan).map((read) => ({ read, id: plan.check.id })));
  const idsByRead = Map.groupBy(entries, ({ read }) => read);
  return (path, reads) => {
    const ids = reads.flatMap((read) => (idsByRead.get(read) ?? []).map(({ id }) => id));
    onBegin([...new Set(ids)], path);
  };
}

/** The plan of a check for one update. `possiblePaths`: of the reads that it will plan, besides those of its first reads. */
type OpenPlan = { readonly plan: CheckPlan; readonly context: Context; readonly possiblePaths?: ReadonlySet<string> };

function openPlans({ context, checks }: ApplicableChecks, plans: readonly CheckPlan[]): readonly OpenPlan[] {
  const applicable = new Set(checks);
  return plans
    .filter(({ check }) => applicable.has(check))
    .map((plan) => {
      if (plan.check.follow === undefined || plan.crash) return { plan, context };
      return { plan, context, possiblePaths: findPossiblePaths(plan, context) };
    });
}

/** Not those of single objects, which a cycle's reader remembers. */
function findPossiblePaths({ check, reads }: CheckPlan, { release }: Context): ReadonlySet<string> {
  const kinds = check.special?.followedKinds?.select(release) ?? [];
  const possible = Object.values(check.mayRead?.() ?? {}).filter(({ kind }) => kind !== "get");
  const paths = new Set([...kinds.map((kind) => buildResourcePath(kind)), ...possible.map(getReadPath)]);
  for (const read of Object.values(reads)) paths.delete(getReadPath(read));
  return paths;
}

function isReadyToFollow({ plan, possiblePaths }: OpenPlan, gathered: Gathered): boolean {
  return possiblePaths !== undefined && Object.values(plan.reads).every((read) => gathered.has(read));
}

function follow({ plan, context }: OpenPlan, gathered: Gathered, limitWork: LimitWork): OpenPlan {
  const planned = limitWork(() => planFollowedReads(plan, gathered, context));
  if (planned.kind === "done") return { plan: planned.value, context };
  return { plan: { ...plan, crash: buildLateUnknown(plan.check, planned.milliseconds) }, context };
}

/** The reads of all paths that no open plan can add to; if there are none, those that the open plans wait for. */
function selectNextReads(plans: readonly OpenPlan[], gathered: Gathered): readonly Read[] {
  const growing = new Set(plans.flatMap(({ possiblePaths = [] }) => [...possiblePaths]));
  const rest = [...new Set(plans.flatMap(({ plan }) => readsOf(plan)))].filter((read) => !gathered.has(read));
  const complete = rest.filter((read) => !growing.has(getReadPath(read)));
  if (complete.length > 0) return complete;
  const open = plans.filter(({ possiblePaths }) => possiblePaths !== undefined);
  const paths = new Set(open.flatMap(({ plan }) => Object.values(plan.reads)).map(getReadPath));
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
