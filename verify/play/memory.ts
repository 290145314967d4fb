import type { PlayedCrd } from "./played-crd.ts";
import type { PlayResult } from "./play-result.ts";
import { listDifferences } from "./differences.ts";

/** How interesting a definition and a kind of change are. */
export type Weights = {
  readonly weighCrd: (crd: { readonly name: string }) => number;
  readonly weighChange: (change: string) => number;
};

export type Memory = Weights & {
  /** Learns what broke predictions; returns the differences that are new and have no reason. */
  readonly learn: (result: PlayResult) => readonly string[];
};

const FACTOR = 3;
const MAX_WEIGHT = 27;

/** Remembers what broke predictions, so that the next round has more of it. */
export function createMemory(): Memory {
  const weights = new Map<string, number>();
  const seen = new Set<string>();
  const raise = (key: string): void => void weights.set(key, Math.min(MAX_WEIGHT, (weights.get(key) ?? 1) * FACTOR));
  return {
    weighCrd: ({ name }) => weights.get(`crd ${name}`) ?? 1,
    weighChange: (change) => weights.get(`change ${change}`) ?? 1,
    learn(result) {
      const differences = listDifferences(result);
      const fresh = differences.filter(({ signature }) => !seen.has(signature));
      for (const { signature, crd } of fresh) {
        seen.add(signature);
        for (const key of crd === undefined ? [] : listKeys(crd)) raise(key);
      }
      return fresh.filter(({ reason }) => reason === undefined).map(({ text }) => text);
    },
  };
}

function listKeys({ name, changes }: PlayedCrd): readonly string[] {
  return [`crd ${name}`, ...changes.map((change) => `change ${change}`)];
}
