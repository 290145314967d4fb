/** How many reads an API server takes at a time, by its answers up to now. */
export type ServerLimit = {
  readonly find: () => number;
  /** `milliseconds`: until the answer began. */
  readonly onAnswered: (milliseconds: number) => void;
  /** It refused a request, or failed. */
  readonly onOverloaded: () => void;
};

/** As many as no server is hurt by; the first reads of a cycle are fewer. */
const FEWEST_READS = 4;
const MOST_READS = 32;

/** An answer that takes so much longer than the fastest one waits for the server, and not for the network. */
const SLOW_MS = 2_000;

/**
 * Grows by two with each answer; after the first slow one or refusal by one with each round of answers, as TCP does. Falls to half with a
 * slow answer, and to the fewest with a refusal.
 */
export function createServerLimit(): ServerLimit {
  let limit = FEWEST_READS;
  let fastest = Infinity;
  let isCareful = false;
  const reduce = (to: number): void => {
    limit = Math.max(FEWEST_READS, to);
    isCareful = true;
  };
  return {
    find: () => Math.floor(limit),
    onAnswered(milliseconds) {
      fastest = Math.min(fastest, milliseconds);
      if (milliseconds > fastest + SLOW_MS) reduce(limit / 2);
      else limit = Math.min(MOST_READS, limit + (isCareful ? 1 / limit : 2));
    },
    onOverloaded: () => reduce(FEWEST_READS),
  };
}
