import pLimit from "p-limit";
import type { Gathered, Read } from "../../model/read.ts";
import type { Reader } from "../../model/reader.ts";
import type { Coverage } from "../../model/report.ts";
import type { Sleep } from "../../model/sleep.ts";
import {
  createCodeRunner,
  type OnBegin,
  type RunCode,
  startNoWorkLimit,
  type StartWorkLimit,
} from "../plan/check-code.ts";
import { gather, type GatherOptions, type ReadStats } from "./gather.ts";
import { createOwnerIndex, type OwnerIndex } from "./owner-index.ts";
import { limitSilence, systemSleep } from "./silence.ts";

/** What a cycle may take. */
export type CycleLimits = {
  /** How many reads may run at the same time. */
  readonly concurrency: number;
  /** Milliseconds for which nothing may arrive for a read, and for the whole cycle. */
  readonly checkTimeout: number;
  readonly cycleTimeout: number;
  /** How many objects of a kind one read may keep. */
  readonly maxKept?: number;
  /** Without it, the code of a check is not ended. */
  readonly startWorkLimit?: StartWorkLimit;
  /** The system's by default. */
  readonly sleep?: Sleep;
};

/** Who is told how far a cycle is. */
export type CycleProgress = { readonly onRead?: (stats: ReadStats) => void; readonly onBegin?: OnBegin };

export type GatheringInput = {
  readonly reader: Reader;
  readonly limits: CycleLimits;
  readonly signal: AbortSignal;
  readonly progress?: CycleProgress;
};

/** What all reads of a cycle share, and what they came to; and how the code of checks runs, which plans reads too. */
export type Gathering = GatherOptions & {
  readonly owners: OwnerIndex;
  readonly getCoverage: () => Coverage;
  readonly onBegin: OnBegin;
  readonly runCode: RunCode;
};

/** What one read keeps of a kind at most: more than real clusters have, and what fits into the memory of a cycle. */
const MAX_KEPT = 250_000;

/** Performs reads that no check declares, such as a command's own, as a cycle performs those of checks. */
export function gatherReads(reads: readonly Read[], input: GatheringInput): Promise<Gathered> {
  return gather(reads, openGathering(input));
}

export function openGathering({ reader, limits, signal, progress }: GatheringInput): Gathering {
  const { concurrency, checkTimeout, maxKept = MAX_KEPT, sleep = systemSleep } = limits;
  const { startWorkLimit = startNoWorkLimit } = limits;
  const { onBegin = () => {} } = progress ?? {};
  const kinds = new Set<string>();
  let objects = 0;
  let bytes = 0;
  const onRead = (stats: ReadStats): void => {
    if (stats.kind !== undefined) kinds.add(stats.kind);
    objects += stats.objects;
    bytes += stats.bytes;
    progress?.onRead?.(stats);
  };
  return {
    reader: limitSilence(reader.forCycle?.() ?? reader, { timeout: checkTimeout, sleep }),
    limit: pLimit(concurrency),
    signal,
    maxKept,
    onRead,
    owners: createOwnerIndex(),
    onBegin,
    runCode: createCodeRunner(onBegin, startWorkLimit(limits)),
    getCoverage: () => ({ kinds: kinds.size, objects, bytes }),
  };
}
