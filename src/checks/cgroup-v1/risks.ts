import type { RiskText } from "../../model/check.ts";
import { buildPatchCommand } from "../../model/commands.ts";

export const cgroupV1Removed: RiskText = {
  name: "CgroupV1Removed",
  effect: "refused",
  leadTime: "hours",
  title: "The nodes use cgroup v1, which 4.19 removes",
  url: "https://issues.redhat.com/browse/OCPNODE-2276",
  describe: (objects, { target }) =>
    `${objects} selects cgroup v1 for all nodes: while it does, 4.18 refuses every further update, and nodes of ${target.text} run only cgroup v2.`,
  remediation: `Test the workloads with cgroup v2, and run "oc patch nodes.config.openshift.io cluster --type=merge -p '{"spec":{"cgroupMode":"v2"}}'". Update once "oc get machineconfigpools" shows that every pool is updated.`,
  example: { object: { apiVersion: "config.openshift.io/v1", kind: "Node", name: "cluster" }, path: "spec.cgroupMode" },
  fix: ({ object, path }, { platform }) =>
    path === "spec.cgroupMode" ? [buildPatchCommand(platform, object, { spec: { cgroupMode: "v2" } })] : [],
};
