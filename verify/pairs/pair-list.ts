import { parseMinorOrdinal } from "../../src/model/version.ts";

/** An update from one minor to another: "4.12" to "4.13". */
export type MinorPair = { readonly source: string; readonly target: string };

export type PairsByKind = {
  readonly neighbours: readonly MinorPair[];
  readonly skips: readonly MinorPair[];
  readonly rollbacks: readonly MinorPair[];
};

/**
 * The updates among minors, which are given in the order of their releases. Neighbours are one step apart, and 4.23 and 5.0 are
 * the same step; 4.23 also updates to 5.0. A skip is two steps, and a rollback goes back to a neighbour.
 */
export function buildPairs(minors: readonly string[]): PairsByKind {
  const forward = minors.flatMap((source, i) => minors.slice(i + 1).map((target) => ({ source, target })));
  const neighbours = forward.filter((pair) => getDistance(pair) <= 1);
  return {
    neighbours,
    skips: forward.filter((pair) => getDistance(pair) === 2),
    rollbacks: neighbours.map(({ source, target }) => ({ source: target, target: source })),
  };
}

function getDistance({ source, target }: MinorPair): number {
  return parseMinorOrdinal(target) - parseMinorOrdinal(source);
}
