/** A release's version, as Semantic Versioning 2.0.0 reads it; build metadata is kept in the text only. */
export type Version = {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly pre: readonly string[];
  readonly text: string;
};

/** A minor release, such as 4.19 or a part of 4.19.3. */
export type MinorVersion = { readonly major: number; readonly minor: number };

const NUMBER_PATTERN = "(0|[1-9]\\d{0,8})";
const PRE_RELEASE_PATTERN = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const SEMVER = new RegExp(
  `^${NUMBER_PATTERN}\\.${NUMBER_PATTERN}\\.${NUMBER_PATTERN}(?:-(${PRE_RELEASE_PATTERN}))?(?:\\+${PRE_RELEASE_PATTERN})?$`,
);

export function parseVersion(text: string): Version | undefined {
  const match = SEMVER.exec(text);
  if (!match) return undefined;
  const [, major, minor, patch, pre] = match;
  return {
    major: Number(major),
    minor: Number(minor),
    patch: Number(patch),
    pre: pre === undefined ? [] : pre.split("."),
    text,
  };
}

/** Negative where a comes before b, by Semantic Versioning's precedence. */
export function compareVersions(a: Version, b: Version): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch || comparePre(a.pre, b.pre);
}

function comparePre(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [i, left] of a.entries()) {
    const right = b[i];
    if (right === undefined) return 1;
    const order = compareIdentifiers(left, right);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareIdentifiers(a: string, b: string): number {
  const numeric = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (numeric[0] && numeric[1]) return Number(a) - Number(b);
  if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** OpenShift 4 ended with 4.23, which is the same place as 5.0 on the one line of minors. */
const LAST_MINOR_OF_4 = 23;
/** Far more minors than a major of 5 or later will have. */
const MINORS_PER_MAJOR = 10_000;

/** The place of a minor on the one line on which distances are counted: 4.22 is 22, 4.23 and 5.0 are 23, 5.1 is 24. */
export function getMinorOrdinal(version: MinorVersion): number {
  if (version.major <= 4) return (version.major - 4) * MINORS_PER_MAJOR + version.minor;
  return LAST_MINOR_OF_4 + (version.major - 5) * MINORS_PER_MAJOR + version.minor;
}

/** OpenShift 4.y runs Kubernetes 1.(y+13), and 5.0 (as 4.23) 1.36. */
const KUBERNETES_MINOR_OF_4_0 = 13;

/** The minor of Kubernetes 1 that an OpenShift release runs. */
export function getKubernetesMinor(version: MinorVersion): number {
  return KUBERNETES_MINOR_OF_4_0 + getMinorOrdinal(version);
}

/** Parses "4.19". */
export function parseMinor(text: string): MinorVersion | undefined {
  const match = /^(\d{1,4})\.(\d{1,4})$/.exec(text);
  return match ? { major: Number(match[1]), minor: Number(match[2]) } : undefined;
}

/** "4.19" of 4.19.3. */
export function formatMinor(version: MinorVersion): string {
  return `${version.major}.${version.minor}`;
}

export type UpdateKind = "patch" | "minor" | "rollback";

/** A target before the source is a rollback; one in the same place on the line of minors is a patch update. */
export function getUpdateKind(source: Version, target: Version): UpdateKind {
  if (compareVersions(target, source) < 0) return "rollback";
  return getMinorOrdinal(target) === getMinorOrdinal(source) ? "patch" : "minor";
}

/**
 * Does the update go on to another minor, in which case the cluster-version operator asks whether the cluster may? On the line of minors
 * 4.23 and 5.0 are the same place, and still it asks on the way from the one to the other.
 */
export function leavesMinor({ source, target }: { readonly source: Version; readonly target: Version }): boolean {
  return compareVersions(target, source) > 0 && formatMinor(source) !== formatMinor(target);
}

/** Does the update go into or past the minor in which something changed? */
export function crosses(source: Version, boundary: string, target: Version): boolean {
  const minor = parseMinor(boundary);
  if (!minor) throw new Error(`${boundary} is no minor version`);
  return getMinorOrdinal(source) < getMinorOrdinal(minor) && getMinorOrdinal(minor) <= getMinorOrdinal(target);
}

/** A range of full versions, both ends included. */
export type VersionRange = { readonly from: string; readonly to: string };

export function isInRange(version: Version, range: VersionRange): boolean {
  const [from, to] = [parseVersion(range.from), parseVersion(range.to)];
  if (!from || !to) throw new Error(`${range.from} to ${range.to} is no range of versions`);
  return compareVersions(from, version) <= 0 && compareVersions(version, to) <= 0;
}
