import { parseObject, textAt } from "./json.ts";
import { compareVersions, formatMinor, parseVersion, type Version } from "./version.ts";

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
