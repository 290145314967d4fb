import type { Gathered } from "../../model/read.ts";
import type { OnBegin } from "../plan/check-code.ts";
import {
  followAll,
  type OpenPlan,
  openPlans,
  type PlannedChecks,
  readsOf,
  selectNextReads,
} from "../plan/check-plan.ts";
import { gather, type GatherOptions } from "./gather.ts";
import type { Gathering } from "./gathering.ts";

/**
 * Gathers for the checks of all updates, in as many steps as reads follow from each other. A path is read once no check can plan another
 * read of it any more, so that each kind is listed once no matter how many checks read it, and when they do.
 */
export async function gatherPlans(
  updates: readonly PlannedChecks[],
  gathering: Gathering,
): Promise<{ readonly plans: readonly OpenPlan[]; readonly gathered: Gathered }> {
  const { onBegin, runCode } = gathering;
  const platform = updates[0]?.context.platform;
  let plans = openPlans(updates);
  let gathered: Gathered = new Map();
  for (;;) {
    plans = followAll(plans, gathered, runCode);
    const reads = selectNextReads(plans, gathered);
    if (reads.length === 0) return { plans, gathered };
    const options = { ...gathering, platform, onPath: createPathListener(plans, onBegin) };
    gathered = new Map([...gathered, ...(await gather(reads, options))]);
  }
}

/** Names the checks that a path is read for. */
function createPathListener(plans: readonly OpenPlan[], onBegin: OnBegin): NonNullable<GatherOptions["onPath"]> {
  const entries = plans.flatMap((plan) => readsOf(plan).map((read) => ({ read, id: plan.check.id })));
  const idsByRead = Map.groupBy(entries, ({ read }) => read);
  return (path, reads) => {
    const ids = reads.flatMap((read) => (idsByRead.get(read) ?? []).map(({ id }) => id));
    onBegin([...new Set(ids)], path);
  };
}
