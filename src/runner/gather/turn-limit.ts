/** Does work once fewer than so many others do theirs: the highest rank first, and of one rank in the order in which it was given. */
export type TurnLimit = <T>(work: () => Promise<T>, rank?: number) => Promise<T>;

/** `findMost`: how many may do work now. It is asked before each, so that a lower number counts at once. */
export function createTurnLimit(findMost: () => number): TurnLimit {
  const waiting: { readonly rank: number; readonly begin: () => void }[] = [];
  let running = 0;
  const beginNext = (): void => {
    while (running < findMost()) {
      const next = waiting.shift();
      if (next === undefined) return;
      running += 1;
      next.begin();
    }
  };
  return async (work, rank = 0) => {
    const turn = Promise.withResolvers<void>();
    const behind = waiting.findIndex((one) => one.rank < rank);
    waiting.splice(behind === -1 ? waiting.length : behind, 0, { rank, begin: turn.resolve });
    beginNext();
    await turn.promise;
    try {
      return await work();
    } finally {
      running -= 1;
      beginNext();
    }
  };
}
