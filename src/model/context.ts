import type { Context, Platform } from "./check.ts";
import type { Release } from "./release.ts";
import { getKubernetesMinor, getUpdateKind, type Version } from "./version.ts";

/** "4.18.4 (Kubernetes 1.31)", or "Kubernetes 1.31.2" without OpenShift. */
export function formatTarget({ platform, target, kubernetes }: Context): string {
  return platform === "openshift" ? `${target.text} (Kubernetes 1.${kubernetes.target})` : `Kubernetes ${target.text}`;
}

/** What an update of a cluster from `source` to a release is judged by, as long as nobody says which checks run. */
export function buildContext(source: Version, release: Release, now: Date, platform: Platform = "openshift"): Context {
  const target = release.version;
  const minorOf = (version: Version): number =>
    platform === "openshift" ? getKubernetesMinor(version) : version.minor;
  const kubernetes = { source: minorOf(source), target: minorOf(target) };
  return { source, target, platform, kubernetes, update: getUpdateKind(source, target), release, now, checks: [] };
}
