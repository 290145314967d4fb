import type { Coverage } from "../../model/report.ts";
import type { ReadStats } from "./gather.ts";

/** Counts what a cycle reads. */
export function createCoverageCounter(): {
  readonly onRead: (stats: ReadStats) => void;
  readonly total: () => Coverage;
} {
  const kinds = new Set<string>();
  let [objects, bytes] = [0, 0];
  const onRead = (stats: ReadStats): void => {
    if (stats.kind !== undefined) kinds.add(stats.kind);
    objects += stats.objects;
    bytes += stats.bytes;
  };
  return { onRead, total: () => ({ kinds: kinds.size, objects, bytes }) };
}
