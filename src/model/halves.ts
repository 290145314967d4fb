/** What a check may be about besides the cluster that is read: a hosted cluster, as its management cluster has it. */
export type CheckSubject = "HostedCluster";

/** The two clusters that a hosted cluster is judged by, if both are read. */
export const HALVES = ["management", "guest"] as const;
export type Half = (typeof HALVES)[number];

/** What of a hosted cluster is updated by itself, in this order. */
export const STAGES = ["controlPlane", "nodes"] as const;
export type UpdateStage = (typeof STAGES)[number];

/** What a result of both halves says of whatever belongs to one. */
export type HalfPlace = { readonly half?: Half; readonly stage?: UpdateStage };

const LEADS: Readonly<Record<Half, string>> = { management: "Management cluster: ", guest: "Guest: " };

/** Stands before a text about one half; "" where only one cluster is read. */
export function formatHalf(half: Half | undefined): string {
  return half === undefined ? "" : LEADS[half];
}
