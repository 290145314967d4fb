import type { BugEntry } from "../known-bug.ts";

const CAPABILITIES = "status.capabilities";

/** Bugs of capabilities. */
export const CAPABILITY_BUGS: readonly BugEntry[] = [
  {
    id: "console-enabled",
    name: "ConsoleEnabledUnasked",
    published: ["ConsoleImplicitlyEnabled"],
    versions: [{ first: "4.14.0-rc.2", last: "4.14.1", sources: [{ before: "4.14.0-rc.2" }], fixedIn: "4.14.2" }],
    when: {
      get: "config.openshift.io/v1/clusterversions",
      name: "version",
      where: {
        allOf: [
          { at: `${CAPABILITIES}.knownCapabilities[]`, equals: "Console" },
          { not: { at: `${CAPABILITIES}.enabledCapabilities[]`, equals: "Console" } },
        ],
      },
    },
    title: "The console is enabled implicitly",
    message:
      "{target} enables the capability Console, which is disabled on this cluster and can't be disabled again afterwards",
    url: "https://issues.redhat.com/browse/OTA-1031",
  },
];
