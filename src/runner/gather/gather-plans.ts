import type { Gathered, GatherResult, Read } from "../../model/read.ts";
import type { OnBegin } from "../plan/check-code.ts";
import type { OpenPlan, PlannedChecks } from "../plan/check-plan.ts";
import { followAll, openPlans, readsOf, selectNextReads } from "../plan/check-plan.ts";
import { type ReadEntries, type GatherOptions, startReads } from "./gather.ts";
import type { Gathering } from "./gathering.ts";

/**
 * Gathers for the checks of all updates. A path is read once no check can plan another read of it any more, so that each kind is listed
 * once no matter how many checks read it, and when they do. It waits for nothing else.
 */
export async function gatherPlans(
  updates: readonly PlannedChecks[],
  gathering: Gathering,
): Promise<{ readonly plans: readonly OpenPlan[]; readonly gathered: Gathered }> {
  const { onBegin, runCode } = gathering;
  const platform = updates[0]?.context.platform;
  const running = createRunningReads();
  let plans = openPlans(updates);
  let selected: typeof plans | undefined;
  for (;;) {
    const open = plans;
    plans = followAll(open, running.gathered, runCode);
    // Of plans that nothing was added to, all that can be read is being read.
    const next = plans === selected && running.hasAny() ? [] : selectNextReads(plans, running);
    selected = plans;
    // No code of a check runs while the cycle waits.
    if (plans !== open) onBegin([]);
    if (next.length > 0) {
      const options = { ...gathering, platform, onPath: createPathListener(plans, onBegin) };
      for (const { rank, reads } of next) running.start(reads, { ...options, rank });
    }
    if (!running.hasAny()) return { plans, gathered: running.gathered };
    await running.waitForNext();
  }
}

type RunningReads = {
  /** The results that are there by now. */
  readonly gathered: Gathered;
  readonly isStarted: (read: Read) => boolean;
  readonly hasAny: () => boolean;
  readonly start: (reads: readonly Read[], options: GatherOptions) => void;
  /** Resolves once there are more results. */
  readonly waitForNext: () => Promise<void>;
};

function createRunningReads(): RunningReads {
  const gathered = new Map<Read, GatherResult>();
  const started = new Set<Read>();
  const pending = new Set<Promise<ReadEntries>>();
  let next = Promise.withResolvers<void>();
  const collect = async (entries: Promise<ReadEntries>): Promise<void> => {
    try {
      for (const [read, result] of await entries) gathered.set(read, result);
      pending.delete(entries);
      next.resolve();
    } catch (thrown) {
      next.reject(thrown);
    }
  };
  return {
    gathered,
    isStarted: (read) => started.has(read),
    hasAny: () => pending.size > 0,
    start(reads, options) {
      for (const read of reads) started.add(read);
      for (const entries of startReads(reads, options)) {
        pending.add(entries);
        void collect(entries);
      }
    },
    async waitForNext() {
      await next.promise;
      next = Promise.withResolvers();
    },
  };
}

/** Names the checks that a path is read for. */
function createPathListener(plans: readonly OpenPlan[], onBegin: OnBegin): NonNullable<GatherOptions["onPath"]> {
  const readers = plans.map((plan) => ({ id: plan.check.id, reads: new Set(readsOf(plan)) }));
  return (path, reads) => {
    const reading = readers.filter((reader) => reads.some((read) => reader.reads.has(read)));
    onBegin([...new Set(reading.map(({ id }) => id))], path);
  };
}
