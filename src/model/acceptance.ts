/** An administrator's decision to live with a risk. */
export type Acceptance = {
  readonly risk: string;
  /** Absent if a flag accepts it. */
  readonly reason?: string;
  /** The last day on which it holds, in UTC: "2026-12-31". */
  readonly until?: string;
  /** The only objects on which it holds, as formatRef prints them. */
  readonly objects?: readonly string[];
};

/** An administrator's decision to leave a check out for good. It does not leave it out. */
export type CheckAcceptance = {
  readonly check: string;
  readonly reason: string;
  /** The last day on which it holds, in UTC: "2026-12-31". */
  readonly until?: string;
};

/** Whether the last day of an acceptance is over. `observedAt`: when the cluster was read, RFC 3339 in UTC. */
export function hasLapsed({ until }: { readonly until?: string }, observedAt: string): boolean {
  return until !== undefined && until < observedAt.slice(0, "2026-12-31".length);
}

/**
 * What became of an acceptance in one run. `lapsed`: its last day is over; `unmatched`: the run did not find the risk, or on none of the
 * objects that the acceptance names (`objects`: on which instead); `exceeded`: the risk also concerns objects that it does not name.
 */
export type AcceptanceState =
  | { readonly kind: "accepted" | "lapsed" }
  | { readonly kind: "unmatched"; readonly objects?: readonly string[] }
  | { readonly kind: "exceeded"; readonly objects: readonly string[] };

export type JudgedAcceptance = { readonly acceptance: Acceptance; readonly state: AcceptanceState };
