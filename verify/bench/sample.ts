import type { MeasuredRun } from "./processes.ts";
import type { ServerCost } from "./server-cost.ts";

/** One run of a command, as it is reported. */
export type Sample = Pick<MeasuredRun, "seconds" | "cpuSeconds" | "peakMib"> & {
  readonly requests?: number;
  readonly bytes?: number;
  readonly server?: ServerCost;
};

/** A command with its runs. `id` is used in ratios, `title` in tables. */
export type Series = { readonly id: string; readonly title: string; readonly samples: readonly Sample[] };

export type Figure = (sample: Sample) => number;

export const getWall: Figure = ({ seconds }) => seconds;
export const getCpu: Figure = ({ cpuSeconds }) => cpuSeconds;
export const getPeak: Figure = ({ peakMib }) => peakMib;
export const getServerCpu: Figure = ({ server }) => (server?.apiServerSeconds ?? 0) + (server?.etcdSeconds ?? 0);

export type Case = { readonly id: string; readonly title: string; readonly run: () => Promise<Sample> };

/** Runs all cases in turn, so that each round meets the same machine, after one round that does not count. */
export async function runRounds(rounds: number, cases: readonly Case[]): Promise<readonly Series[]> {
  const samples = new Map(cases.map(({ id }) => [id, new Array<Sample>()]));
  for (let round = rounds > 1 ? -1 : 0; round < rounds; round++) {
    for (const { id, run } of cases) {
      const sample = await run();
      if (round >= 0) samples.get(id)?.push(sample);
    }
  }
  return cases.map(({ id, title }) => ({ id, title, samples: samples.get(id) ?? [] }));
}

export function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

export function medianOf({ samples }: Series, figure: Figure): number {
  return computeMedian(samples.map(figure));
}
