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
      "The API server refuses the definition for another finding, which has to be put right first. The version goes then.",
    explains: ({ kind, text, object }, { definitions }) =>
      kind === "false alarm" &&
      text === "CrdServedVersionRemoved" &&
      definitions.hits.some((hit) => hit.risk === "CrdStoredVersionRemoved" && hit.object === object),
  },
];

/** The reason of a difference, if it has one. */
export function explainDifference(difference: PlayedDifference, result: PlayResult): string | undefined {
  return KNOWN.find(({ explains }) => explains(difference, result))?.reason;
}
