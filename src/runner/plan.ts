import type { Blind, Check, Context } from "../model/check.ts";
import type { Absent, Read, Reads } from "../model/read.ts";
import { type Gathered, gather, type GatherTools, readPath } from "./gather.ts";
import { crashed, isBlind, valuesFor } from "./judge.ts";

/** A check with what is read for it. */
export type Plan = {
  readonly check: Check;
  readonly reads: Reads;
  readonly followed: Reads;
  /** Why no more could be planned: the check threw. */
  readonly broken?: Blind;
};

export function planOf(check: Check): Plan {
  try {
    return { check, reads: check.reads(), followed: {} };
  } catch (thrown) {
    return { check, reads: {}, followed: {}, broken: crashed(check, thrown) };
  }
}

/**
 * Gathers for all plans, in two steps: first what more reads follow from, then all else,
 * so that each kind is listed once however many checks want it.
 */
export async function gatherPlans(
  plans: readonly Plan[],
  context: Context,
  tools: GatherTools,
): Promise<{ readonly plans: readonly Plan[]; readonly gathered: ReadonlyMap<Read, Gathered> }> {
  const early = await gatherHere(readsToFollow(plans), context, tools);
  const followed = plans.map((plan) => followUp(plan, early, context));
  const rest = followed.flatMap(readsOf).filter((read) => !early.has(read));
  const late = await gatherHere(rest, context, tools);
  return { plans: followed, gathered: new Map([...early, ...late]) };
}

const ELSEWHERE: Absent = { kind: "absent", what: "resource" };

/** What only the other platform has is not asked for: it is absent, whatever rights there are. */
async function gatherHere(
  reads: readonly Read[],
  { platform }: Context,
  tools: GatherTools,
): Promise<ReadonlyMap<Read, Gathered>> {
  const isElsewhere = (read: Read): boolean => read.only !== undefined && read.only !== platform;
  const gathered = await gather(
    reads.filter((read) => !isElsewhere(read)),
    tools,
  );
  return new Map([...gathered, ...reads.filter(isElsewhere).map((read) => [read, ELSEWHERE] as const)]);
}

function readsOf(plan: Plan): readonly Read[] {
  return [...Object.values(plan.reads), ...Object.values(plan.followed)];
}

/** The reads of checks that follow them up, and every other check's reads of the same paths. */
function readsToFollow(plans: readonly Plan[]): readonly Read[] {
  const leading = plans.filter((plan) => plan.check.follow !== undefined).flatMap(readsOf);
  const paths = new Set(leading.map(readPath));
  return plans.flatMap(readsOf).filter((read) => paths.has(readPath(read)));
}

function followUp(plan: Plan, gathered: ReadonlyMap<Read, Gathered>, context: Context): Plan {
  if (plan.check.follow === undefined || plan.broken) return plan;
  const values = valuesFor(plan.reads, gathered);
  if (isBlind(values)) return plan;
  try {
    return { ...plan, followed: plan.check.follow(values, context) };
  } catch (thrown) {
    return { ...plan, broken: crashed(plan.check, thrown) };
  }
}
