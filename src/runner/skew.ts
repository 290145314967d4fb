import type { Failure } from "../model/report.ts";
import type { Version } from "../model/version.ts";

const MAJORS = 2;

/** A target that is too far away for any statement to hold. */
export function unsupportedSkew(source: Version, target: Version): Failure | undefined {
  const distance = target.major - source.major;
  if (Math.abs(distance) <= MAJORS) return undefined;
  const message =
    `The cluster runs ${source.text} and the target is ${target.text}. ` +
    `Supported are targets from major ${Math.max(source.major - MAJORS, 0)} to ${source.major + MAJORS}: choose a nearer target.`;
  return { reason: "UnsupportedVersionSkew", message };
}
