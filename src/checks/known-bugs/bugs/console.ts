import { buildConditionTest } from "../common-predicates.ts";
import type { BugEntry, ItemTest, Predicate } from "../known-bug.ts";
import { backported } from "../versions.ts";

/** Before 4.12 the console was not a capability, and always enabled. */
const WITH_CONSOLE: ItemTest = {
  anyOf: [
    { not: { at: "status.capabilities.knownCapabilities[]", equals: "Console" } },
    { at: "status.capabilities.enabledCapabilities[]", equals: "Console" },
  ],
};

/** No update after the affected targets is offered: none at all, or none but these. */
const LAST_OFFER: ItemTest = {
  not: {
    items: "status.availableUpdates",
    where: {
      allOf: [{ at: "version", version: { from: "4.12.2" } }, { not: { at: "version", equals: "4.13.0-ec.2" } }],
    },
  },
};

/** An administrator may have removed the console although its capability is enabled. */
const CONSOLE_RUNS: Predicate = {
  not: {
    get: "operator.openshift.io/v1/consoles",
    name: "cluster",
    where: { at: "spec.managementState", equals: "Removed" },
  },
};

/** Bugs of the web console. */
export const CONSOLE_BUGS: readonly BugEntry[] = [
  {
    id: "console-available-updates",
    name: "ConsoleSettingsPageBreaks",
    published: ["ConsoleAvailableUpdatesNull"],
    versions: [
      { first: "4.12.1", last: "4.12.1", fixedIn: "4.12.2" },
      { first: "4.13.0-ec.2", last: "4.13.0-ec.2", fixedIn: "4.13.0-ec.3" },
    ],
    when: {
      allOf: [
        CONSOLE_RUNS,
        {
          get: "config.openshift.io/v1/clusterversions",
          name: "version",
          where: {
            allOf: [WITH_CONSOLE, LAST_OFFER, buildConditionTest("Upgradeable", "False")],
          },
        },
      ],
    },
    title: "The console's cluster settings page breaks",
    message:
      "The cluster reports Upgradeable=False and is offered no later update than {target}, whose console can't show its cluster settings page in that state; 'oc adm upgrade' still works",
    remedy: "resolve what makes the cluster not upgradeable (oc adm upgrade shows it)",
    url: "https://issues.redhat.com/browse/CONSOLE-3428",
  },
  {
    id: "console-missing-plugin",
    name: "ConsolePluginMissing",
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
    title: "The console names a plugin that doesn't exist",
    message:
      "The console's configuration names a plugin in spec.plugins without a ConsolePlugin, which may make the console of {target} crash repeatedly",
    remedy: "remove the plugin's name from spec.plugins (oc edit consoles.operator.openshift.io cluster)",
    fix: { kinds: ["Console"], command: "edit {object}" },
    url: "https://issues.redhat.com/browse/CONSOLE-4762",
  },
  {
    id: "console-grey-status",
    name: "ConsoleControlPlaneStatusGrey",
    published: ["ControlPlaneStatusGreyIcon"],
    versions: [{ first: "4.20.23", last: "4.20.24", fixedIn: "4.20.25" }],
    when: { allOf: [{ hosted: false }, { capability: "Console" }, CONSOLE_RUNS] },
    title: "The console doesn't show the control plane's status",
    message:
      "The console of {target} always shows the status of the control plane in grey, even if all cluster operators are healthy; nothing else is affected",
    url: "https://redhat.atlassian.net/browse/CONSOLE-5337",
  },
  {
    id: "console-target-down",
    name: "ConsoleTargetAlwaysDown",
    published: ["ConsoleEnabledTargetDownAlert"],
    versions: [
      ...backported(["4.17.29", "4.17.34", "4.17.35"], ["4.18.12", "4.18.17", "4.18.18"]),
      { first: "4.19.0", last: "4.19.0", sources: [{ from: "4.18.0-0", before: "4.18.12" }], fixedIn: "4.19.1" },
    ],
    when: { allOf: [{ capability: "Console" }, CONSOLE_RUNS] },
    title: "An alert of the console's metrics never ends",
    message:
      "Monitoring of {target} can't scrape the console's metrics, and the alert TargetDown fires until the next update",
    url: "https://issues.redhat.com/browse/CONSOLE-4632",
  },
];
