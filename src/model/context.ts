import type { Context } from "./check.ts";
import type { Release } from "./release.ts";
import { kubernetesMinor, updateKind, type Version } from "./version.ts";

/** What an update of an OpenShift cluster from `source` to a release is judged by. */
export function contextOf(source: Version, release: Release, now: Date): Context {
  const target = release.version;
  const kubernetes = { source: kubernetesMinor(source), target: kubernetesMinor(target) };
  return { source, target, platform: "openshift", kubernetes, update: updateKind(source, target), release, now };
}
