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

/**
 * What became of an acceptance in one run. `lapsed`: its last day is over; `unmatched`: the run did not find the risk; `exceeded`: the risk
 * also concerns objects that the acceptance does not name.
 */
export type AcceptanceState =
  | { readonly kind: "accepted" | "lapsed" | "unmatched" }
  | { readonly kind: "exceeded"; readonly objects: readonly string[] };

export type JudgedAcceptance = { readonly acceptance: Acceptance; readonly state: AcceptanceState };
