import { formatTable } from "../shared/markdown.ts";
import type { PlayCounts, StepCounts } from "./play.ts";
import { STEPS } from "./steps.ts";

type Run = { readonly first: number; readonly steps: number };

/** How often each kind of step was played, what it changed, and what was written, if nothing was found. */
export function formatOutages(plays: readonly PlayCounts[], { first, steps }: Run): string {
  const rows = Object.keys(STEPS).map((name) => {
    const counts = plays.flatMap((play) => play.steps.get(name) ?? []);
    return [name, ...(["times", "changes", "writes"] as const).map((key) => `${sum(counts, key)}`)];
  });
  const removals = plays.reduce((total, one) => total + one.removals, 0);
  const seeds = plays.length === 1 ? `seed ${first}` : `seeds ${first} to ${first + plays.length - 1}`;
  return [
    formatTable(["Step", "Times", "Changed something", "Writes of ClusterVersion and preflight-result"], rows),
    "",
    `${plays.length * steps} steps (${seeds}, ${steps} each): ${removals} runners ended, each after the operator had seen that the update is not offered; 0 without evidence, 0 sentences that were not so, 0 writes without a change.`,
  ].join("\n");
}

function sum(counts: readonly StepCounts[], key: keyof StepCounts): number {
  return counts.reduce((total, one) => total + one[key], 0);
}
