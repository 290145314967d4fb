import { FLEET_VERDICTS, type FleetCluster, type FleetMatrix, type FleetVerdict } from "../../model/fleet.ts";
import { formatCount } from "../../model/count.ts";
import { isOpen } from "./matrix.ts";

/** Their results do not count now. */
export const NO_CURRENT_RESULT: ReadonlySet<FleetVerdict> = new Set(["failed", "invalid", "stale", "running"]);

const COUNT_WORDS: Readonly<Record<FleetVerdict, string>> = {
  risk: "with risks",
  failed: "could not be checked",
  invalid: "with an invalid result",
  stale: "with a stale result",
  running: "without a result yet",
  incomplete: "incomplete",
  clear: "clear",
  updated: "already updated",
};

/** A whole result without anything to do: these clusters are named, and have no row in the table. */
export const DONE: readonly FleetVerdict[] = ["clear", "updated"];

/** "12 clusters to 4.20: 3 with risks, 1 could not be checked, 8 clear" */
export function formatFleetHeadline({ clusters, counts, target }: FleetMatrix): string {
  const to = target === undefined ? "" : ` to ${target}`;
  const parts = listVerdicts(counts).map((verdict) => `${counts[verdict]} ${COUNT_WORDS[verdict]}`);
  return `${formatCount(clusters.length, "cluster")}${to}${parts.length === 0 ? "" : `: ${parts.join(", ")}`}`;
}

function listVerdicts(counts: FleetMatrix["counts"]): readonly FleetVerdict[] {
  return FLEET_VERDICTS.filter((verdict) => counts[verdict] > 0);
}

/** A cluster's result in a word or two: "2 risks", "failed", "clear". */
export function formatVerdict({ verdict, risks }: FleetCluster): string {
  if (verdict === "risk") return formatCount(risks.filter(isOpen).length, "risk");
  return verdict;
}
