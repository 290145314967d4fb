/** A release's version by Semantic Versioning 2.0.0; build metadata is kept in the text only. */
export type Version = {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly pre: readonly string[];
  readonly text: string;
};

/** A minor version, or any full version of it. */
export type MinorVersion = { readonly major: number; readonly minor: number };

const NUMBER_PATTERN = "(0|[1-9]\\d{0,8})";
/** Of a major or a minor: the minors between two versions are counted one by one. */
const SHORT_PATTERN = "(0|[1-9]\\d{0,3})";
const PRE_RELEASE_PATTERN = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const SEMVER = new RegExp(
  `^${SHORT_PATTERN}\\.${SHORT_PATTERN}\\.${NUMBER_PATTERN}(?:-(${PRE_RELEASE_PATTERN}))?(?:\\+${PRE_RELEASE_PATTERN})?$`,
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

/** Negative if a precedes b in Semantic Versioning. */
export function compareVersions(a: Version, b: Version): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch || comparePrerelease(a.pre, b.pre);
}

/** Compares prerelease identifiers by Semantic Versioning: a release, which has none, comes last. */
export function comparePrerelease(a: readonly string[], b: readonly string[]): number {
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
  if (a === b) return 0;
  const isNumber = /^\d+$/.test(a);
  const isOtherNumber = /^\d+$/.test(b);
  if (isNumber && isOtherNumber) return Number(BigInt(a) - BigInt(b));
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : 1;
}

/** The last minor of OpenShift 4, which has the same ordinal as 5.0. */
const LAST_MINOR_OF_4 = 23;
/** Far more minors than a major of 5 or later will have. */
const MINORS_PER_MAJOR = 10_000;

/** The position of a minor across majors, for distances between minors: 4.22 is 22, 4.23 and 5.0 are 23, 5.1 is 24. */
export function getMinorOrdinal(version: MinorVersion): number {
  if (version.major <= 4) return (version.major - 4) * MINORS_PER_MAJOR + version.minor;
  return LAST_MINOR_OF_4 + (version.major - 5) * MINORS_PER_MAJOR + version.minor;
}

/** OpenShift 4.y runs Kubernetes 1.(y+13), and 5.0 (as 4.23) 1.36. */
const KUBERNETES_MINOR_OF_4_0 = 13;

/** The Kubernetes minor (1.x) of an OpenShift release. */
export function getKubernetesMinor(version: MinorVersion): number {
  return KUBERNETES_MINOR_OF_4_0 + getMinorOrdinal(version);
}

/** The last release of OpenShift that the tables of this build cover, and with it the Kubernetes minor that it contains. */
export const LAST_KNOWN_RELEASE: MinorVersion = { major: 5, minor: 2 };

/** Parses "4.19". */
export function parseMinor(text: string): MinorVersion | undefined {
  const match = /^(\d{1,4})\.(\d{1,4})$/.exec(text);
  return match ? { major: Number(match[1]), minor: Number(match[2]) } : undefined;
}

/** Parses a constant such as "4.19" to its ordinal; throws if it is not a minor. */
export function parseMinorOrdinal(text: string): number {
  const minor = parseMinor(text);
  if (!minor) throw new Error(`${text} is not a minor version`);
  return getMinorOrdinal(minor);
}

/** "4.19" of 4.19.3. */
export function formatMinor(version: MinorVersion): string {
  return `${version.major}.${version.minor}`;
}

export type UpdateKind = "patch" | "minor" | "rollback";

/** An update to an earlier version is a rollback; one to the same minor ordinal is a patch update. */
export function getUpdateKind(source: Version, target: Version): UpdateKind {
  if (compareVersions(target, source) < 0) return "rollback";
  return getMinorOrdinal(target) === getMinorOrdinal(source) ? "patch" : "minor";
}

/**
 * Whether the update leads to another minor, for which the cluster-version operator evaluates Upgradeable. It does so from 4.23 to 5.0
 * too, although these have the same ordinal.
 */
export function leavesMinor({ source, target }: { readonly source: Version; readonly target: Version }): boolean {
  return compareVersions(target, source) > 0 && formatMinor(source) !== formatMinor(target);
}

/** Whether the update reaches or passes the minor `boundary`. */
export function crosses(source: Version, boundary: string, target: Version): boolean {
  const ordinal = parseMinorOrdinal(boundary);
  return getMinorOrdinal(source) < ordinal && ordinal <= getMinorOrdinal(target);
}

/** An inclusive range of full versions. */
export type VersionRange = { readonly from: string; readonly to: string };

export function isInRange(version: Version, range: VersionRange): boolean {
  const from = parseVersion(range.from);
  const to = parseVersion(range.to);
  if (!from || !to) throw new Error(`${range.from} to ${range.to} is not a range of versions`);
  return compareVersions(from, version) <= 0 && compareVersions(version, to) <= 0;
}
