/** Where a name that the update service has published, and that no entry stands for, is accounted for. */
export type PublishedName =
  /** Another check decides it, with its risk or, where only part of it shows, in a notice. */
  | { readonly name: string; readonly kind: "decided" | "partly"; readonly check: string; readonly url: string }
  /** Nothing that a cluster's API shows tells the clusters that it hits from others. */
  | { readonly name: string; readonly kind: "notDecidable"; readonly why: string; readonly url: string };

/**
 * The names besides those that entries, and risks of other checks, give as `published`.
 * Together they are all that the update service ever published; docs/known-risks.md is made of them.
 */
export const OTHER_NAMES: readonly PublishedName[] = [
  {
    name: "CRIOLayerCompressionPulls",
    kind: "notDecidable",
    why: "How the layers of an image are compressed stands in its registry, and not in the cluster's API.",
    url: "https://issues.redhat.com/browse/OCPNODE-3074",
  },
  {
    name: "ContinuousNodeRebootingDueToKernelPanic",
    kind: "notDecidable",
    why: "It needs kernel modules of third parties, and which modules nodes load is no part of the API.",
    url: "https://issues.redhat.com/browse/COS-3700",
  },
  {
    name: "DualStackNeedsController",
    kind: "decided",
    check: "dual-stack",
    url: "https://issues.redhat.com/browse/SDN-3996",
  },
  {
    name: "KubeletStartFailingFromRestoreconTimeout",
    kind: "notDecidable",
    why: "It depends on how many files lie below the kubelet's folder and how fast the disk is, which only the nodes know.",
    url: "https://issues.redhat.com/browse/OCPNODE-3245",
  },
  {
    name: "MultiNetworkAttachmentsWhereaboutsVersion",
    kind: "decided",
    check: "dual-stack",
    url: "https://access.redhat.com/solutions/7024726",
  },
  {
    name: "OVNCrashOnMigratedDualStack",
    kind: "partly",
    check: "dual-stack",
    url: "https://issues.redhat.com/browse/SDN-4013",
  },
  {
    name: "OVNWithMultipleClusterNetworks",
    kind: "decided",
    check: "dual-stack",
    url: "https://issues.redhat.com/browse/CORENET-5832",
  },
  {
    name: "RHELKernelHighLoadIOWait",
    kind: "notDecidable",
    why: "All clusters get the kernel; whether its load hurts shows only when it runs.",
    url: "https://issues.redhat.com/browse/COS-2705",
  },
  {
    name: "RPMOSTreeTimeout",
    kind: "notDecidable",
    why: "It strikes where many containers fight for processors at the moment of the update, of which the API keeps nothing.",
    url: "https://access.redhat.com/solutions/6972394",
  },
  {
    name: "SeccompFilterErrno524",
    kind: "notDecidable",
    why: "All clusters get the kernel; whether it runs out of room for seccomp filters shows only when it runs.",
    url: "https://issues.redhat.com/browse/COS-2437",
  },
];
