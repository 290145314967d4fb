import type { Context, Platform } from "./check.ts";
import type { Release } from "./release.ts";
import { getKubernetesMinor, getUpdateKind, type Version } from "./version.ts";

/** What an update of a cluster from `source` to a release is judged by, as long as nobody says which checks run. */
export function buildContext(source: Version, release: Release, now: Date, platform: Platform = "openshift"): Context {
  const target = release.version;
  const minorOf = (version: Version): number =>
    platform === "openshift" ? getKubernetesMinor(version) : version.minor;
  const kubernetes = { source: minorOf(source), target: minorOf(target) };
  return { source, target, platform, kubernetes, update: getUpdateKind(source, target), release, now, checks: [] };
}
