import { compareText } from "../../model/json.ts";
import { sortNames } from "../../model/text.ts";
import { countWaves, type Wave, type WaveCounts } from "./waves.ts";

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
