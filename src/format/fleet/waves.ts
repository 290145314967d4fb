import { compareText } from "../../model/json.ts";
import { sortNames } from "../../model/text.ts";
import type { TableRisk } from "../result/risk-table.ts";
import { type FleetCluster, isOpen } from "./cluster.ts";

/** When a cluster can be updated: now, after so many fixes, or nobody can say. */
export const WAVES = ["now", "afterOne", "afterTwo", "afterMore", "notSaid", "updated"] as const;
export type Wave = (typeof WAVES)[number];

export const WAVE_WORDS: Readonly<Record<Wave, string>> = {
  now: "clear now",
  afterOne: "after one fix",
  afterTwo: "after two fixes",
  afterMore: "after three or more",
  notSaid: "can't be said",
  updated: "already updated",
};

export function findWave({ outlook }: Pick<FleetCluster, "outlook">): Wave {
  if (outlook.kind !== "fixes") return outlook.kind;
  return (["now", "afterOne", "afterTwo"] as const)[outlook.fixes.length] ?? "afterMore";
}

export type WaveCounts = Readonly<Record<Wave, number>>;

export function countWaves(waves: Iterable<Wave>): WaveCounts {
  const counts = { now: 0, afterOne: 0, afterTwo: 0, afterMore: 0, notSaid: 0, updated: 0 };
  for (const wave of waves) counts[wave] += 1;
  return counts;
}

/** A risk to mend wherever it is. */
export type FleetFix = {
  readonly risk: TableRisk;
  /** How many clusters have it without having accepted it. */
  readonly clusters: number;
  /** How many clusters it alone makes clear. */
  readonly alone: number;
  /** How many clusters it makes clear after the fixes before it. */
  readonly gain: number;
  /** How many clusters are clear then, with those that are clear now. */
  readonly clear: number;
};

/** What is left to mend on some clusters, by its names: most clusters share it with others. */
type Rest = { readonly names: ReadonlySet<string>; readonly clusters: number };

/**
 * The order in which most clusters become clear soonest, as far as one fix at a time tells. Clusters of which more than what was found may
 * be wrong count for none.
 */
export function orderFixes(clusters: readonly FleetCluster[], risks: readonly TableRisk[]): readonly FleetFix[] {
  const all = collectRests(clusters);
  const counts = countOpen(clusters);
  let clear = clusters.filter((cluster) => findWave(cluster) === "now").length;
  let rests = all;
  let left = risks.filter(({ name }) => counts.has(name));
  const fixes: FleetFix[] = [];
  for (let risk = selectNext(left, rests); risk !== undefined; risk = selectNext(left, rests)) {
    const { name } = risk;
    const gain = countWith(rests, name, 1);
    clear += gain;
    fixes.push({ risk, clusters: counts.get(name) ?? 0, alone: countWith(all, name, 1), gain, clear });
    left = left.filter((one) => one !== risk);
    rests = rests.map((rest) => ({ ...rest, names: new Set([...rest.names].filter((one) => one !== name)) }));
  }
  return fixes;
}

function collectRests(clusters: readonly FleetCluster[]): readonly Rest[] {
  const lists = clusters.flatMap(({ outlook }) => (outlook.kind === "fixes" ? [outlook.fixes] : []));
  const groups = Map.groupBy(lists, (names) => JSON.stringify(names));
  return [...groups.values()].map((own) => ({ names: new Set(own[0]), clusters: own.length }));
}

function countOpen(clusters: readonly FleetCluster[]): ReadonlyMap<string, number> {
  const names = clusters.flatMap(({ risks, verdict }) =>
    verdict === "risk" ? risks.filter(isOpen).map(({ name }) => name) : [],
  );
  return new Map([...Map.groupBy(names, (name) => name)].map(([name, own]) => [name, own.length]));
}

/** How many clusters have this risk among as many that are left to mend; among any number without `size`. */
function countWith(rests: readonly Rest[], name: string, size?: number): number {
  const own = rests.filter(({ names }) => names.has(name) && (size === undefined || names.size === size));
  return own.reduce((sum, { clusters }) => sum + clusters, 0);
}

/** What makes most clusters clear; else what most lack but for one other; else what most have; else what comes first in the order of work. */
function selectNext(risks: readonly TableRisk[], rests: readonly Rest[]): TableRisk | undefined {
  const ranked = risks.map((risk) => ({
    risk,
    counts: [countWith(rests, risk.name, 1), countWith(rests, risk.name, 2), countWith(rests, risk.name)],
  }));
  const [first] = ranked.toSorted((a, b) => {
    const difference = a.counts.map((count, i) => (b.counts[i] ?? 0) - count).find((one) => one !== 0);
    return difference ?? 0;
  });
  return first?.risk;
}

/** The first fixes up to the one after which a cluster is clear that was not; none if nothing that can be mended leads there. */
export function selectFirstFixes(fixes: readonly FleetFix[]): readonly FleetFix[] {
  return fixes.slice(0, fixes.findIndex(({ gain }) => gain > 0) + 1);
}

/** A fleet at a time: the wave of each cluster, which is known by its name. `observedAt`: of its newest result, RFC 3339. */
export type FleetMoment = { readonly observedAt: string; readonly clusters: readonly NamedWave[] };
type NamedWave = readonly [name: string, wave: Wave];

export type TrendPoint = { readonly observedAt: string; readonly waves: WaveCounts };

/** How a fleet has changed since the last moment before now, by the names of clusters. */
export type FleetTrend = {
  /** The oldest first; the last one is now. */
  readonly points: readonly TrendPoint[];
  readonly changes: Readonly<Record<TrendChange, readonly string[]>>;
};

/** `ready`: it is clear now, or runs the target. `noLongerClear`: a risk was found. `noLongerSaid`: it was seen as a whole, and is not any more. */
const TREND_CHANGES = ["ready", "noLongerClear", "noLongerSaid", "added", "gone"] as const;
export type TrendChange = (typeof TREND_CHANGES)[number];

/** Undefined without an earlier moment. */
export function buildTrend(earlier: readonly FleetMoment[], now: FleetMoment): FleetTrend | undefined {
  const ordered = earlier.toSorted((a, b) => compareText(a.observedAt, b.observedAt));
  const last = ordered.at(-1);
  if (last === undefined) return undefined;
  const points = [...ordered, now].map(({ observedAt, clusters }) => ({
    observedAt,
    waves: countWaves(clusters.map(([, wave]) => wave)),
  }));
  const [before, after] = [last, now].map(nameWaves);
  const names = [...new Set([...last.clusters, ...now.clusters].map(([name]) => name))];
  const changes = Map.groupBy(names, (name) => findChange(before?.get(name), after?.get(name)));
  const select = (change: TrendChange): readonly string[] => sortNames(changes.get(change) ?? []);
  return {
    points,
    changes: {
      ready: select("ready"),
      noLongerClear: select("noLongerClear"),
      noLongerSaid: select("noLongerSaid"),
      added: select("added"),
      gone: select("gone"),
    },
  };
}

/** Of clusters of one name, nobody can say which became what. */
function nameWaves({ clusters }: FleetMoment): ReadonlyMap<string, Wave> {
  const waves = new Map<string, Wave>();
  for (const [name, wave] of clusters) waves.set(name, (waves.get(name) ?? wave) === wave ? wave : "notSaid");
  return waves;
}

function findChange(before: Wave | undefined, now: Wave | undefined): TrendChange | undefined {
  if (before === undefined) return "added";
  if (now === undefined) return "gone";
  if (isReady(now)) return isReady(before) ? undefined : "ready";
  if (now === "notSaid") return before === "notSaid" ? undefined : "noLongerSaid";
  return isReady(before) ? "noLongerClear" : undefined;
}

function isReady(wave: Wave): boolean {
  return wave === "now" || wave === "updated";
}
