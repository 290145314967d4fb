import type { Context, Platform } from "./check.ts";
import type { Release } from "./release.ts";
import { kubernetesMinor, updateKind, type Version } from "./version.ts";

/** What an update of a cluster from `source` to a release is judged by, as long as nobody says which checks run. */
export function contextOf(source: Version, release: Release, now: Date, platform: Platform = "openshift"): Context {
  const target = release.version;
  const minorOf = (version: Version): number => (platform === "openshift" ? kubernetesMinor(version) : version.minor);
  const kubernetes = { source: minorOf(source), target: minorOf(target) };
  return { source, target, platform, kubernetes, update: updateKind(source, target), release, now, checks: [] };
}
