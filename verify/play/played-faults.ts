import { compareFaults, type FateDifference } from "./compare.ts";
import type { Fate, PlantedFault, PlayedPair, PlayedWorld } from "./fault.ts";
import { askPreflight, type Said } from "./predictions.ts";

/** A fault that was planted or not, and how what was said of it fits what happened. */
export type PlayedFault = {
  readonly fault: PlantedFault;
  /** True, or why it was not planted, or could not be played to its end. */
  readonly applies: true | string;
  readonly fates: readonly Fate[];
  readonly difference: FateDifference;
};

const NOTHING: FateDifference = { hits: [], missed: [], alarms: [] };

/** Plants the faults that apply; returns those that could not be planted, with the reason. */
export async function plantFaults(
  world: PlayedWorld,
  faults: readonly PlantedFault[],
): Promise<ReadonlyMap<PlantedFault, string>> {
  const failed = new Map<PlantedFault, string>();
  for (const fault of faults)
    await fault.plant(world).catch((thrown: unknown) => failed.set(fault, `planting failed: ${describe(thrown)}`));
  return failed;
}

export function selectApplying(faults: readonly PlantedFault[], pair: PlayedPair): readonly PlantedFault[] {
  return faults.filter((fault) => fault.applies(pair) === true);
}

/** What the checks say that run only if they are named. */
export async function askOnRequest(
  kubeconfig: string,
  payload: string,
  faults: readonly PlantedFault[],
): Promise<readonly Said[]> {
  const checks = [...new Set(faults.filter(({ isOnRequest }) => isOnRequest).map(({ check }) => check))];
  if (checks.length === 0) return [];
  return (await askPreflight(kubeconfig, payload, ["--only", checks.join(",")])).said;
}

/**
 * What really happened, beside what was said. `said`: what was said since the faults were planted. A finding that fits no fate counts
 * against the first fault of its check that shows its risk.
 */
export async function observeFaults(
  world: PlayedWorld,
  faults: readonly PlantedFault[],
  said: readonly Said[],
  failed: ReadonlyMap<PlantedFault, string>,
): Promise<readonly PlayedFault[]> {
  const observed = new Map(
    await Promise.all(
      selectApplying(faults, world.pair).map(
        async (fault) => [fault, failed.get(fault) ?? (await observeFault(world, fault))] as const,
      ),
    ),
  );
  const fatesOf = (check: string): readonly Fate[] =>
    [...observed].flatMap(([fault, fates]) => (fault.check === check && typeof fates !== "string" ? fates : []));
  return faults.map((fault) => {
    const fates = observed.get(fault);
    if (fates === undefined || typeof fates === "string")
      return { fault, applies: fates ?? fault.applies(world.pair), fates: [], difference: NOTHING };
    const own = said.filter(({ check, risk }) => check === fault.check && fault.risks.includes(risk));
    const { hits, missed } = compareFaults(own, fates);
    const { alarms } = compareFaults(own, fatesOf(fault.check));
    const isFirst = ({ risk }: Said): boolean => findFirst(faults, observed, fault.check, risk) === fault;
    return { fault, applies: true, fates, difference: { hits, missed, alarms: alarms.filter(isFirst) } };
  });
}

function observeFault(world: PlayedWorld, fault: PlantedFault): Promise<readonly Fate[] | string> {
  return fault.observe(world).catch((thrown: unknown) => `observing failed: ${describe(thrown)}`);
}

function findFirst(
  faults: readonly PlantedFault[],
  observed: ReadonlyMap<PlantedFault, unknown>,
  check: string,
  risk: string,
): PlantedFault | undefined {
  return faults.find((one) => observed.has(one) && one.check === check && one.risks.includes(risk));
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
