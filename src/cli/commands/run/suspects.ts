import type { SeparateResult } from "../../../runner/isolation.ts";

/** How often the common process ended while it ran a check, and in how many cycles this still runs alone. It lasts as long as the runner does. */
export type Suspects = ReadonlyMap<string, { readonly faults: number; readonly cycles: number }>;

/** A check that came back that often stays out for most of a day, with the usual interval. */
const MAX_FAULTS = 9;

export function listSuspects(suspects: Suspects): readonly string[] {
  return [...suspects].flatMap(([id, { cycles }]) => (cycles > 0 ? [id] : []));
}

/** After a cycle: a check that completed alone returns to the common process, the later the more often that ended with it. */
export function countCycle(suspects: Suspects, separate: ReadonlyMap<string, SeparateResult>): Suspects {
  const counted = [...separate].map(([id, { kind }]) => {
    const { faults, cycles } = suspects.get(id) ?? { faults: 0, cycles: 0 };
    if (cycles > 0) return [id, { faults, cycles: kind === "judged" ? cycles - 1 : cycles }] as const;
    return [id, { faults: faults + 1, cycles: 2 ** Math.min(faults, MAX_FAULTS - 1) }] as const;
  });
  return new Map([...suspects, ...counted]);
}
