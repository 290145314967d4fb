import { defined } from "../../model/optional.ts";
import { formatMinor, parseVersion } from "../../model/version.ts";
import type { AffectedVersions, SourceRange } from "./known-bug.ts";

/** The first and the last affected release of a minor, and its first release with the fix. */
type AffectedMinor = readonly [first: string, last: string, fixedIn?: string];

/** Releases whose bug an update brings from any earlier minor. */
export function fromEarlierMinors(first: string, last: string, fixedIn?: string): readonly AffectedVersions[] {
  return [{ first, last, sources: [{ before: formatFirstBuild(first) }], ...defined({ fixedIn }) }];
}

/**
 * A bug that each of these minors got in a patch release, the earliest minor first. A source that has the bug gets nothing new: so sources
 * count that are before the bug in the minor ahead, or before it in the same minor.
 */
export function backported(...minors: readonly AffectedMinor[]): readonly AffectedVersions[] {
  return minors.map(([first, last, fixedIn], i) => {
    return { first, last, sources: listSources(first, minors[i - 1]?.[0]), ...defined({ fixedIn }) };
  });
}

function listSources(first: string, firstAhead: string | undefined): readonly SourceRange[] {
  if (firstAhead === undefined) return [{ before: first }];
  // No release of the minor is before its first one, which is .0, or .1 in 4.18.
  if (/\.[01]$/.test(first)) return [{ before: firstAhead }];
  return [{ before: firstAhead }, { from: formatFirstBuild(first), before: first }];
}

/** "4.16.0-0" of 4.16.38: no build of the minor is before it. */
function formatFirstBuild(release: string): string {
  const version = parseVersion(release);
  if (!version) throw new Error(`${release} is not a version`);
  return `${formatMinor(version)}.0-0`;
}
