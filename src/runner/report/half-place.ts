import type { Check, Context } from "../../model/check.ts";
import type { HalfPlace } from "../../model/halves.ts";

/** Which half a check is about, and what of the hosted cluster has to be ready: the same of all that it reports. */
export function findHalfPlace({ special }: Pick<Check, "special">, { special: { hasBothHalves } }: Context): HalfPlace {
  if (hasBothHalves !== true) return {};
  return {
    half: special?.subject === undefined ? "guest" : "management",
    stage: special?.stage ?? "controlPlane",
  };
}
