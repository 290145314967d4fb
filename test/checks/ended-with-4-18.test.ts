import assert from "node:assert/strict";
import { test } from "node:test";
import cgroupV1, { keepCgroupV1 } from "../../src/checks/cgroup-v1/check.ts";
import rhelWorkers, { keepRhelNode } from "../../src/checks/rhel-workers/check.ts";
import { crosses, parseVersion } from "../../src/model/version.ts";

const version = (text: string) => parseVersion(text) ?? assert.fail(`${text} is not a version`);

test("checks for what 4.19 removed apply to updates to and past 4.19, including 5.x", () => {
  const updates: readonly (readonly [string, string, boolean])[] = [
    ["4.17.3", "4.18.1", false],
    ["4.18.1", "4.18.9", false],
    ["4.18.9", "4.18.1", false],
    ["4.18.1", "4.19.0", true],
    ["4.18.1", "4.20.0", true],
    ["4.17.3", "4.19.0", true],
    ["4.18.1", "4.23.0", true],
    ["4.18.1", "5.0.0", true],
    ["4.19.0", "4.20.0", false],
    ["4.22.1", "5.0.0", false],
    ["5.0.0", "5.1.0", false],
    ["4.19.0", "4.18.1", false],
  ];
  for (const { applies } of [cgroupV1, rhelWorkers]) {
    assert.ok(applies.kind === "crosses");
    for (const [source, target, wanted] of updates)
      assert.equal(crosses(version(source), applies.minor, version(target)), wanted, `${source} to ${target}`);
  }
});

test("the last of several kernel arguments counts, and only in the administrator's own MachineConfigs", () => {
  const kept = (name: string, ...kernelArguments: readonly string[]) =>
    keepCgroupV1({ metadata: { name }, spec: { kernelArguments } });
  assert.equal(kept("99-a", "systemd.unified_cgroup_hierarchy=0"), "99-a");
  assert.equal(kept("99-a", "quiet systemd.unified_cgroup_hierarchy=False"), "99-a");
  assert.equal(kept("99-a", "systemd.unified_cgroup_hierarchy=1"), undefined);
  assert.equal(kept("99-a", "systemd.unified_cgroup_hierarchy=0 systemd.unified_cgroup_hierarchy=1"), undefined);
  assert.equal(kept("99-a"), undefined);
  assert.equal(kept("97-master-generated-kubelet", "systemd.unified_cgroup_hierarchy=0"), undefined);
  assert.equal(kept("rendered-worker-1", "systemd.unified_cgroup_hierarchy=0"), undefined);
  assert.equal(keepCgroupV1({}), undefined);
});

test("a node runs plain RHEL according to its operating system's name, or its label if it has no such name", () => {
  const path = (osImage: string, label?: string) =>
    keepRhelNode({
      metadata: { name: "a", labels: label === undefined ? {} : { "node.openshift.io/os_id": label } },
      status: { nodeInfo: { osImage } },
    })?.path;
  assert.equal(path("Red Hat Enterprise Linux 8.10 (Ootpa)", "rhel"), "status.nodeInfo.osImage");
  assert.equal(path("Red Hat Enterprise Linux Server 7.9 (Maipo)"), "status.nodeInfo.osImage");
  assert.equal(path("", "rhel"), "metadata.labels[node.openshift.io/os_id]");
  assert.equal(path("Red Hat Enterprise Linux CoreOS 418.94.202501221327-0", "rhcos"), undefined);
  assert.equal(path("Red Hat Enterprise Linux CoreOS 9.6.20260105-0 (Plow)", "rhel"), undefined);
  assert.equal(path("CentOS Stream CoreOS 9.0.20250827-0", "scos"), undefined);
  assert.equal(path("Windows Server 2022 Datacenter"), undefined);
  assert.equal(path(""), undefined);
});
