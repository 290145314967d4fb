import { EFFECTS, type Effect } from "../../model/check.ts";
import {
  FLEET_VERDICTS,
  type FleetCell,
  type FleetCluster,
  type FleetMatrix,
  type FleetRisk,
  type FleetVerdict,
} from "../../model/fleet.ts";
import { compareText } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";

export type MatrixInput = {
  readonly clusters: readonly FleetCluster[];
  readonly target: string | undefined;
  readonly now: Date;
};

/** Clusters by risks, in the order in which an owner of the fleet works. */
export function buildMatrix({ clusters, target, now }: MatrixInput): FleetMatrix {
  return {
    ...defined({ target }),
    observedAt: now,
    clusters: clusters.toSorted(compareClusters),
    risks: buildRisks(clusters).toSorted(compareFleetRisks),
    counts: countVerdicts(clusters),
  };
}

/** What a cluster's result says of a risk; an incomplete check is never clear, and neither is a stale result. */
export function getCell({ verdict, risks, outcomes }: FleetCluster, { name, check }: FleetRisk): FleetCell {
  const own = risks.find((risk) => risk.name === name);
  if (own !== undefined) {
    if (own.isAccepted) return "accepted";
    return own.unknown ? "unknown" : "risk";
  }
  const outcome = outcomes.get(check);
  if (outcome === undefined || verdict === "stale") return "notRun";
  return outcome === "unknown" || outcome === "notApplicable" ? outcome : "clear";
}

export function isOpen({ isAccepted, unknown }: FleetCluster["risks"][number]): boolean {
  return !isAccepted && !unknown;
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
  const ranks = risks.filter(isOpen).map(({ effect }) => getRank(effect));
  return Math.min(...ranks, EFFECTS.length);
}

function getRank(effect: Effect = "broken"): number {
  return EFFECTS.indexOf(effect);
}

function buildRisks(clusters: readonly FleetCluster[]): readonly FleetRisk[] {
  const all = Map.groupBy(
    clusters.flatMap(({ risks }) => risks),
    ({ name }) => name,
  );
  return [...all].flatMap(([name, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const { url, unknown } = first;
    const check = own.map((risk) => risk.check).find((id) => id !== "") ?? "";
    const effect = own.map((risk) => risk.effect).find((one) => one !== undefined);
    return [{ name, check, url, unknown, clusters: own.length, ...defined({ effect }) }];
  });
}

/** Incomplete checks come after the risks. What more clusters have comes first, since one remedy may help all of them. */
function compareFleetRisks(a: FleetRisk, b: FleetRisk): number {
  return (
    Number(a.unknown) - Number(b.unknown) ||
    getRank(a.effect) - getRank(b.effect) ||
    b.clusters - a.clusters ||
    compareText(a.name, b.name)
  );
}

function countVerdicts(clusters: readonly FleetCluster[]): Record<FleetVerdict, number> {
  const counts = { risk: 0, failed: 0, invalid: 0, stale: 0, running: 0, incomplete: 0, clear: 0, updated: 0 };
  for (const { verdict } of clusters) counts[verdict] += 1;
  return counts;
}
