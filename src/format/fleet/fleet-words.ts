import { formatCount } from "../../model/text.ts";
import type { Cell } from "../result/risk-table.ts";
import type { PageDecision } from "../text/page.ts";
import { type FleetCluster, FLEET_VERDICTS, type FleetVerdict, isOpen } from "./cluster.ts";
import type { Fleet } from "./fleet.ts";

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

type CellWords = { readonly mark: string; readonly word: string };

/** A mark for each cell of the clusters by risks, and what it means. */
export const CELLS: Readonly<Record<Cell["kind"], CellWords>> = {
  risk: { mark: "!", word: "risk" },
  accepted: { mark: "a", word: "accepted" },
  unknown: { mark: "?", word: "could not be checked" },
  clear: { mark: ".", word: "clear" },
  notApplicable: { mark: "-", word: "does not apply" },
  notRun: { mark: " ", word: "no result" },
};

/** What has no mark needs no word. */
export const MARKED = Object.values(CELLS).filter(({ mark }) => mark !== " ");
export const LEGEND = MARKED.map(({ mark, word }) => `${mark} ${word}`).join("   ");

export function formatFleetTitle({ target }: Fleet): string {
  return `Fleet${target === undefined ? "" : ` to ${target}`}`;
}

/** "12 clusters to 4.20: 3 with risks, 1 could not be checked, 8 clear" */
export function formatFleetHeadline({ columns, counts, target }: Fleet): string {
  const to = target === undefined ? "" : ` to ${target}`;
  const parts = formatCounts(counts);
  if (columns.length === 0) return `No cluster was checked${to === "" ? "" : ` for the update${to}`}: none is selected`;
  return `${formatCount(columns.length, "cluster")}${to}${parts === "" ? "" : `: ${parts}`}`;
}

/** "3 with risks, 8 clear" */
export function formatCounts(counts: Fleet["counts"]): string {
  const own = FLEET_VERDICTS.filter((verdict) => counts[verdict] > 0);
  return own.map((verdict) => `${counts[verdict]} ${COUNT_WORDS[verdict]}`).join(", ");
}

export function decideFleet({ counts, columns }: Fleet): Pick<PageDecision, "kind" | "words"> {
  if (counts.risk > 0) return { kind: "risk", words: "Not every cluster can be updated yet" };
  if (columns.length === 0) return { kind: "nothing", words: "No cluster was checked" };
  if (counts.clear + counts.updated < columns.length)
    return { kind: "incomplete", words: "Not decided: some clusters have no whole result" };
  if (counts.clear === 0) return { kind: "nothing", words: "Every cluster runs the target already" };
  const which = counts.updated > 0 ? " that does not run the target yet" : "";
  return { kind: "clear", words: `No unaccepted risk was found on any cluster${which}` };
}

/** A cluster's result in a word or two: "2 risks", "failed", "clear". */
export function formatVerdict({ verdict, risks }: FleetCluster): string {
  return verdict === "risk" ? formatCount(risks.filter(isOpen).length, "risk") : verdict;
}

/** The first texts of a cluster's row. */
export function formatCluster(cluster: FleetCluster): readonly string[] {
  return [cluster.name, cluster.sourceVersion ?? "-", cluster.targetVersion ?? "-", formatVerdict(cluster)];
}
