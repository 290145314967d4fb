import { parseObject, textAt } from "./json.ts";

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

/** The ordinal of the OpenShift minors that contain Kubernetes 1.`kubernetesMinor`. */
export function getOpenShiftOrdinal(kubernetesMinor: number): number {
  return kubernetesMinor - KUBERNETES_MINOR_OF_4_0;
}

/** The last release of OpenShift that the tables of this build cover, and with it the Kubernetes minor that it contains. */
export const LAST_KNOWN_RELEASE: MinorVersion = { major: 5, minor: 2 };

/** The first one: most tables have nothing of earlier minors. */
export const FIRST_KNOWN_RELEASE: MinorVersion = { major: 4, minor: 12 };

/** "4.12", or "1.25" for a cluster without OpenShift. */
export function formatReleaseOf(platform: Platform, release: MinorVersion): string {
  return platform === "openshift" ? formatMinor(release) : `1.${getKubernetesMinor(release)}`;
}

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

/** The suffixes of Kubernetes' own prereleases; any other suffix marks a vendor's build of the release. */
const PRE_RELEASE_WORD = /^(?:alpha|beta|rc)$/;

/**
 * Parses an API server's version: "v1.35.2", "v1.33.4-gke.100", "v1.34.1+k3s1". A vendor's suffix stays in the text but is ignored in
 * comparisons: Semantic Versioning would sort "-gke.100" before the release that it is a build of.
 */
export function parseKubernetesVersion(text: string): Version | undefined {
  const version = parseVersion(text.replace(/^v/, ""));
  if (version?.major !== 1) return undefined;
  return PRE_RELEASE_WORD.test(version.pre[0] ?? "") ? version : { ...version, pre: [] };
}

/**
 * The version that an API server behaves as, of what it serves at /version: "v1.33.0+emulated.by.1.36.3" if it emulates another than its
 * own, as during a rollout with --emulated-version.
 */
export function findServerVersion(text: string): string {
  const version = parseObject(text);
  const own = textAt(version, "gitVersion") ?? "";
  const major = textAt(version, "emulationMajor") ?? "";
  const minor = textAt(version, "emulationMinor") ?? "";
  const emulated = `${major}.${minor}`;
  const parsed = parseKubernetesVersion(own);
  if (parsed === undefined || !/^1\.\d{1,3}$/.test(emulated) || emulated === formatMinor(parsed)) return own;
  return `v${emulated}.0+emulated.by.${own.replace(/^v/, "").replaceAll("+", ".")}`;
}

/** A requested target. `isMinorOnly`: it names a minor without a patch version. */
export type TargetVersion = { readonly version: Version; readonly isMinorOnly: boolean };

/** Parses a target: a full OpenShift version, or a Kubernetes version, which may be a minor alone ("v1.36" or "1.36"). */
export function parseTargetVersion(text: string): TargetVersion | undefined {
  const minor = /^v?(1\.\d+)$/.exec(text)?.[1];
  const full = minor === undefined ? text : `${minor}.0`;
  const openShift = parseVersion(full);
  const version = openShift && getPlatform(openShift) === "openshift" ? openShift : parseKubernetesVersion(full);
  return version && { version, isMinorOnly: minor !== undefined };
}

/** Whether a cluster that runs `source` runs the release `target`. A Kubernetes target without a vendor's suffix is any build of that version. */
export function isSameRelease(source: string, target: string): boolean {
  const [from, to] = [source, target].map((text) => parseTargetVersion(text)?.version);
  if (from === undefined || to === undefined) return source === target;
  const isExact = /[-+]/.test(to.text);
  return isExact ? from.text === to.text : compareVersions(from, to) === 0;
}

export type Platform = "openshift" | "kubernetes";

/** Kubernetes has only ever had major 1, and OpenShift has a higher one. */
export function getPlatform(version: Version): Platform {
  return version.major === 1 ? "kubernetes" : "openshift";
}

/** Far more minors than Kubernetes 1, or a major of OpenShift, has ever had. */
const MAX_MINOR = 99;

/** The platform that has this minor; undefined if neither has. */
export function findMinorPlatform({ major, minor }: MinorVersion): Platform | undefined {
  const last = major === 4 ? LAST_MINOR_OF_4 : MAX_MINOR;
  if (minor > last || (major < 4 && major !== 1)) return undefined;
  return major === 1 ? "kubernetes" : "openshift";
}

/** A minor that an update passes. 4.23 and 5.0 count as the same minor, so either of them will do. */
type PassedMinor = { readonly minor: MinorVersion; readonly text: string };

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
  const minor = getOpenShiftMinor(ordinal);
  return { minor, text: ordinal === SEAM ? "4.23 or 5.0" : formatMinor(minor) };
}

/** The minor of OpenShift 4 or 5 with this ordinal; of 4.23 and 5.0 the latter. */
export function getOpenShiftMinor(ordinal: number): MinorVersion {
  return ordinal < SEAM ? { major: 4, minor: ordinal } : { major: 5, minor: ordinal - SEAM };
}

function summarizeMinorsAfter(source: Version): PassedMinor {
  return {
    minor: { major: source.major, minor: source.minor + 1 },
    text: `the minors after ${formatMinor(source)}`,
  };
}
