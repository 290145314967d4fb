import type { ComparedObject } from "./compare.ts";
import type { PlayedDifference } from "./differences.ts";
import type { PlayResult } from "./play-result.ts";
import { NEWEST_MINOR } from "./played-pairs.ts";

/** A difference between what was said and what happened that has a reason. */
type KnownDifference = {
  readonly reason: string;
  readonly explains: (difference: PlayedDifference, result: PlayResult) => boolean;
};

const KNOWN: readonly KnownDifference[] = [
  {
    reason:
      "The server is a build of Kubernetes 1.36 even where it emulates an earlier minor. It checks the range of numbers, which no gate turns off and releases before 1.36 don't do.",
    explains: ({ text }, { pair: { emulated } }) =>
      (emulated?.after ?? NEWEST_MINOR) < NEWEST_MINOR && text.includes("Checked value must be of type"),
  },
  {
    reason:
      "Every write of the object is refused, so that its status can't be set anew to see which of its fields are refused.",
    explains: ({ comparison }) =>
      comparison !== undefined && namesAnyway(comparison, () => false) && comparison.happened.effect === "rejected",
  },
  {
    reason:
      "The API server runs no rules over an object whose status has structural faults, and preflight names these faults alone. A copy of the object has no status, so that its rules are run.",
    explains: ({ comparison }) =>
      comparison !== undefined &&
      comparison.said.refused.some(isOfStatus) &&
      namesAnyway(comparison, (field) => !isOfStatus(field)),
  },
];

/** Are the effects the same, and so the fields except those of the status that were said and `isMore`, which happened? */
function namesAnyway({ said, happened }: ComparedObject, isMore: (field: string) => boolean): boolean {
  return (
    said.effect === happened.effect &&
    said.dropped.join() === happened.dropped.join() &&
    said.refused.every((field) => happened.refused.includes(field) || isOfStatus(field)) &&
    happened.refused.every((field) => said.refused.includes(field) || isMore(field))
  );
}

function isOfStatus(field: string): boolean {
  return /^status(?:$|[.[])/.test(field);
}

/** The reason of a difference, if it has one. */
export function explainDifference(difference: PlayedDifference, result: PlayResult): string | undefined {
  return KNOWN.find(({ explains }) => explains(difference, result))?.reason;
}
