import { formatTable } from "../shared/markdown.ts";

/** What one size cost. `requests`: those of lists, where there is a server. */
export type LawPoint = {
  readonly cpuSeconds: number;
  readonly peakMib: number;
  readonly requests?: number | undefined;
};

/** What one thing cost at each of its sizes. */
export type Law = { readonly name: string; readonly points: ReadonlyMap<number, LawPoint> };

/**
 * By which power of its size a cost grows, between the two largest sizes: beyond what the smallest one costs, which is mostly the start.
 * Undefined if that is within what two runs of the same differ.
 */
export function computePower(costs: ReadonlyMap<number, number>, noise: number): number | undefined {
  const [start, ...more] = [...costs];
  const [before, last] = more.slice(-2);
  if (start === undefined || before === undefined || last === undefined) return undefined;
  const [grownBefore, grown] = [before, last].map(([, cost]) => cost - start[1]);
  if (grownBefore === undefined || grown === undefined || grownBefore < noise || grown < noise) return undefined;
  return Math.log(grown / grownBefore) / Math.log((last[0] - start[0]) / (before[0] - start[0]));
}

const CPU_NOISE_SECONDS = 0.15;
const MEMORY_NOISE_MIB = 10;

export function formatLaws(laws: readonly Law[]): string {
  const header = ["what grows", "sizes", "CPU, s", "its power", "peak, MiB", "its power", "requests for lists"];
  return formatTable(
    header,
    laws.map(({ name, points }) => {
      const list = (figure: (point: LawPoint) => string): string => [...points.values()].map(figure).join(", ");
      const power = (figure: (point: LawPoint) => number, noise: number): string => {
        const costs = new Map([...points].map(([size, point]) => [size, figure(point)]));
        return computePower(costs, noise)?.toFixed(2) ?? "too little to say";
      };
      return [
        name,
        [...points.keys()].map((size) => size.toLocaleString("en")).join(", "),
        list(({ cpuSeconds }) => cpuSeconds.toFixed(2)),
        power(({ cpuSeconds }) => cpuSeconds, CPU_NOISE_SECONDS),
        list(({ peakMib }) => peakMib.toFixed(0)),
        power(({ peakMib }) => peakMib, MEMORY_NOISE_MIB),
        list(({ requests }) => requests?.toString() ?? "none"),
      ];
    }),
  );
}
