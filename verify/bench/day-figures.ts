import { formatTable } from "../shared/markdown.ts";
import { computeMedian } from "./sample.ts";

/** What was measured of a runner: after each cycle, its CPU and its bytes since it started, and its memory. */
export type DayFigures = {
  readonly samples: readonly {
    readonly cycle: number;
    readonly cpuSeconds: number;
    readonly mib: number;
    readonly bytes: number;
  }[];
  /** Of the API server, beyond what it uses by itself. */
  readonly serverSeconds: number;
  readonly requests: number;
  readonly refused: number;
};

export type DaySummary = {
  readonly cycles: number;
  readonly firstCpuSeconds: number;
  /** Of each cycle after the first. */
  readonly cpuSeconds: number;
  readonly serverSeconds: number;
  readonly requests: number;
  readonly refused: number;
  readonly bytes: number;
  /** In each quarter of the cycles: it is filled at first, and flat then. */
  readonly mibOfQuarters: readonly number[];
  /** By how much memory grows in a day, by the second half of the cycles. */
  readonly slopeMib: number;
};

const CYCLES_OF_A_DAY = 288;

export function summarizeDay({ samples, serverSeconds, requests, refused }: DayFigures): DaySummary {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.cycle <= first.cycle) throw new Error("too few cycles");
  const more = last.cycle - first.cycle;
  const settled = samples.slice(samples.length >> 1);
  return {
    cycles: last.cycle,
    firstCpuSeconds: first.cpuSeconds / first.cycle,
    cpuSeconds: (last.cpuSeconds - first.cpuSeconds) / more,
    serverSeconds: serverSeconds / last.cycle,
    requests: requests / last.cycle,
    refused,
    bytes: (last.bytes - first.bytes) / more,
    mibOfQuarters: [0, 1, 2, 3].map((quarter) => computeMedian(selectQuarter(samples, quarter).map(({ mib }) => mib))),
    slopeMib: computeSlope(settled.map(({ cycle, mib }) => [cycle, mib])) * CYCLES_OF_A_DAY,
  };
}

function selectQuarter<T>(all: readonly T[], quarter: number): readonly T[] {
  return all.slice((all.length * quarter) >> 2, (all.length * (quarter + 1)) >> 2);
}

/** Of the line that is nearest to the points, by the median of the slopes between them (Theil and Sen): one peak changes nothing. */
export function computeSlope(points: readonly (readonly [x: number, y: number])[]): number {
  const slopes = points.flatMap(([x, y], i) =>
    points.slice(i + 1).flatMap(([otherX, otherY]) => (otherX === x ? [] : [(otherY - y) / (otherX - x)])),
  );
  return slopes.length === 0 ? 0 : computeMedian(slopes);
}

export function formatDay(objects: number, day: DaySummary): string {
  const seconds = (value: number): string => `${value.toFixed(2)} s`;
  return formatTable(
    ["of each cycle", `${objects.toLocaleString("en")} objects, ${day.cycles} cycles`],
    [
      ["CPU of the runner", `${seconds(day.cpuSeconds)}, of the first ${seconds(day.firstCpuSeconds)}`],
      ["CPU of the API server", seconds(day.serverSeconds)],
      ["requests", `${day.requests.toFixed(0)}; ${day.refused} of all were refused with 429`],
      ["read", `${(day.bytes / 1e6).toFixed(1)} MB`],
      ["memory after it, by quarters of the run", `${day.mibOfQuarters.map((mib) => mib.toFixed(0)).join(", ")} MiB`],
      ["growth of memory in 288 cycles, by the second half", `${day.slopeMib.toFixed(1)} MiB`],
    ],
  );
}
