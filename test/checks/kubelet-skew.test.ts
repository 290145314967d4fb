import assert from "node:assert/strict";
import { describe, test } from "node:test";
import check, {
  keepKubelet,
  getAllowedSkew,
  getBlockedBelow,
  getSupportedRange,
} from "../../src/checks/kubelet-skew/check.ts";
import type { Context, Judgement } from "../../src/model/check.ts";
import { type Version, type Platform, getKubernetesMinor, parseMinor, getUpdateKind } from "../../src/model/version.ts";
import { release, version } from "../support/fixtures.ts";

function context(from: string, to: string, platform: Platform = "openshift"): Context {
  const source = version(from);
  const target = version(to);
  const minorOf = (of: Version): number => (platform === "openshift" ? getKubernetesMinor(of) : of.minor);
  const kubernetes = { source: minorOf(source), target: minorOf(target) };
  return {
    source,
    target,
    platform,
    isHosted: false,
    kubernetes,
    update: getUpdateKind(source, target),
    release: release(to),
    now: new Date(0),
    checks: [],
    special: { coveredRisks: [], reported: [] },
  };
}

/** Evaluates the check for one node's kubelet. */
function judge(kubelet: string, of: Context): Judgement {
  const value = keepKubelet({ metadata: { name: "worker-0" }, status: { nodeInfo: { kubeletVersion: kubelet } } });
  const kubeProxy = { kind: "absent", what: "object" } as const;
  return check.evaluate({ nodes: { kind: "found", values: [value] }, kubeProxy }, of, {});
}

/** An update of Kubernetes from the minor before. */
function buildStep(to: string): Context {
  return context(`1.${version(to).minor - 1}.0`, to, "kubernetes");
}

function findRisk(kubelet: string, of: Context): string {
  const { findings = [], unknowns = [] } = judge(kubelet, of);
  return findings[0]?.risk ?? (unknowns.length > 0 ? "unknown" : "clear");
}

describe("kubelet skew", () => {
  test("knows how many minors behind each release supports", () => {
    const table = {
      "4.12": 2,
      "4.21": 1,
      "4.22": 2,
      "4.23": 1,
      "5.0": 1,
      "5.1": 2,
      "5.2": 3,
      "5.3": 1,
      "5.4": 2,
      "5.5": 3,
    };
    for (const [minor, expected] of Object.entries(table)) {
      const parsed = parseMinor(minor);
      assert.ok(parsed);
      assert.equal(getAllowedSkew(parsed), expected, minor);
    }
  });

  test("finds the oldest supported kubelet for N, N+1 and N+2, including across 4.23 and 5.0", () => {
    const table: readonly (readonly [string, string, number])[] = [
      ["4.20.1", "4.21.1", 33],
      ["4.20.1", "4.22.1", 33],
      ["4.21.1", "4.22.1", 33],
      ["4.21.1", "4.23.1", 35],
      ["4.22.1", "4.23.1", 35],
      ["4.22.1", "5.0.1", 35],
      ["4.22.1", "5.1.1", 35],
      ["4.23.1", "5.1.1", 35],
      ["5.0.1", "5.2.1", 35],
      ["5.1.1", "5.3.1", 38],
    ];
    for (const [from, to, oldest] of table)
      assert.equal(getSupportedRange(context(from, to)).oldest, oldest, `${from} to ${to}`);
  });

  test("doesn't report a kubelet as too old for the next release if the target supports it", () => {
    const line = ["4.19.1", "4.20.1", "4.21.1", "4.22.1", "5.0.1", "5.1.1", "5.2.1", "5.3.1", "5.4.1"];
    for (const [i, from] of line.entries())
      for (const to of line.slice(i + 1)) {
        const of = context(from, to);
        assert.ok(getBlockedBelow(of, false) <= getSupportedRange(of).oldest, `${from} to ${to}`);
        assert.ok(getBlockedBelow(of, true) <= getBlockedBelow(of, false), `${from} to ${to}`);
      }
  });

  test("distinguishes updates that the running operator blocks from others", () => {
    assert.equal(findRisk("v1.34.2", context("4.22.1", "5.0.1")), "KubeletTooOldForNextMinor");
    assert.equal(findRisk("v1.34.2", context("4.21.1", "5.0.1")), "KubeletTooOldForTarget");
    assert.equal(findRisk("v1.35.2", context("5.0.1", "5.2.1")), "clear");
    assert.equal(findRisk("v1.34.2", context("5.0.1", "5.2.1")), "KubeletTooOldForNextMinor");
    assert.equal(findRisk("v1.37.0", context("4.22.1", "5.0.1")), "KubeletNewerThanTarget");
    assert.equal(findRisk("v1.36.0", context("4.22.1", "5.0.1")), "clear");
  });

  test("follows the version skew policy on plain Kubernetes", () => {
    const table: readonly (readonly [string, string, string])[] = [
      ["1.27.4", "v1.25.1", "clear"],
      ["1.27.4", "v1.24.1", "KubeletTooOldForTarget"],
      ["1.28.0", "v1.25.1", "clear"],
      ["1.28.0", "v1.24.1", "KubeletTooOldForTarget"],
      ["1.36.0", "v1.33.0-eks-1a2b3c4", "clear"],
      ["1.36.0", "v1.32.9", "KubeletTooOldForTarget"],
      ["1.36.0", "v1.37.0", "KubeletNewerThanTarget"],
      ["1.36.0", "v2.0.0", "unknown"],
    ];
    for (const [to, kubelet, expected] of table)
      assert.equal(findRisk(kubelet, buildStep(to)), expected, `${kubelet} under ${to}`);
    const [finding] = judge("v1.32.9", context("1.35.0", "1.36.0", "kubernetes")).findings ?? [];
    assert.equal(
      finding?.message,
      "Its kubelet is v1.32.9. The API server of Kubernetes 1.36.0 supports 1.33 to 1.36.",
    );
  });

  test("parses vendors' versions and rejects other strings", () => {
    for (const text of ["v1.34.2", "1.34.2", "v1.34.2+5f5a2a1", "v1.34.2-gke.1000", "v1.34", "v1.34.0-rc.1+k3s1"])
      assert.equal(findRisk(text, context("4.21.1", "4.22.1")), "clear", text);
    for (const text of ["", "v1.x-garbage", "v1.34.2.1", "latest", "v1.034.2", "v1.34.2 ", "1"])
      assert.equal(findRisk(text, context("4.21.1", "4.22.1")), "unknown", text);
  });
});
