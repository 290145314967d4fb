import type { Logger } from "../../../model/logger.ts";
import type { CycleFailure, CycleResult } from "../../../model/report.ts";
import { type ChildWords, describeChildEnd } from "../../process/child-end.ts";
import { type CycleChild, type CycleChildInput, type Answer, createCycleChild } from "../../process/cycle-child.ts";
import { askInIsolation, type Death, formatLate } from "../../process/isolated-checks.ts";
import type { SeparateResult } from "../../../runner/isolation.ts";

/** Runs a cycle whenever it is asked for one. */
export type CycleRunner = Pick<CycleChild, "target" | "clientAuthorities" | "close"> & {
  readonly cycle: () => Promise<CycleResult>;
};

type ChildCyclesInput = Omit<CycleChildInput, "timeout"> & {
  readonly now: () => Date;
  readonly log: Pick<Logger, "warn">;
  /** Milliseconds after which a cycle fails by itself. */
  readonly cycleTimeout: number;
};

/** Beyond the cycle's own timeout, for reading the target. */
const GRACE_MS = 30_000;

/**
 * Runs the cycles in a child process, which stays between cycles. The checks that it ran when it ended run alone in that cycle, and in some
 * after it. A child that exits before its first cycle has said why: the runner then ends too.
 */
export async function createChildCycles(input: ChildCyclesInput): Promise<CycleRunner | { readonly exitCode: number }> {
  const { now, log, signal, cycleTimeout } = input;
  const timeout = cycleTimeout + GRACE_MS;
  const child = createCycleChild({ ...input, timeout });
  let suspects: Suspects = new Map();
  const onDeath = ({ kind, ...fields }: Death): void => log.warn(DEATHS[kind], fields);
  const cycle = async (): Promise<CycleResult> => {
    const observedAt = now();
    const asked = { observedAt, suspects: listSuspects(suspects), onDeath, signal };
    const { answer, separate } = await askInIsolation(child, asked);
    suspects = countCycle(suspects, separate);
    if (answer.kind === "result") return answer.result;
    return { kind: "failed", failure: buildFailure(answer), observedAt, target: child.target() };
  };
  const answer = await child.start();
  if (answer.kind === "ended" && answer.end.kind === "exited") return { exitCode: answer.end.code };
  return { cycle, target: child.target, clientAuthorities: child.clientAuthorities, close: child.close };
}

const DEATHS: Readonly<Record<Death["kind"], string>> = {
  alone: "the process of a check that ran alone ended",
  together: "the process of all checks ended, and those that it ran then run alone",
};

function buildFailure(answer: Answer): CycleFailure {
  if (answer.kind === "ended") return describeChildEnd(answer.end, WORDS);
  const why = answer.kind === "late" ? formatLate(answer.timeout) : "was stopped";
  return { reason: "CycleTimedOut", message: `The process that runs the cycle ${why}.` };
}

const LESS_MEMORY = "or leave out checks with --skip (PREFLIGHT_SKIP).";

const WORDS: ChildWords = {
  work: "cycle",
  process: "The process that runs the cycle",
  log: "The log",
  describeMoreHeap: (option) => `Raise the memory limit of the container, or set ${option}, ${LESS_MEMORY}`,
  moreMemory: `Raise the memory limit of the container, ${LESS_MEMORY}`,
};

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
