import { EFFECTS } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { formatTime } from "../../model/time.ts";
import type { ResultRisk } from "../result/result.ts";
import { buildRiskTable, type RiskTable, type TableRisk } from "../result/risk-table.ts";
import { getEffect } from "../view/view.ts";
import { FLEET_VERDICTS, type FleetCluster, type FleetVerdict, isOpen } from "./cluster.ts";
import { findGroup, type FleetGroup, groupClusters, type GroupRule } from "./groups.ts";
import { buildTrend, type FleetMoment, type FleetTrend } from "./trend.ts";
import { countWaves, type FleetFix, findWave, orderFixes, type WaveCounts } from "./waves.ts";

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
