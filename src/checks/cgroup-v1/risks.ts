import type { RiskText } from "../../model/check.ts";

export const cgroupV1Removed: RiskText = {
  name: "CgroupV1Removed",
  title: "The nodes use cgroup v1, which ended with 4.18",
  url: "https://issues.redhat.com/browse/OCPNODE-2276",
  describe: (objects, { target }) =>
    `${objects} asks for cgroup v1 on all nodes, which ended with 4.18: that release refuses to be updated further while it does, and nodes of ${target.text} run cgroup v2 only.`,
  remediation:
    'Check that the workloads run with cgroup v2, set spec.cgroupMode to "v2", and update when the nodes have restarted with it.',
};
