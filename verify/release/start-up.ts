import { spawnSync } from "node:child_process";
import { computeMedian } from "../bench/sample.ts";

export type NamedStart = { readonly name: string; readonly command: string; readonly args: readonly string[] };

/** Prints the median time of each command, and its ratio to the first. They take turns, so that a busy machine slows all of them down. */
export function measureStarts(starts: readonly NamedStart[], rounds: number, print: (line: string) => void): void {
  const times = Array.from({ length: rounds }, () => starts.map(measure));
  const medians = starts.map((_, index) => computeMedian(times.map((round) => round[index] ?? 0)));
  for (const [index, { name }] of starts.entries()) {
    const ms = medians[index] ?? 0;
    print(`${name}: starts in ${ms.toFixed(0)} ms, ${(ms / (medians[0] ?? ms)).toFixed(2)} times ${starts[0]?.name}`);
  }
}

function measure({ command, args }: NamedStart): number {
  const begun = performance.now();
  const { status } = spawnSync(command, args);
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
  return performance.now() - begun;
}
