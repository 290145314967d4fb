import type { Difference } from "../../test/support/differential/comparison.ts";

/** A fault of the packages up to a minor, which preflight judges as newer ones do. */
type KnownDifference = {
  readonly name: string;
  readonly upTo: number;
  readonly matches: (difference: Difference) => boolean;
};

const KNOWN: readonly KnownDifference[] = [];

/** The name of the fault that explains a difference from the packages of a minor. */
export function findKnownDifference(difference: Difference, minor: number): string | undefined {
  return KNOWN.find(({ upTo, matches }) => minor <= upTo && matches(difference))?.name;
}
