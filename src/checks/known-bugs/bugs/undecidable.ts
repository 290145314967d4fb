import type { BugEntry, Predicate } from "../known-bug.ts";
import { backported, fromEarlierMinors } from "../versions.ts";

const ANY_CLUSTER: Predicate = { always: true };

/** Bugs whose preconditions the API doesn't show: a notice tells every cluster what to examine. */
export const UNDECIDABLE_BUGS: readonly BugEntry[] = [
  {
    id: "layer-compression",
    name: "LayerCompressionMayFailPulls",
    certainty: "notice",
    published: ["CRIOLayerCompressionPulls"],
    versions: [{ first: "4.18.1", last: "4.18.6", fixedIn: "4.18.7" }],
    when: ANY_CLUSTER,
    title: "Images with certain layer compression may not be pulled",
    message:
      "CRI-O of {target} may fail to pull images with certain layer compression, which is visible only in the registry",
    remedy: "plan to watch for pods in ImagePullBackOff (oc get pods -A) on the first updated nodes",
    url: "https://issues.redhat.com/browse/OCPNODE-3074",
  },
  {
    id: "third-party-kernel-modules",
    name: "ThirdPartyKernelModulesMayPanic",
    certainty: "notice",
    published: ["ContinuousNodeRebootingDueToKernelPanic"],
    versions: backported(
      ["4.16.47", "4.16.50", "4.16.51"],
      ["4.17.40", "4.17.42", "4.17.43"],
      ["4.18.24", "4.18.26", "4.18.27"],
    ),
    when: ANY_CLUSTER,
    title: "Third-party kernel modules may make nodes restart repeatedly",
    message:
      "Third-party kernel modules can make the kernel of {target} panic, so that nodes which load them restart repeatedly",
    remedy:
      "find out which nodes load such modules ('cat /proc/modules' on a node marks them with an O or E in parentheses)",
    url: "https://issues.redhat.com/browse/COS-3700",
  },
  {
    id: "restorecon-timeout",
    name: "RestoreconMayStopKubelet",
    certainty: "notice",
    published: ["KubeletStartFailingFromRestoreconTimeout"],
    versions: fromEarlierMinors("4.18.0", "4.18.12", "4.18.13"),
    when: ANY_CLUSTER,
    title: "SELinux relabeling may keep the kubelet from starting",
    message:
      "The kubelet of {target} waits for restorecon, which can fail on nodes with slow disks or very many files below /var/lib/kubelet, and then doesn't start",
    remedy: "plan to check on the first updated nodes that the kubelet starts (oc get nodes)",
    url: "https://issues.redhat.com/browse/OCPNODE-3245",
  },
  {
    id: "kernel-io-wait",
    name: "KernelMayRaiseLoad",
    certainty: "notice",
    published: ["RHELKernelHighLoadIOWait"],
    versions: [
      { first: "4.11.58", last: "4.11.58", fixedIn: "4.11.59" },
      { first: "4.12.49", last: "4.12.51", fixedIn: "4.12.53" },
    ],
    when: ANY_CLUSTER,
    title: "The kernel may cause high load and I/O wait",
    message:
      "The kernel of {target} can cause high load and I/O wait, so that pods don't start or stop, and probes fail",
    remedy: "plan to watch load and I/O wait of the first updated nodes",
    url: "https://issues.redhat.com/browse/COS-2705",
  },
  {
    id: "busy-nodes",
    name: "BusyNodesMayNotUpdate",
    certainty: "notice",
    published: ["RPMOSTreeTimeout"],
    versions: fromEarlierMinors("4.11.0-fc.0", "4.11.1"),
    when: ANY_CLUSTER,
    title: "Nodes with many containers and little spare CPU may not update",
    message:
      "Nodes with many containers that compete for CPU may fail to apply their machine configuration in the update to {target}",
    remedy: "make sure that nodes have CPU to spare (oc adm top nodes)",
    url: "https://access.redhat.com/solutions/6972394",
  },
  {
    id: "seccomp-filters",
    name: "SeccompFiltersMayFailContainers",
    certainty: "notice",
    published: ["SeccompFilterErrno524"],
    versions: fromEarlierMinors("4.13.0", "4.13.9", "4.13.10"),
    when: ANY_CLUSTER,
    title: "Containers may not start because of seccomp filters",
    message:
      "The kernel of {target} may run out of memory for seccomp filters, so that new containers on a node fail with CreateContainerError",
    remedy: "plan to watch for pods in CreateContainerError (oc get pods -A)",
    url: "https://issues.redhat.com/browse/COS-2437",
  },
];
