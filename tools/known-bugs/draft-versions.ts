import type { AffectedVersions, SourceRange } from "../../src/data-checks/format/definition.ts";
import { type Version, compareVersions, formatMinor } from "../../src/model/version.ts";

/** A target that a published risk concerns, and from which sources. */
export type PublishedUpdate = {
  readonly target: Version;
  readonly isFrom: (source: Version) => boolean;
  readonly fixedIn?: string;
};

/** The ranges of an entry that cover these updates, and of the known releases no others. */
export function draftVersions(
  updates: readonly PublishedUpdate[],
  releases: readonly Version[],
): readonly AffectedVersions[] {
  const known = releases.toSorted(compareVersions);
  const minors = Map.groupBy(updates, ({ target }) => formatMinor(target));
  return [...minors.values()]
    .map((group) => group.toSorted((a, b) => compareVersions(a.target, b.target)))
    .toSorted(([a], [b]) => (a && b ? compareVersions(a.target, b.target) : 0))
    .flatMap((group) => draftMinor(group, known));
}

type Draft = { readonly versions: AffectedVersions; readonly last: Version; readonly key: string };

/** Targets that follow each other and have the same sources are one range. */
function draftMinor(updates: readonly PublishedUpdate[], known: readonly Version[]): readonly AffectedVersions[] {
  const fixedIn = updates.flatMap((one) => (isOfMinor(one.fixedIn, one.target) ? (one.fixedIn ?? []) : []))[0];
  const drafts: Draft[] = [];
  for (const { target, isFrom } of updates) {
    const sources = draftSources(isFrom, known, target);
    const key = JSON.stringify(sources ?? "any");
    const before = drafts.at(-1);
    const continued =
      before?.key === key && !known.some((one) => isBetween(one, before.last, target)) ? before : undefined;
    const first = continued?.versions.first ?? target.text;
    const optional = { ...(fixedIn === undefined ? {} : { fixedIn }), ...(sources === undefined ? {} : { sources }) };
    if (continued !== undefined) drafts.pop();
    drafts.push({ versions: { first, last: target.text, ...optional }, last: target, key });
  }
  return drafts.map(({ versions }) => versions);
}

function isOfMinor(release: string | undefined, target: Version): boolean {
  return release?.startsWith(`${formatMinor(target)}.`) === true;
}

function isBetween(release: Version, first: Version, last: Version): boolean {
  return compareVersions(first, release) < 0 && compareVersions(release, last) < 0;
}

/**
 * Ranges of sources; undefined for all of them. A range ends before the release after its last one, and has no end if there is none before
 * the target: later targets of the same minor then have the same ranges.
 */
function draftSources(
  isFrom: (source: Version) => boolean,
  known: readonly Version[],
  target: Version,
): readonly SourceRange[] | undefined {
  const earlier = known.filter((release) => compareVersions(release, target) < 0);
  const ranges: { from?: string; before?: string }[] = [];
  let open: { from?: string; before?: string } | undefined;
  for (const [i, release] of earlier.entries()) {
    const isSource = isFrom(release);
    if (isSource && open === undefined) {
      open = i === 0 ? {} : { from: release.text };
      ranges.push(open);
    } else if (!isSource && open !== undefined) {
      open.before = release.text;
      open = undefined;
    }
  }
  const [first] = ranges;
  const isEvery = first?.from === undefined && first?.before === undefined;
  return isEvery ? undefined : ranges;
}
