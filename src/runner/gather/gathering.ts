import pLimit from "p-limit";
import { SilenceError } from "../../model/errors.ts";
import type { JsonObject } from "../../model/json.ts";
import { type Owner, formatOwner, parseOwners } from "../../model/owner.ts";
import type { Gathered, Read } from "../../model/read.ts";
import type { OnProgress, Reader } from "../../model/reader.ts";
import type { Coverage } from "../../model/report.ts";
import { type ObjectRef, getGroup, refOf } from "../../model/resource.ts";
import { createTextTable } from "../../model/text.ts";
import type { Sleep } from "../../model/time.ts";
import type { OnBegin, RunCode, StartWorkLimit } from "../plan/check-code.ts";
import { createCodeRunner, startNoWorkLimit } from "../plan/check-code.ts";
import { type GatherOptions, type ReadStats, gather } from "./gather.ts";

/** What a cycle may take. */
export type CycleLimits = {
  /** How many reads may run at the same time. */
  readonly concurrency: number;
  /** How many the API server takes at the same time, by its answers up to now. */
  readonly findServerLimit?: (() => number) | undefined;
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
  const { startWorkLimit = startNoWorkLimit, findServerLimit = () => concurrency } = limits;
  const { onBegin = () => {} } = progress ?? {};
  // By path: what several checks plan one after the other is requested once, and counts once.
  const ends = new Map<string, ReadStats>();
  const onRead = (stats: ReadStats): void => {
    ends.set(stats.path, stats);
    progress?.onRead?.(stats);
  };
  return {
    reader: limitSilence(reader.forCycle?.() ?? reader, { timeout: checkTimeout, sleep }),
    limit: createTurnLimit(() => Math.min(concurrency, findServerLimit())),
    signal,
    maxKept,
    onRead,
    owners: createOwnerIndex(),
    onBegin,
    runCode: createCodeRunner(onBegin, startWorkLimit(limits)),
    getCoverage: () => sumUp([...ends.values()]),
  };
}

function sumUp(ends: readonly ReadStats[]): Coverage {
  return {
    kinds: new Set(ends.flatMap(({ kind }) => kind ?? [])).size,
    objects: ends.reduce((sum, { objects }) => sum + objects, 0),
    bytes: ends.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

type SilenceLimit = {
  /** Milliseconds for which nothing may arrive. */
  readonly timeout: number;
  readonly sleep: Sleep;
};

/** Ends a read once nothing has arrived for it for so long, however long it takes otherwise. */
export function limitSilence(reader: Reader, limit: SilenceLimit): Reader {
  const { query, listSelected, management } = reader;
  const bound = async <T>(
    signal: AbortSignal,
    read: (signal: AbortSignal, onProgress: OnProgress) => Promise<T>,
  ): Promise<T> => {
    const watch = watchSilence(limit);
    try {
      return await read(AbortSignal.any([signal, watch.signal]), watch.onProgress);
    } finally {
      watch.end();
    }
  };
  return {
    get: (location, given) => bound(given, (signal, onProgress) => reader.get(location, signal, onProgress)),
    list: (resource, begin, given, part) =>
      bound(given, (signal, onProgress) =>
        reader.list(resource, (held) => notifyFirst(begin(held), onProgress), signal, part, onProgress),
      ),
    ...(listSelected && {
      listSelected: (resource, selection, begin, given) =>
        bound(given, (signal, onProgress) =>
          listSelected(resource, selection, () => notifyFirst(begin(), onProgress), signal, onProgress),
        ),
    }),
    raw: (path, begin, given) =>
      bound(given, (signal, onProgress) =>
        reader.raw(path, () => notifyFirst(begin(), onProgress), signal, onProgress),
      ),
    ...(management && { management: limitSilence(management, limit) }),
    ...(query && {
      query: (expression, given) => bound(given, (signal, onProgress) => query(expression, signal, onProgress)),
    }),
  };
}

function notifyFirst<In, Out>(visit: (item: In) => Out, onProgress: OnProgress): (item: In) => Out {
  return (item) => {
    onProgress();
    return visit(item);
  };
}

type SilenceWatch = { readonly signal: AbortSignal; readonly onProgress: OnProgress; readonly end: () => void };

/** The default reason is a new error, with a stack, each time. */
const ENDED = "ended";

/** The time is counted in so many steps. */
const STEPS = 20;

/**
 * A step that ends late counts as one that ends in time: the process was then busy, and has not yet read what arrived meanwhile. Busy time
 * is not the server's silence.
 */
function watchSilence({ timeout, sleep }: SilenceLimit): SilenceWatch {
  const silent = new AbortController();
  const ended = new AbortController();
  let steps = 0;
  const count = async (): Promise<void> => {
    while (steps < STEPS) {
      await sleep(timeout / STEPS, ended.signal);
      if (ended.signal.aborted) return;
      steps += 1;
    }
    silent.abort(new SilenceError(timeout));
  };
  void count();
  return { signal: silent.signal, onProgress: () => void (steps = 0), end: () => ended.abort(ENDED) };
}

/** Aborted after so many milliseconds, as the signal of `AbortSignal.timeout`. */
export function startTimeLimit(milliseconds: number, sleep: Sleep): Pick<SilenceWatch, "signal" | "end"> {
  const over = new AbortController();
  const ended = new AbortController();
  void sleep(milliseconds, ended.signal).then(() => {
    if (!ended.signal.aborted) over.abort(new DOMException("the time is up", "TimeoutError"));
  });
  return { signal: over.signal, end: () => ended.abort(ENDED) };
}

export const systemSleep: Sleep = (milliseconds, signal) =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });

/** Does work once fewer than so many others do theirs: the highest rank first, and of one rank in the order in which it was given. */
export type TurnLimit = <T>(work: () => Promise<T>, rank?: number) => Promise<T>;

/** `findMost`: how many may do work now. It is asked around each, so that a lower number counts at once. */
export function createTurnLimit(findMost: () => number): TurnLimit {
  const limit = pLimit(findMost());
  const waiting: { readonly rank: number; readonly begin: () => Promise<void> }[] = [];
  const adapt = (): void => void (limit.concurrency = findMost());
  return <T>(work: () => Promise<T>, rank = 0) =>
    new Promise<T>((resolve, reject) => {
      const begin = (): Promise<void> => work().then(resolve, reject).finally(adapt);
      const behind = waiting.findIndex((one) => one.rank < rank);
      waiting.splice(behind === -1 ? waiting.length : behind, 0, { rank, begin });
      adapt();
      // Whoever has waited longest gives its turn to the highest rank.
      void limit(async () => waiting.shift()?.begin());
    });
}

/** The owners of the objects that a cycle keeps something of. Which of these have a fault shows only once all are read. */
export type OwnerIndex = {
  readonly add: (object: JsonObject) => void;
  readonly find: (ref: ObjectRef) => readonly Owner[];
};

/** As many different sets of owners are kept; objects of others then have none. */
const MAX_OWNERS = 20_000;

/** Objects are known by a hash, since there may be very many of them. */
export function createOwnerIndex(maxOwners = MAX_OWNERS): OwnerIndex {
  const sets: (readonly Owner[])[] = [];
  const numbers = new Map<string, number>();
  const table = createTextTable();
  const getNumber = (owners: readonly Owner[]): number | undefined => {
    const text = owners.map(formatOwner).join("\n");
    const known = numbers.get(text);
    if (known !== undefined || sets.length >= maxOwners) return known;
    sets.push(owners);
    numbers.set(text, sets.length);
    return sets.length;
  };
  const add = (object: JsonObject): void => {
    const owners = parseOwners(object);
    const number = owners.length === 0 ? undefined : getNumber(owners);
    if (number !== undefined) table.set(buildKey(refOf(object)), number);
  };
  return { add, find: (ref) => sets[table.get(buildKey(ref)) - 1] ?? [] };
}

/** Of the group without its version, since a finding may name another version of the same object. */
function buildKey({ apiVersion, kind, namespace = "", name }: ObjectRef): string {
  return [getGroup(apiVersion), kind, namespace, name].join("\u0000");
}
