/** A published name of which another check than known-bugs gives a notice. */
export type PublishedName = { readonly name: string; readonly check: string; readonly url: string };

/**
 * The names besides those that entries, and risks of other checks, give as `published`. Together they are all names that the update service
 * ever published, from which docs/known-risks.md is generated.
 */
export const OTHER_NAMES: readonly PublishedName[] = [
  {
    name: "OVNCrashOnMigratedDualStack",
    check: "dual-stack",
    url: "https://issues.redhat.com/browse/SDN-4013",
  },
];
