import type {
  AffectedVersions,
  FindingDefinition,
  ReadDefinition,
  SourceRange,
  VariableDefinition,
} from "../../data-checks/format/definition.ts";
import type { CheckLimits } from "../../data-checks/run/limits.ts";
import type { CheckFault } from "../../data-checks/format/fault.ts";
import type { Effect } from "../../model/check.ts";
import type { FixKind } from "../../model/commands.ts";
import { formatMinor, parseVersion } from "../../model/version.ts";

/** As a read of any check that is data. */
type BugRead = Pick<ReadDefinition, "list" | "get" | "name" | "where" | "index">;

/** What the bug affects: the object, or without `forEach` and `object` the cluster as a whole. */
export type BugFinding = Pick<FindingDefinition, "forEach" | "when" | "object">;

/** A bug of certain releases, as data. */
export type KnownBug = {
  readonly id: string;
  /** The risk's name, which differs from the published ones. */
  readonly name: string;
  /** What the bug does to the update; by default it breaks something and lets the update finish. */
  readonly effect?: Effect;
  /** `notice`: cluster state shows that it may concern the cluster, not that it does. */
  readonly certainty: "risk" | "notice";
  /** The names under which the update service publishes it. */
  readonly published: readonly string[];
  readonly versions: readonly AffectedVersions[];
  readonly reads?: Readonly<Record<string, BugRead>>;
  /** Expressions over the reads, the facts of the cluster, and the variables before it. */
  readonly variables?: readonly VariableDefinition[];
  /** The bug affects a cluster in which one of them finds something. Without them the target alone decides. */
  readonly findings?: readonly BugFinding[];
  readonly title: string;
  /** What is wrong and what will happen: a sentence without its end, which ": <objects>." can follow. `{target}` is the target. */
  readonly message: string;
  /** What helps besides another target: an imperative without its end ("set ..."). For a notice: what to examine. */
  readonly remedy?: string;
  /** The same where the control plane is hosted, if it is another one. */
  readonly hostedRemedy?: string;
  /** The command that applies the remedy to a finding's object of these kinds; `{object}` is its argument ("node/worker-0"). */
  readonly fix?: { readonly kinds: readonly string[]; readonly command: string; readonly fixKind: FixKind };
  readonly url: string;
  /** Of an entry that this build does not have. */
  readonly limits?: CheckLimits;
};

/**
 * Affected targets as the table has them. Sources are ranges, or what they have in common: `earlierMinors`, which may all lack the bug; or
 * `unaffected`, those that get the bug by the update: before it in the minor ahead (that of the entry before), or in the same minor.
 */
type AffectedEntry = Omit<AffectedVersions, "sources"> & {
  readonly sources?: "earlierMinors" | "unaffected" | readonly SourceRange[];
};

/** An entry as the table has it: a bug whose certainty nobody names is a risk. `preReleases` are those of every minor. */
export type BugEntry = Omit<KnownBug, "certainty" | "versions" | "limits"> &
  Partial<Pick<KnownBug, "certainty">> & { readonly versions: readonly AffectedEntry[] | "preReleases" };

/** What a list of known bugs rests on: it replaces those of earlier dates. */
export type BugListHead = {
  readonly name: string;
  /** "2026-08-21". */
  readonly date: string;
  /** The last minor whose bugs it lists. */
  readonly knownUpTo: string;
  readonly source?: string;
};

/** An entry that this build can't evaluate, and why. Without versions it may concern any update. */
export type InvalidBug = {
  readonly name: string;
  readonly versions?: readonly AffectedVersions[];
  readonly faults: readonly CheckFault[];
};

/** A list, and if it is not that of this build, where it comes from. */
export type BugList = {
  readonly place?: { readonly file: string; readonly digest?: string };
  /** Whether it is signed: a sentence. */
  readonly signature?: string;
  /** Why a list that somebody named is not used in its place: it is older, or nobody knows what it lists. */
  readonly unused?: { readonly kind: "older" | "unusable"; readonly place: string; readonly message: string };
  readonly head: BugListHead;
  readonly entries: readonly BugEntry[];
  readonly invalid: readonly InvalidBug[];
};

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
