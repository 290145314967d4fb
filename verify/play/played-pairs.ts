import { getKubernetesMinor, parseMinor } from "../../src/model/version.ts";
import { buildPairs } from "../pairs/pair-list.ts";
import type { PlayedPair } from "./fault.ts";

/** Releases with recorded CRDs, in their order. */
const MINORS = [
  ...Array.from({ length: 12 }, (_, i) => `4.${12 + i}`),
  ...Array.from({ length: 3 }, (_, i) => `5.${i}`),
];
/** The Kubernetes minors that the server can behave as. */
const EMULATED = { first: 33, last: 36 };
/** The Kubernetes minor of the server itself, which plays the releases that it can't emulate. */
export const NEWEST_MINOR = EMULATED.last;

export const PLAYED_PAIRS: readonly PlayedPair[] = buildPairs(MINORS).neighbours.map(({ source, target }) => {
  const before = findMinor(source);
  const after = findMinor(target);
  const isPlayable = [before, after].every((minor) => minor >= EMULATED.first && minor <= EMULATED.last);
  return { source, target, emulated: isPlayable ? { before, after } : undefined };
});

function findMinor(release: string): number {
  const version = parseMinor(release);
  if (version === undefined) throw new Error(`${release} is no release`);
  return getKubernetesMinor(version);
}
