import type { ComparedObject, FateDifference } from "./compare.ts";
import type { PlayedPair } from "./fault.ts";
import type { PlayedCrd } from "./played-crd.ts";
import type { PlayedFault } from "./played-faults.ts";
import type { RefusedDefinition } from "./update.ts";

/** What was said of a played update, beside what happened. */
export type PlayResult = {
  readonly pair: PlayedPair;
  readonly seed: number;
  readonly seconds: number;
  readonly crds: readonly PlayedCrd[];
  readonly refusals: readonly RefusedDefinition[];
  readonly comparisons: readonly ComparedObject[];
  /** The kinds that can't be listed after the update, for an object that can't be read. */
  readonly unlistable: ReadonlySet<PlayedCrd>;
  readonly definitions: FateDifference;
  readonly faults: readonly PlayedFault[];
  readonly unknowns: readonly string[];
};
