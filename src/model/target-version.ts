import type { Platform } from "./check.ts";
import { parseVersion, type Version } from "./version.ts";

/** What Kubernetes itself puts behind a version that comes before the release; all else is a vendor's build of that release. */
const PRE_RELEASE_WORD = /^(?:alpha|beta|rc)$/;

/**
 * Parses an API server's version: "v1.35.2", "v1.33.4-gke.100", "v1.34.1+k3s1". A vendor's suffix stays in the text and counts for
 * nothing in comparisons: by Semantic Versioning "-gke.100" would come before the release that it is a build of.
 */
export function parseKubernetesVersion(text: string): Version | undefined {
  const version = parseVersion(text.replace(/^v/, ""));
  if (version?.major !== 1) return undefined;
  return PRE_RELEASE_WORD.test(version.pre[0] ?? "") ? version : { ...version, pre: [] };
}

/** A target as it is asked for; `anyPatch`: by its minor alone. */
export type TargetVersion = { readonly version: Version; readonly isMinorOnly: boolean };

/** Parses a target: an OpenShift version in full, or one of Kubernetes, for which "v1.36" and "1.36" do too. */
export function parseTargetVersion(text: string): TargetVersion | undefined {
  const minor = /^v?(1\.\d+)$/.exec(text)?.[1];
  const full = minor === undefined ? text : `${minor}.0`;
  const openShift = parseVersion(full);
  const version = openShift && getPlatform(openShift) === "openshift" ? openShift : parseKubernetesVersion(full);
  return version && { version, isMinorOnly: minor !== undefined };
}

/** Kubernetes has only ever had a major 1, and OpenShift is past it. */
export function getPlatform(version: Version): Platform {
  return version.major === 1 ? "kubernetes" : "openshift";
}
