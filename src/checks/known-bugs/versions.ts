import { formatMinor, parseVersion } from "../../model/version.ts";
import type { AffectedVersions, SourceRange } from "../../data-checks/definition.ts";
import type { AffectedEntry, BugEntry } from "./known-bug.ts";

/** The affected versions of an entry, with its sources as ranges. */
export function resolveVersions(versions: BugEntry["versions"]): readonly AffectedVersions[] {
  if (versions === "preReleases") return [...listPreReleases(4).slice(1), ...listPreReleases(5)];
  return versions.map(({ sources, ...releases }, i) => ({
    ...releases,
    sources: resolveSources(sources, releases.first, versions[i - 1]?.first),
  }));
}

/** Minors of a major whose pre-releases are reported: more than there are or will be. */
const LAST_MINOR = 99;

/** The first release of a minor that isn't 0. */
const FIRST_RELEASES: Readonly<Record<string, string>> = { "4.18": "4.18.1" };

/** All pre-releases of each minor, nightly builds included: no minor has a hundred release candidates. */
function listPreReleases(major: 4 | 5): readonly AffectedVersions[] {
  return Array.from({ length: LAST_MINOR + 1 }, (_, minor) => {
    const name = `${major}.${minor}`;
    return { first: `${name}.0-0`, last: `${name}.0-rc.99`, fixedIn: FIRST_RELEASES[name] ?? `${name}.0` };
  });
}

function resolveSources(
  sources: AffectedEntry["sources"],
  first: string,
  firstAhead: string | undefined,
): readonly SourceRange[] | undefined {
  if (sources === "earlierMinors") return [{ before: formatFirstBuild(first) }];
  return sources === "unaffected" ? listUnaffected(first, firstAhead) : sources;
}

function listUnaffected(first: string, firstAhead: string | undefined): readonly SourceRange[] {
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
