import type { BugEntry, ItemTest, Predicate } from "../known-bug.ts";
import { backported, fromEarlierMinors } from "../versions.ts";

function buildArchitectureTest(name: string): ItemTest {
  return {
    anyOf: [
      { at: 'metadata.labels."kubernetes.io/arch"', equals: name },
      { at: "status.nodeInfo.architecture", equals: name },
    ],
  };
}

const GROUP = "machineconfiguration.openshift.io/v1";

/** Pools of workers that no KubeletConfig with the setting selects: its selector names none of their labels. */
const POOL_WITHOUT_REPORT_FREQUENCY: Predicate = {
  dangling: {
    each: `${GROUP}/machineconfigpools`,
    where: {
      allOf: [{ not: { at: "metadata.name", equals: "master" } }, { not: { at: "status.machineCount", equals: 0 } }],
    },
  },
  names: "metadata.labels[keys]",
  all: true,
  missingIn: {
    each: `${GROUP}/kubeletconfigs`,
    where: { at: "spec.kubeletConfig.nodeStatusReportFrequency", is: "nonEmpty" },
    at: "spec.machineConfigPoolSelector.matchLabels[keys]",
  },
};

/** Bugs of the nodes' operating system, kubelet and container runtime. */
export const NODES_BUGS: readonly BugEntry[] = [
  {
    id: "arm64-seccomp",
    name: "ARM64ContainersFailSeccomp",
    published: ["ARM64SecCompError524"],
    versions: fromEarlierMinors("4.11.0-fc.0", "4.11.26", "4.11.27"),
    when: { each: "v1/nodes", where: buildArchitectureTest("arm64") },
    title: "Containers may not start on arm64 nodes",
    message:
      "Containers may fail to start on arm64 nodes, because the kernel of {target} may reject their seccomp filters with error 524",
    url: "https://issues.redhat.com/browse/RUN-1668",
  },
  {
    id: "custom-selinux-policies",
    name: "CustomSELinuxPolicyMayStopKubelet",
    certainty: "notice",
    published: ["StaleSELinuxPolicies"],
    versions: fromEarlierMinors("4.11.0-fc.0", "4.11.3"),
    when: {
      anyOf: [
        { csv: "kubevirt-hyperconverged(-operator)?" },
        {
          each: `${GROUP}/machineconfigs`,
          where: { at: "spec.config.systemd.units[].contents", matches: "semodule" },
        },
      ],
    },
    title: "Custom SELinux policies may stop the kubelet",
    message:
      "Nodes with SELinux modules that were added manually or by OpenShift Virtualization may keep a stale policy with {target}, with which the kubelet fails",
    remedy: "list the modules with 'semodule -lfull' on a node, and look for priorities other than 100",
    url: "https://issues.redhat.com/browse/OCPBUGS-595",
  },
  {
    id: "amd-19h-firmware",
    name: "AMD19hNodesMayNotBoot",
    certainty: "notice",
    published: ["AMD19hFirmware"],
    versions: [{ first: "4.12.45", last: "4.12.51", sources: [{ before: "4.12.45" }] }],
    when: {
      each: "v1/nodes",
      where: {
        allOf: [
          { anyOf: [buildArchitectureTest("amd64"), { at: "status.nodeInfo.architecture", is: "absent" }] },
          {
            anyOf: [
              { at: 'metadata.labels."feature.node.kubernetes.io/cpu-model.family"', is: "absent" },
              { at: 'metadata.labels."feature.node.kubernetes.io/cpu-model.family"', equals: "25" },
            ],
          },
        ],
      },
    },
    title: "Nodes with AMD processors of family 19h may not boot",
    message:
      "Nodes with AMD processors of family 19h (25, such as Milan and Bergamo) may fail to boot after the update to {target}; these nodes have such a processor, or no label that names its family",
    remedy: "make sure that nodes have another processor (lscpu on the node shows the CPU family)",
    url: "https://issues.redhat.com/browse/COS-2747",
  },
  {
    id: "node-status-reports",
    name: "NodeStatusReportsMayFloodAPI",
    certainty: "notice",
    published: ["HighNodeStatusReportFrequency"],
    versions: backported(
      ["4.12.51", "4.12.52", "4.12.53"],
      ["4.13.33", "4.13.36", "4.13.37"],
      ["4.14.12", "4.14.15", "4.14.16"],
    ),
    when: {
      allOf: [
        { each: "v1/nodes", where: { at: "metadata.name", is: "present" }, least: 50, unnamed: true },
        { anyOf: [{ hosted: true }, POOL_WITHOUT_REPORT_FREQUENCY] },
      ],
    },
    title: "Nodes may overload the API with status reports",
    message:
      "With {target}, nodes report their status every 10 seconds instead of every 5 minutes, which can overload the control plane of this cluster of 50 nodes or more",
    remedy: "set nodeStatusReportFrequency to 5m in a KubeletConfig for each machine config pool of workers",
    url: "https://issues.redhat.com/browse/MCO-1094",
  },
  {
    id: "fcoe-boot",
    name: "FCoEBootMayFail",
    certainty: "notice",
    published: ["FCoEBootFromSANKernelDriverQedf"],
    versions: backported(["4.16.25", "4.16.26", "4.16.27"], ["4.17.7", "4.17.8", "4.17.9"]),
    when: { platform: ["BareMetal", "None"] },
    title: "Nodes that boot over FCoE may not start",
    message:
      "Nodes that boot from a SAN over Fibre Channel over Ethernet (FCoE) with the kernel driver qedf can't start {target}, and this cluster's platform may have such nodes",
    remedy: "make sure that no node uses the driver ('lsmod' on a node shows qedf)",
    url: "https://issues.redhat.com/browse/COS-3068",
  },
  {
    id: "rhel-nodes-credential-plugin",
    name: "RHELNodesLackCredentialPlugin",
    effect: "stuck",
    published: ["CRIAuthPluginRHEL"],
    versions: [{ first: "4.16.0-ec.0", last: "4.16.0-rc.0", sources: [{ before: "4.15.11" }], fixedIn: "4.16.0-rc.1" }],
    when: {
      allOf: [
        { platform: ["Azure", "GCP"] },
        { each: "v1/nodes", where: { at: 'metadata.labels."node.openshift.io/os_id"', equals: "rhel" } },
      ],
    },
    title: "The kubelet may not start on RHEL nodes",
    message:
      "On Azure and GCP, the kubelet of {target} doesn't start without a registry credential plugin, which RHEL nodes lack until their packages are updated",
    url: "https://issues.redhat.com/browse/OCPCLOUD-2582",
  },
  {
    id: "s390x-container-data",
    name: "S390XContainerDataBroken",
    published: ["S390xContainerDataFailure"],
    versions: [{ first: "4.22.0-ec.3", last: "4.22.5", sources: [{ before: "4.22.0-ec.3" }], fixedIn: "4.22.6" }],
    when: { each: "v1/nodes", where: buildArchitectureTest("s390x") },
    title: "Container metrics of s390x nodes are broken",
    message:
      "The container runtime of {target} reports malformed data on s390x nodes, so pods there aren't scaled automatically, evicted or measured",
    url: "https://redhat.atlassian.net/browse/OCPNODE-4579",
  },
  {
    id: "withdrawn-kernel",
    name: "KernelWithdrawn",
    published: ["RHEL96Kernel331Panic"],
    versions: [{ first: "4.19.8", last: "4.19.8", fixedIn: "4.19.9" }],
    when: { always: true },
    title: "The target was withdrawn because of its kernel",
    message: "The kernel of {target} can panic, and the release was withdrawn because of that before it was shipped",
    url: "https://issues.redhat.com/browse/COS-3503",
  },
];
