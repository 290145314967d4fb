import type { Route } from "../../model/route.ts";
import { getMinorOrdinal, type MinorVersion } from "../../model/version.ts";

/**
 * Whether a route leads from an even minor of 4 to the next even one: then the pools of the other nodes may stay paused until its end, and
 * these nodes skip the odd minor.
 */
export function allowsControlPlaneOnly({ source, steps }: Route): boolean {
  const last = steps.at(-1)?.to;
  if (last === undefined || steps.length < 2) return false;
  const target = last.kind === "release" ? last.version : last.minor;
  return isEvenMinorOf4(source) && isEvenMinorOf4(target) && getMinorOrdinal(target) - getMinorOrdinal(source) === 2;
}

function isEvenMinorOf4({ major, minor }: MinorVersion): boolean {
  return major === 4 && minor % 2 === 0;
}
