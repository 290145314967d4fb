import type { ReadScope } from "./scope.ts";

/** Units of cost that a check of an origin with a pool may spend on a list or a verdict. A second of CPU is 5 to 14 million. */
const LIMIT = 25_000_000;
/** Of preflight's own checks, for lists of a quarter of a million objects. */
const OWN_LIMIT = 500_000_000;

/** What is left to spend. */
export type CostBudget = { readonly left: () => number; readonly spend: (cost: number) => void };

export function createBudget(pool?: OriginPool): CostBudget {
  let left = pool === undefined ? OWN_LIMIT : LIMIT;
  return {
    left: () => Math.min(left, pool?.costLeft() ?? left),
    spend(cost) {
      left -= cost;
      pool?.spend(cost);
    },
  };
}

/** What all checks of an origin spend and keep together in a cycle, so that greedy ones fail alone. */
export type OriginPool = {
  /** Called when the reads of a check are planned: the second time for one check a new cycle begins. */
  readonly begin: (id: string) => void;
  readonly costLeft: () => number;
  readonly spend: (cost: number) => void;
  /** False if there is no room for so many characters of kept objects. */
  readonly take: (characters: number) => boolean;
};

const COST_LIMIT = 75_000_000;
const KEPT_LIMIT = 16 << 20;

export function createOriginPool(limits = { cost: COST_LIMIT, kept: KEPT_LIMIT }): OriginPool {
  let { cost, kept } = limits;
  const begun = new Set<string>();
  return {
    begin(id) {
      if (begun.has(id)) {
        begun.clear();
        ({ cost, kept } = limits);
      }
      begun.add(id);
    },
    costLeft: () => cost,
    spend: (spent) => void (cost -= spent),
    take(characters) {
      kept -= characters;
      return kept >= 0;
    },
  };
}

/** A part of what all operators have together: one that takes too much leaves the others theirs. */
export function createPoolShare(all: OriginPool, limits = { cost: COST_LIMIT / 3, kept: KEPT_LIMIT / 4 }): OriginPool {
  const own = createOriginPool(limits);
  return {
    begin(id) {
      own.begin(id);
      all.begin(id);
    },
    costLeft: () => Math.min(own.costLeft(), all.costLeft()),
    spend(cost) {
      own.spend(cost);
      all.spend(cost);
    },
    take: (characters) => own.take(characters) && all.take(characters),
  };
}

/** What checks of an origin may do. Without limits, those of preflight itself. */
export type CheckLimits = {
  /** Absent if they may read whatever the account that reads for them may. */
  readonly scope?: ReadScope;
  readonly pool?: OriginPool;
  readonly mostFindings?: number;
};
