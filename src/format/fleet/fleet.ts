import { EFFECTS } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { formatCount } from "../../model/text.ts";
import { formatTime } from "../../model/time.ts";
import type { ResultRisk } from "../result/result.ts";
import { type Cell, type RiskTable, type TableRisk, buildRiskTable } from "../result/risk-table.ts";
import type { PageDecision } from "../text/page.ts";
import { getEffect } from "../view/view.ts";
import { FLEET_VERDICTS, type FleetCluster, type FleetVerdict, isOpen } from "./cluster.ts";
import { type FleetGroup, type GroupRule, findGroup, groupClusters } from "./groups.ts";
import type { FleetFix, FleetMoment, FleetTrend, WaveCounts } from "./waves.ts";
import { buildTrend, countWaves, findWave, orderFixes } from "./waves.ts";

/** Clusters by risks: the worst cluster first, and the risk to work on first. */
export type Fleet = RiskTable<FleetCluster> & {
  /** What the clusters are checked against, as it was asked for; absent if they were checked elsewhere. */
  readonly target?: string;
  readonly observedAt: Date;
  readonly counts: Readonly<Record<FleetVerdict, number>>;
  readonly waves: WaveCounts;
  /** What to mend, in the order in which most clusters become clear. */
  readonly fixes: readonly FleetFix[];
  /** None if the clusters are not grouped. */
  readonly groups: readonly FleetGroup[];
  readonly trend?: FleetTrend;
};

export type FleetInput = {
  readonly clusters: readonly FleetCluster[];
  readonly target: string | undefined;
  readonly now: Date;
  readonly groupBy?: GroupRule;
  readonly earlier?: readonly FleetMoment[];
};

export function buildFleet({ clusters: given, target, now, groupBy, earlier = [] }: FleetInput): Fleet {
  const clusters =
    groupBy === undefined ? given : given.map((cluster) => ({ ...cluster, group: findGroup(cluster, groupBy) }));
  const { risks } = buildRiskTable(clusters, compareFleetRisks);
  const columns = clusters.toSorted(compareClusters);
  return {
    target,
    observedAt: now,
    columns,
    risks,
    counts: countVerdicts(clusters),
    waves: countWaves(clusters.map(findWave)),
    fixes: orderFixes(clusters, risks),
    groups: groupClusters(columns, groupBy),
    trend: buildTrend(earlier, buildMoment(clusters, formatTime(now))),
  };
}

/** What a trend keeps of a fleet. */
export function buildMoment(clusters: readonly FleetCluster[], observedAt: string): FleetMoment {
  return { observedAt, clusters: clusters.map((cluster) => [cluster.name, findWave(cluster)]) };
}

/** By verdict, then by the worst effect, then by the number of risks. */
function compareClusters(a: FleetCluster, b: FleetCluster): number {
  return (
    FLEET_VERDICTS.indexOf(a.verdict) - FLEET_VERDICTS.indexOf(b.verdict) ||
    getWorstEffect(a) - getWorstEffect(b) ||
    b.risks.filter(isOpen).length - a.risks.filter(isOpen).length ||
    b.risks.length - a.risks.length ||
    compareText(a.name, b.name)
  );
}

function getWorstEffect({ risks }: FleetCluster): number {
  return Math.min(...risks.filter(isOpen).map(getRank), EFFECTS.length);
}

function getRank(risk: ResultRisk): number {
  return EFFECTS.indexOf(getEffect(risk));
}

/** Incomplete checks come after the risks. What more clusters have comes first, since one remedy may help all of them. */
function compareFleetRisks(a: TableRisk, b: TableRisk): number {
  return (
    Number(a.unknown) - Number(b.unknown) || getRank(a) - getRank(b) || b.count - a.count || compareText(a.name, b.name)
  );
}

export function countVerdicts(clusters: readonly FleetCluster[]): Record<FleetVerdict, number> {
  const counts = { risk: 0, failed: 0, invalid: 0, stale: 0, running: 0, incomplete: 0, clear: 0, updated: 0 };
  for (const { verdict } of clusters) counts[verdict] += 1;
  return counts;
}

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
