import { getPlatform, type Platform } from "../../model/target-version.ts";
import type { CycleFailure } from "../../model/report.ts";
import type { Version } from "../../model/version.ts";

const MAX_MAJOR_SKEW = 2;

/** Refuses a target of the other platform, and one too far from the source for any check to hold. */
export function findUnsupportedSkew(source: Version, target: Version, platform: Platform): CycleFailure | undefined {
  if (getPlatform(target) !== platform)
    return { reason: "UnsupportedVersionSkew", message: formatPlatformMismatch(source, target, platform) };
  const distance = target.major - source.major;
  if (Math.abs(distance) <= MAX_MAJOR_SKEW) return undefined;
  const message =
    `The cluster runs ${source.text} and the target is ${target.text}. ` +
    `Targets from major ${Math.max(source.major - MAX_MAJOR_SKEW, 0)} to ${source.major + MAX_MAJOR_SKEW} are supported: choose a nearer target.`;
  return { reason: "UnsupportedVersionSkew", message };
}

function formatPlatformMismatch(source: Version, target: Version, platform: Platform): string {
  return platform === "kubernetes"
    ? `The cluster runs Kubernetes ${source.text} without OpenShift (its API server serves no ClusterVersion), and the target ${target.text} is an OpenShift release: give a version of Kubernetes with --target-version, such as v1.36.`
    : `The cluster runs OpenShift ${source.text}, and the target ${target.text} is a version of Kubernetes: give an OpenShift release.`;
}
