import type { Effect } from "./check.ts";
import type { OutcomeKind } from "./report.ts";

/**
 * What is known of one cluster of a fleet, the worst first. `failed`: its last cycle failed. `invalid`: its result can't be read. `stale`:
 * its result is too old to count. `running`: it has no result yet. `incomplete`: a check could not be completed. `updated`: it runs the
 * target already, so the result holds no risk of an update.
 */
export const FLEET_VERDICTS = [
  "risk",
  "failed",
  "invalid",
  "stale",
  "running",
  "incomplete",
  "clear",
  "updated",
] as const;
export type FleetVerdict = (typeof FLEET_VERDICTS)[number];

/** A risk of one cluster. `unknown`: it reports an incomplete check. */
export type ClusterRisk = {
  readonly name: string;
  readonly check: string;
  readonly message: string;
  readonly url: string;
  readonly unknown: boolean;
  readonly isAccepted: boolean;
  /** Of a result that is not current: what it said last. */
  readonly effect?: Effect;
};

/** Why a cluster has no current result. The reason is one word, as in the document. */
export type FleetProblem = { readonly reason: string; readonly message: string };

export type FleetCluster = {
  readonly name: string;
  readonly verdict: FleetVerdict;
  readonly problem?: FleetProblem;
  readonly clusterId?: string;
  readonly source?: string;
  readonly target?: string;
  readonly observedAt?: string;
  /** Of its result alone. */
  readonly file?: string;
  readonly risks: readonly ClusterRisk[];
  /** The outcome of each check that ran, by id. */
  readonly outcomes: ReadonlyMap<string, OutcomeKind>;
};

/** What one cluster's result says of one risk. `notRun`: nothing, since the result has no outcome of its check. */
export type FleetCell = "risk" | "accepted" | "unknown" | "clear" | "notApplicable" | "notRun";

/** A risk that at least one cluster has. */
export type FleetRisk = {
  readonly name: string;
  readonly check: string;
  readonly url: string;
  readonly unknown: boolean;
  readonly effect?: Effect;
  /** How many clusters have it, accepted or not. */
  readonly clusters: number;
};

/** Clusters by risks: the worst cluster first, and the risk to work on first. */
export type FleetMatrix = {
  /** What the clusters are checked against, as it was asked for; absent if they were checked elsewhere. */
  readonly target?: string;
  readonly observedAt: Date;
  readonly clusters: readonly FleetCluster[];
  readonly risks: readonly FleetRisk[];
  readonly counts: Readonly<Record<FleetVerdict, number>>;
};
