import { compareText } from "../../model/json.ts";
import { sortNames } from "../../model/text.ts";
import { countWaves, type Wave, type WaveCounts } from "./waves.ts";

/** A fleet at a time, by the names of its clusters. `observedAt`: of its newest result, RFC 3339. */
export type FleetMoment = { readonly observedAt: string; readonly waves: ReadonlyMap<string, Wave> };

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
  const points = [...ordered, now].map(({ observedAt, waves }) => ({ observedAt, waves: countWaves(waves.values()) }));
  const names = [...new Set([...last.waves.keys(), ...now.waves.keys()])];
  const changes = Map.groupBy(names, (name) => findChange(last.waves.get(name), now.waves.get(name)));
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
