import type { LastWork } from "./cycle-child.ts";

/**
 * Which checks run in a process of their own, because the process that ran them ended. The others run in the common one. It lasts as long
 * as the runner does.
 */
export type Isolation = {
  readonly groups: readonly CheckGroup[];
  /** How often the common process ended while it ran a check. */
  readonly faults: ReadonlyMap<string, number>;
  /** Whether the common process ended in the last cycle. */
  readonly hasCommonEnded: boolean;
};

/** Checks that run in one process. `completed`: in how many cycles on end. */
export type CheckGroup = { readonly checks: readonly string[]; readonly completed: number };

export const NO_ISOLATION: Isolation = { groups: [], faults: new Map(), hasCommonEnded: false };

/** A check that came back that often stays out for most of a day, with the usual interval. */
const MAX_FAULTS = 9;

/**
 * After the end of the common process. If it ends again in the next cycle, memory was filled by another check than the one that asked for
 * more: then all that it had begun with are suspects.
 */
export function isolateSuspects(isolation: Isolation, { running, begun }: LastWork): Isolation {
  if (running.length === 0) return { ...isolation, hasCommonEnded: false };
  const isVague = isolation.hasCommonEnded || running.length === begun.length;
  const groups = isVague ? halve(begun) : [running];
  const suspects = groups.flat();
  const faults = new Map([...isolation.faults, ...suspects.map((id) => [id, countFaults(isolation, id) + 1] as const)]);
  return { groups: [...isolation.groups, ...groups.map(toGroup)], faults, hasCommonEnded: true };
}

/** After the end of a group's process: its suspects are told apart from the rest, until a check is alone. */
export function narrowSuspects(isolation: Isolation, group: CheckGroup, { running }: LastWork): Isolation {
  return replaceGroup(isolation, group, narrow(group.checks, running).map(toGroup));
}

/** After a cycle that a group completed: it returns to the common process, the later the more often that ended with it. */
export function countCompleted(isolation: Isolation, group: CheckGroup): Isolation {
  const completed = group.completed + 1;
  const faults = Math.max(...group.checks.map((id) => countFaults(isolation, id)));
  const isOver = completed >= 2 ** (Math.min(faults, MAX_FAULTS) - 1);
  return replaceGroup(isolation, group, isOver ? [] : [{ ...group, completed }]);
}

function countFaults({ faults }: Isolation, id: string): number {
  return faults.get(id) ?? 0;
}

function replaceGroup(isolation: Isolation, group: CheckGroup, by: readonly CheckGroup[]): Isolation {
  return { ...isolation, groups: isolation.groups.flatMap((one) => (one === group ? by : [one])) };
}

function toGroup(checks: readonly string[]): CheckGroup {
  return { checks, completed: 0 };
}

/** The checks that ran, and the rest; halves, if that says nothing. */
function narrow(all: readonly string[], running: readonly string[]): readonly (readonly string[])[] {
  const suspects = all.filter((id) => running.includes(id));
  if (suspects.length === 0 || suspects.length === all.length) return halve(all);
  return [suspects, all.filter((id) => !running.includes(id))];
}

function halve(all: readonly string[]): readonly (readonly string[])[] {
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)].filter((half) => half.length > 0);
}
