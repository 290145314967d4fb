import { type Version, compareVersions, getMinorOrdinal, isInRange, parseVersion } from "../model/version.ts";
import type { AffectedVersions, SourceRange } from "./definition.ts";

/** An update. */
type FromTo = { readonly source: Version; readonly target: Version };

/** Does an entry concern an update? Compares full versions, including pre-releases. */
export function isAffected(versions: readonly AffectedVersions[], { source, target }: FromTo): boolean {
  return versions.some(
    ({ first, last, sources }) =>
      (sources === undefined || sources.some((range) => isInSources(source, range))) &&
      isInRange(target, { from: first, to: last }),
  );
}

function isInSources(source: Version, { from, before }: SourceRange): boolean {
  const isBelow = (text: string): boolean => compareVersions(source, requireVersion(text)) < 0;
  return (from === undefined || !isBelow(from)) && (before === undefined || isBelow(before));
}

function requireVersion(text: string): Version {
  const version = parseVersion(text);
  if (!version) throw new Error(`${text} is not a version`);
  return version;
}

/** What to do if no release has the fix. */
export const NO_FIX = "Choose another target";

/** The general form names no releases if there are more. */
const MAX_FIXES = 8;

/** "Update to 4.21.3 or a later 4.21 instead", or "Choose another target". Without an update, all releases with the fix. */
export function formatFixes(versions: readonly AffectedVersions[], route?: FromTo): string {
  const fixed = selectFixedVersions(versions).filter((version) => route === undefined || isReachable(version, route));
  if (fixed.length === 0) return NO_FIX;
  // Later minors may have the fault again, so each release stands for its own minor only.
  const fixes = fixed.map(({ text, major, minor }) => `${text} or a later ${major}.${minor}`);
  if (fixes.length > MAX_FIXES) return "Update to a release with the fix instead";
  return `Update to ${fixes.length === 1 ? fixes.join("") : `a release with the fix (${fixes.join(", ")})`} instead`;
}

/** An update to it goes forward, and not beyond the target's minor. 4.23 and 5.0 are two lines of one minor. */
function isReachable(version: Version, { source, target }: FromTo): boolean {
  if (compareVersions(source, version) >= 0) return false;
  const ordinal = getMinorOrdinal(version);
  const last = getMinorOrdinal(target);
  return ordinal < last || (ordinal === last && version.major === target.major);
}

/** The releases with the fix, one of each minor, in their order: the nearest first. */
function selectFixedVersions(versions: readonly AffectedVersions[]): readonly Version[] {
  const texts = new Set(versions.flatMap(({ fixedIn }) => fixedIn ?? []));
  return [...texts].flatMap((text) => parseVersion(text) ?? []).toSorted(compareVersions);
}
