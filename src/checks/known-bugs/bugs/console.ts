import type { KnownBug, ItemTest } from "../known-bug.ts";

/** Before 4.12 the console was no capability, and always there. */
const WITH_CONSOLE: ItemTest = {
  anyOf: [
    { not: { at: "status.capabilities.knownCapabilities[]", equals: "Console" } },
    { at: "status.capabilities.enabledCapabilities[]", equals: "Console" },
  ],
};

/** Faults of the web console. */
export const CONSOLE_BUGS: readonly KnownBug[] = [
  {
    id: "console-available-updates",
    name: "ConsoleSettingsPageBreaks",
    certainty: "risk",
    published: ["ConsoleAvailableUpdatesNull"],
    versions: [
      { first: "4.12.1", last: "4.12.1", fixedIn: "4.12.2" },
      { first: "4.13.0-ec.2", last: "4.13.0-ec.2", fixedIn: "4.13.0-ec.3" },
    ],
    when: {
      get: "config.openshift.io/v1/clusterversions",
      name: "version",
      where: {
        allOf: [
          WITH_CONSOLE,
          { at: "status.availableUpdates", is: "absent" },
          {
            items: "status.conditions",
            where: {
              allOf: [
                { at: "type", equals: "Upgradeable" },
                { at: "status", equals: "False" },
              ],
            },
          },
        ],
      },
    },
    title: "The console's page of cluster settings breaks",
    message:
      "The console of {target} can't show its page of cluster settings where no update is on offer and the cluster says Upgradeable=False, as it does now; 'oc adm upgrade' still works",
    remedy: "see to what makes the cluster not upgradeable",
    url: "https://issues.redhat.com/browse/CONSOLE-3428",
  },
  {
    id: "console-missing-plugin",
    name: "ConsolePluginMissing",
    certainty: "risk",
    published: ["ConsoleCrashOnMissingPlugin"],
    versions: [{ first: "4.19.7", last: "4.19.13", sources: [{ before: "4.19.7" }], fixedIn: "4.19.14" }],
    when: {
      dangling: {
        get: "operator.openshift.io/v1/consoles",
        name: "cluster",
        where: { not: { at: "spec.managementState", oneOf: ["Removed", "Unmanaged"] } },
      },
      names: "spec.plugins[]",
      missingIn: "console.openshift.io/v1/consoleplugins",
    },
    title: "The console names a plugin that is not there",
    message:
      "The console's configuration names a plugin in spec.plugins for which there is no ConsolePlugin, over which the console of {target} may crash again and again",
    remedy: "take the plugin's name out of spec.plugins",
    url: "https://issues.redhat.com/browse/CONSOLE-4762",
  },
  {
    id: "console-grey-status",
    name: "ConsoleControlPlaneStatusGrey",
    certainty: "risk",
    published: ["ControlPlaneStatusGreyIcon"],
    versions: [{ first: "4.20.23", last: "4.20.24", fixedIn: "4.20.25" }],
    when: { allOf: [{ hosted: false }, { capability: "Console" }] },
    title: "The console doesn't show the control plane's status",
    message:
      "The console of {target} shows the status of the control plane in grey for ever, even if all cluster operators are well; nothing else suffers",
    url: "https://redhat.atlassian.net/browse/CONSOLE-5337",
  },
  {
    id: "console-target-down",
    name: "ConsoleTargetAlwaysDown",
    certainty: "risk",
    published: ["ConsoleEnabledTargetDownAlert"],
    versions: [
      { first: "4.17.29", last: "4.17.34", sources: [{ before: "4.17.29" }], fixedIn: "4.17.35" },
      {
        first: "4.18.12",
        last: "4.18.17",
        sources: [{ before: "4.17.29" }, { from: "4.18.0-0", before: "4.18.12" }],
        fixedIn: "4.18.18",
      },
      { first: "4.19.0", last: "4.19.0", sources: [{ from: "4.18.0-0", before: "4.18.12" }], fixedIn: "4.19.1" },
    ],
    when: { capability: "Console" },
    title: "An alert of the console's metrics never ends",
    message:
      "Monitoring of {target} can't read metrics of the console, which this cluster has, and the alert TargetDown fires until the next update",
    url: "https://issues.redhat.com/browse/CONSOLE-4632",
  },
];
