import { createLink, type Link } from "../../../src/cluster/access/link.ts";

export type Distance = "far" | "near";

/** Of an API server from which all answers come a second late, or at once, by a clock of its own. */
export function createDistantLink(distance: Distance): Link {
  const isFar = distance === "far";
  let now = 0;
  return createLink({
    now: () => (isFar ? (now += 1_000) : now),
    getIdleMs: () => now,
    startTimer: () => () => isFar,
  });
}
