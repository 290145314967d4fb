import pLimit from "p-limit";

/** Does work once fewer than so many others do theirs: the highest rank first, and of one rank in the order in which it was given. */
export type TurnLimit = <T>(work: () => Promise<T>, rank?: number) => Promise<T>;

/** `findMost`: how many may do work now. It is asked around each, so that a lower number counts at once. */
export function createTurnLimit(findMost: () => number): TurnLimit {
  const limit = pLimit(findMost());
  const waiting: { readonly rank: number; readonly begin: () => Promise<void> }[] = [];
  const adapt = (): void => void (limit.concurrency = findMost());
  return <T>(work: () => Promise<T>, rank = 0) =>
    new Promise<T>((resolve, reject) => {
      const begin = (): Promise<void> => work().then(resolve, reject).finally(adapt);
      const behind = waiting.findIndex((one) => one.rank < rank);
      waiting.splice(behind === -1 ? waiting.length : behind, 0, { rank, begin });
      adapt();
      // Whoever has waited longest gives its turn to the highest rank.
      void limit(async () => waiting.shift()?.begin());
    });
}
