import assert from "node:assert/strict";
import { test } from "node:test";
import { findUnsupportedSkew } from "../../src/runner/updates/update.ts";
import { version } from "../support/fixtures.ts";

const FAR = (source: string, target: string, range: string): string =>
  `The cluster runs ${source} and the target is ${target}. Targets from major ${range} are supported: choose a nearer target.`;

const ROWS: readonly (readonly [string, string, string, "openshift" | "kubernetes", string | undefined])[] = [
  ["a patch", "4.18.1", "4.18.2", "openshift", undefined],
  ["two majors up", "4.18.1", "6.0.0", "openshift", undefined],
  ["two majors down", "6.0.1", "4.18.0", "openshift", undefined],
  ["three majors up", "4.18.1", "7.0.0", "openshift", FAR("4.18.1", "7.0.0", "2 to 6")],
  ["three majors down", "7.18.1", "4.0.0", "openshift", FAR("7.18.1", "4.0.0", "5 to 9")],
  ["a minor of Kubernetes", "1.33.1", "1.34.0", "kubernetes", undefined],
  [
    "a release of OpenShift for Kubernetes",
    "1.33.1",
    "4.20.0",
    "kubernetes",
    "The cluster runs Kubernetes 1.33.1 without OpenShift (its API server serves no ClusterVersion), and the target 4.20.0 is an OpenShift release: give a version of Kubernetes with --target-version, such as v1.36.",
  ],
  [
    "a version of Kubernetes for OpenShift",
    "4.20.0",
    "1.34.0",
    "openshift",
    "The cluster runs OpenShift 4.20.0, and the target 1.34.0 is a version of Kubernetes: give an OpenShift release.",
  ],
];

for (const [what, source, target, platform, message] of ROWS) {
  test(`${what} is ${message === undefined ? "supported" : "refused with what would be"}`, () => {
    const failure = findUnsupportedSkew(version(source), version(target), platform);
    assert.deepEqual(failure, message === undefined ? undefined : { reason: "UnsupportedVersionSkew", message });
  });
}
