import { getPlatform } from "./target-version.ts";
import { compareVersions, formatMinor, getMinorOrdinal, type MinorVersion, type Version } from "./version.ts";

/** A minor that an update passes. 4.23 and 5.0 count as the same minor, so either of them will do. */
export type PassedMinor = { readonly minor: MinorVersion; readonly text: string };

/** The ordinal of 4.23 and 5.0. */
const SEAM = getMinorOrdinal({ major: 5, minor: 0 });

/** Far more than any update passes: a version with more before it was not published, and its minors would fill the memory. */
const MAX_LISTED = 1_000;

/**
 * The minors strictly between two versions: each needs an update of its own. Empty for a rollback. The last minor of 5 and of any later
 * major is not known, so between majors from there on only one text stands for them, and so it does for more than can be listed.
 */
export function findMinorsBetween(source: Version, target: Version): readonly PassedMinor[] {
  if (compareVersions(target, source) <= 0) return [];
  const isAcrossMajors = target.major > 5 && target.major !== source.major;
  const first = isAcrossMajors ? 0 : getMinorOrdinal(source);
  const last = isAcrossMajors ? target.minor : getMinorOrdinal(target);
  return last - first > MAX_LISTED ? [summarizeMinorsAfter(source)] : listMinorsBetween(source, target);
}

function listMinorsBetween(source: Version, target: Version): readonly PassedMinor[] {
  if (getPlatform(source) === "kubernetes" && getPlatform(target) === "kubernetes")
    return listMinors(source.major, source.minor + 1, target.minor);
  if (target.major > 5 && target.major !== source.major)
    return [summarizeMinorsAfter(source), ...listMinors(target.major, 0, target.minor)];
  if (source.major > 5) return listMinors(source.major, source.minor + 1, target.minor);
  const from = getMinorOrdinal(source);
  const to = getMinorOrdinal(target);
  return Array.from({ length: Math.max(to - from - 1, 0) }, (_, i) => toPassedMinor(from + 1 + i));
}

function listMinors(major: number, from: number, end: number): readonly PassedMinor[] {
  return Array.from({ length: Math.max(end - from, 0) }, (_, i) => {
    const minor = { major, minor: from + i };
    return { minor, text: formatMinor(minor) };
  });
}

function toPassedMinor(ordinal: number): PassedMinor {
  if (ordinal === SEAM) return { minor: { major: 5, minor: 0 }, text: "4.23 or 5.0" };
  const minor = ordinal < SEAM ? { major: 4, minor: ordinal } : { major: 5, minor: ordinal - SEAM };
  return { minor, text: formatMinor(minor) };
}

function summarizeMinorsAfter(source: Version): PassedMinor {
  return {
    minor: { major: source.major, minor: source.minor + 1 },
    text: `the minors after ${formatMinor(source)}`,
  };
}
