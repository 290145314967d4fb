import { CRUN_MAY_RUN } from "../common-predicates.ts";
import type { BugEntry } from "../known-bug.ts";
import { backported, fromEarlierMinors } from "../versions.ts";

/** Versions of operators end in their build date, such as 4.16.0-202408260000. */
const SINCE_20240826 = "-20(240(82[6-9]|83|9)|241|2[5-9]|[3-9])[0-9]*$";
/** When the operator with the fix was shipped: RHBA-2026:8424. The update service's own rule goes on until September 2026. */
const SINCE_20260421 = "-20(26(04(2[1-9]|3)|0[5-9]|1)|2[7-9]|[3-9])[0-9]*$";

/** Operators that build kernel modules on the cluster with the Driver Toolkit. */
const DRIVER_OPERATORS =
  "kernel-module-management(-hub)?|nvidia-gpu-addon-operator|amd-gpu-operator|operator-for-ai-chips-on-aws|gpu-operator-certified|habana-ai-operator|intel-device-plugins-operator";

const CHANGE_CHANNEL = {
  kinds: ["ClusterServiceVersion"],
  command:
    'patch subscription.operators.coreos.com/<subscription> --type=merge -p \'{"spec":{"channel":"<channel>"}}\'',
};

/** Bugs that affect clusters with a certain operator. */
export const OPERATORS_BUGS: readonly BugEntry[] = [
  {
    id: "olm-operators-fail",
    name: "InstalledOperatorsSeemFailed",
    published: ["OLMOperatorsInFailedState"],
    versions: fromEarlierMinors("4.15.0", "4.15.10", "4.15.11"),
    when: { csv: ".*", where: { not: { at: "metadata.name", equals: "packageserver" } } },
    title: "Installed operators may be reported as failed and can't be upgraded",
    message:
      "The Operator Lifecycle Manager of {target} may report that installed operators have failed, and then doesn't upgrade them",
    url: "https://issues.redhat.com/browse/OPRUN-3267",
  },
  {
    id: "sriov-kernel-structures",
    name: "SRIOVOperatorTooOldForKernel",
    published: ["SRIOVFailedToConfigureVF"],
    versions: backported(["4.14.34", "4.14.34"], ["4.15.25", "4.15.27"], ["4.16.7", "4.16.7"]),
    when: { csv: "sriov-network-operator", where: { not: { at: "spec.version", matches: SINCE_20240826 } } },
    title: "The SR-IOV operator is too old for the target's kernel",
    message:
      "An SR-IOV operator built before August 26, 2024 can't set up virtual functions on the kernel of {target} or of any later release",
    remedy: "update the operator until 'oc get csv -A' shows a version dated 20240826 or later",
    fix: CHANGE_CHANNEL,
    url: "https://issues.redhat.com/browse/NHE-1171",
  },
  {
    id: "numa-resources-selinux",
    name: "NUMAResourcesPodsCrash",
    published: ["NUMAResourcesOperatorCrashLoopBackOff"],
    versions: backported(["4.16.25", "4.16.26", "4.16.27"], ["4.17.7", "4.17.8", "4.17.9"]),
    when: { csv: "numaresources-operator" },
    title: "Pods of the NUMA Resources Operator crash repeatedly",
    message: "New SELinux rules of {target} make the pods of the NUMA Resources Operator crash repeatedly",
    url: "https://issues.redhat.com/browse/COS-3078",
  },
  {
    id: "driver-toolkit-kernel",
    name: "DriverToolkitKernelDiffers",
    published: ["DTK_4_16_58_KernelMismatch"],
    versions: [{ first: "4.16.58", last: "4.16.58", fixedIn: "4.16.59" }],
    when: { csv: DRIVER_OPERATORS },
    title: "Drivers can't be built for the target's kernel",
    message:
      "The Driver Toolkit of {target} is built for another kernel than that of its nodes, so operators that build drivers with it fail",
    url: "https://redhat.atlassian.net/browse/OCPBUGS-78529",
  },
  {
    id: "metallb-bfd",
    name: "MetalLBPeersWithBFDFail",
    published: ["MetallbBgpBfdFrrRpm"],
    versions: [{ first: "4.18.10", last: "4.18.11", fixedIn: "4.18.12" }],
    when: {
      allOf: [
        { csv: "metallb-operator", where: { at: "metadata.name", is: "present" } },
        { each: "metallb.io/v1beta2/bgppeers", where: { at: "spec.bfdProfile", is: "nonEmpty" } },
      ],
    },
    title: "MetalLB's BGP peers with BFD can't connect",
    message:
      "MetalLB can't establish BGP sessions with BFD on {target}, and the services that it advertises through these peers may become unreachable",
    url: "https://issues.redhat.com/browse/CNF-17689",
  },
  {
    id: "crun-nvidia",
    name: "CrunBreaksNVIDIAWorkloads",
    published: ["CrunConflictsWithNVIDIA"],
    versions: [{ first: "4.18.22", last: "4.18.23", fixedIn: "4.18.24" }],
    when: { allOf: [{ csv: "gpu-operator-certified" }, CRUN_MAY_RUN] },
    title: "GPU workloads fail with the target's crun",
    message:
      "crun of {target} and the NVIDIA GPU Operator both set eBPF programs that control access to devices, and GPU workloads can lose their devices",
    url: "https://issues.redhat.com/browse/RUN-3446",
  },
  {
    id: "ptp-pins",
    name: "PTPOperatorTooOldForClockPins",
    published: ["PrecisionTimeProtocolDPLLPins"],
    versions: [
      { first: "4.19.27", last: "4.19.28", fixedIn: "4.19.29" },
      { first: "4.20.18", last: "4.20.19", fixedIn: "4.20.20" },
      { first: "4.21.8", last: "4.21.11", fixedIn: "4.21.12" },
    ],
    when: { csv: "ptp-operator", where: { not: { at: "spec.version", matches: SINCE_20260421 } } },
    title: "The PTP operator is too old for the target's clocks",
    message:
      "A PTP operator built before April 21, 2026 may not know how {target} names the clocks of network cards: it may fail to synchronize them and to provide time to clients",
    remedy: "update the operator until 'oc get csv -A' shows a version dated 20260421 or later",
    fix: CHANGE_CHANNEL,
    url: "https://redhat.atlassian.net/browse/CORENET-6950",
  },
];
