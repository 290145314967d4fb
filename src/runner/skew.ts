import type { Platform } from "../model/check.ts";
import { platformOf } from "../model/kubernetes.ts";
import type { Failure } from "../model/report.ts";
import type { Version } from "../model/version.ts";

const MAJORS = 2;

/** A target that is another platform's, or too far away for any statement to hold. */
export function unsupportedSkew(source: Version, target: Version, platform: Platform): Failure | undefined {
  if (platformOf(target) !== platform)
    return { reason: "UnsupportedVersionSkew", message: stray(source, target, platform) };
  const distance = target.major - source.major;
  if (Math.abs(distance) <= MAJORS) return undefined;
  const message =
    `The cluster runs ${source.text} and the target is ${target.text}. ` +
    `Supported are targets from major ${Math.max(source.major - MAJORS, 0)} to ${source.major + MAJORS}: choose a nearer target.`;
  return { reason: "UnsupportedVersionSkew", message };
}

function stray(source: Version, target: Version, platform: Platform): string {
  return platform === "kubernetes"
    ? `The cluster runs Kubernetes ${source.text} without OpenShift (its API server serves no ClusterVersion), and the target ${target.text} is an OpenShift release: give a version of Kubernetes with --target-version, such as v1.36.`
    : `The cluster runs OpenShift ${source.text}, and the target ${target.text} is a version of Kubernetes: give an OpenShift release.`;
}
