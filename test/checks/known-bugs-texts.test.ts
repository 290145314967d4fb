import assert from "node:assert/strict";
import { test } from "node:test";
import { KNOWN_BUGS } from "../../src/checks/known-bugs/check.ts";
import type { KnownBug } from "../../src/checks/known-bugs/known-bug.ts";
import { formatRemediation } from "../../src/checks/known-bugs/texts.ts";
import { version } from "../support/fixtures.ts";
import { runKnownBugs } from "../support/checks/known-bugs/cycle.ts";
import { buildCluster, createFakeReader } from "../../verify/fixes/known-bugs/fake-cluster.ts";

function findBug(id: string): KnownBug {
  const bug = KNOWN_BUGS.find((one) => one.id === id);
  assert.ok(bug);
  return bug;
}

function remediationFor(id: string, source: string, target: string): string {
  return formatRemediation(findBug(id), { source: version(source), target: version(target) });
}

test("recommends only fixed releases that the source can reach, nearest first", () => {
  const id = "ceph-capabilities";
  assert.equal(remediationFor(id, "4.14.10", "4.14.20"), "Update to 4.14.25 or a later 4.14 instead.");
  assert.equal(
    remediationFor(id, "4.14.10", "4.15.3"),
    "Update to a release with the fix (4.14.25 or a later 4.14, 4.15.13 or a later 4.15) instead.",
  );
  assert.equal(remediationFor(id, "4.14.30", "4.15.3"), "Update to 4.15.13 or a later 4.15 instead.");
  assert.equal(remediationFor(id, "4.15.20", "4.15.3"), "Choose another target.");
  assert.match(
    formatRemediation(findBug(id)),
    /^Update to a release with the fix \(4\.12\.57 or a later 4\.12, 4\.13\.42 .*4\.15\.13 or a later 4\.15\) instead\.$/,
  );
});

test("offers a change to the cluster as well as another release", () => {
  assert.match(
    remediationFor("console-missing-plugin", "4.19.6", "4.19.8"),
    /^Update to 4\.19\.14 or a later 4\.19 instead, or first remove /,
  );
  assert.match(
    remediationFor("sriov-kernel-structures", "4.14.33", "4.14.34"),
    /^First update the operator .*, or choose another target\.$/,
  );
});

test("doesn't name ClusterVersion if the release itself has the bug", async () => {
  const { risks } = await runKnownBugs(createFakeReader(buildCluster("4.22.3", [], {})), "5.0.0-ec.1");
  const [risk] = risks.filter(({ name }) => name === "TargetIsPreRelease");
  assert.equal(risk?.description, "5.0.0-ec.1 is a pre-release for testing, and not supported.");
  assert.equal(risk.remediation, "Update to 5.0.0 or a later 5.0 instead.");
});

test("reports pre-releases of every minor, but no release", async () => {
  const isReported = async (source: string, target: string): Promise<boolean> => {
    const { risks } = await runKnownBugs(createFakeReader(buildCluster(source, [], {})), target);
    return risks.some(({ name }) => name === "TargetIsPreRelease");
  };
  for (const target of ["4.9.0-fc.1", "4.21.0-rc.3", "4.22.0-ec.5", "4.23.0-0.nightly-2026-09-01-000000", "5.1.0-rc.0"])
    assert.ok(await isReported("4.8.9", target), target);
  for (const target of ["4.9.0", "4.21.0", "5.1.0"]) assert.ok(!(await isReported("4.8.9", target)), target);
});

test("has a notice for every published bug that the API doesn't show", async () => {
  const { outcome } = await runKnownBugs(createFakeReader(buildCluster("4.17.39", [], {})), "4.17.40");
  assert.ok(outcome.kind !== "notApplicable");
  assert.ok(outcome.notices.some((notice) => notice.includes("ContinuousNodeRebootingDueToKernelPanic")));
});

test("includes fixed releases of an earlier minor, since the update brings the bug back", async () => {
  const labelled = {
    apiVersion: "machineconfiguration.openshift.io/v1",
    kind: "KubeletConfig",
    metadata: { name: "pods", labels: { "machineconfiguration.openshift.io/role": "worker" } },
  };
  const { risks } = await runKnownBugs(createFakeReader(buildCluster("4.14.60", [labelled], {})), "4.15.47");
  assert.ok(risks.some(({ name }) => name === "LabeledKubeletConfigsStallPools"));
});

test("has a general remediation without a list of every release", () => {
  assert.equal(formatRemediation(findBug("pre-release")), "Update to a release with the fix instead.");
});
