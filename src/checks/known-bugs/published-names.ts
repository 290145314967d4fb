/** A published name that another check covers without naming it in one of its risks. */
export type PublishedName = {
  readonly name: string;
  /** `narrowed`: a notice, since only a part of the preconditions shows. */
  readonly kind: "decided" | "narrowed";
  readonly check: string;
  readonly url: string;
};

/**
 * The names besides those that entries, and risks of other checks, give as `published`. Together they are all names that the update service
 * ever published, from which docs/known-risks.md is generated.
 */
export const OTHER_NAMES: readonly PublishedName[] = [
  {
    name: "DualStackNeedsController",
    kind: "decided",
    check: "dual-stack",
    url: "https://issues.redhat.com/browse/SDN-3996",
  },
  {
    name: "MultiNetworkAttachmentsWhereaboutsVersion",
    kind: "decided",
    check: "dual-stack",
    url: "https://access.redhat.com/solutions/7024726",
  },
  {
    name: "OVNCrashOnMigratedDualStack",
    kind: "narrowed",
    check: "dual-stack",
    url: "https://issues.redhat.com/browse/SDN-4013",
  },
  {
    name: "OVNWithMultipleClusterNetworks",
    kind: "decided",
    check: "dual-stack",
    url: "https://issues.redhat.com/browse/CORENET-5832",
  },
];
