import { type Version, isInRange } from "../../model/version.ts";
import { isBefore, isAtLeast } from "./value-tests.ts";
import type { AffectedVersions, KnownBug } from "./known-bug.ts";

/** Does the entry concern an update from source to target? Compares full versions, including pre-releases. */
export function isAffected({ versions }: KnownBug, source: Version, target: Version): boolean {
  return versions.some((versions) => isAffectedSource(versions, source) && isAffectedTarget(versions, target));
}

function isAffectedTarget({ first, last }: AffectedVersions, target: Version): boolean {
  return isInRange(target, { from: first, to: last });
}

function isAffectedSource({ sources }: AffectedVersions, source: Version): boolean {
  return (
    sources === undefined || sources.some(({ from, before }) => isAtLeast(source, from) && isBefore(source, before))
  );
}
