import type { CheckSetValues } from "../../checks/check-set.ts";
import { formats } from "../../../format/index.ts";
import type { CommandDefinition, CommandValues, Settings, ValuesOf } from "../../settings/command.ts";
import { VERDICT_EXIT_CODES } from "../../settings/command.ts";
import { hostedClusterSettings } from "../../settings/hosted-settings.ts";
import { judgingSettings } from "../../settings/judging-settings.ts";
import { releaseSettings } from "../../settings/release-settings.ts";
import * as shared from "../../settings/shared-settings.ts";

export const checkSettings = {
  ...releaseSettings,
  ...shared.clusterSettings,
  ...hostedClusterSettings,
  ...shared.promqlSettings,
  ...shared.outputSettings(
    formats,
    "Output format, and others for files: -o table -o html=report.html -o junit=out.xml",
  ),
  ...shared.acceptSettings,
  ...shared.verboseSettings,
  quiet: {
    group: "output",
    isRepeated: false,
    type: "boolean",
    default: false,
    describe: "Print only the names of the risks that are not accepted",
  },
  ...shared.failOnSettings(),
  ...judgingSettings,
} as const satisfies Settings;

/** The values for one target. */
export type CheckValues = ValuesOf<typeof checkSettings>;
export type LoadedCheckValues = CheckValues & CheckSetValues;

export const check = {
  name: "check",
  describe: "Run the checks once and print the result",
  /** Each flag that names a target may be given several times. */
  settings: {
    ...checkSettings,
    to: {
      ...checkSettings.to,
      type: "list",
      describe: `${checkSettings.to.describe}; give it several times to see releases side by side, from one read of the cluster`,
    },
    target: { ...checkSettings.target, type: "list" },
    "target-version": { ...checkSettings["target-version"], type: "list" },
    "to-image": { ...checkSettings["to-image"], type: "list" },
    recheck: {
      group: "checks",
      isRepeated: false,
      placeholder: "RESULT",
      describe:
        "Run again only what was open in an earlier result of this cluster and target (a file of -o json, a runner's document, or -), and say of each risk whether it is fixed, still there or new; what was clear then is not run again, and the result is not complete",
    },
    all: {
      group: "checks",
      isRepeated: false,
      type: "boolean",
      default: false,
      describe: "With --recheck: run all checks, so that the result can be complete",
    },
    manifests: {
      group: "cluster",
      isRepeated: false,
      type: "list",
      placeholder: "PATH",
      describe:
        "Files and folders that the cluster's objects come from: each finding then shows where its object stands in them, and whether they bring the fault back (separated by commas)",
    },
    watch: {
      group: "output",
      isRepeated: false,
      type: "boolean",
      default: false,
      describe:
        "Look again whenever something changes that was read, until Ctrl-C: the first screen stays current in a terminal; a pipe gets a line for each risk that comes, goes or changes",
    },
  },
  examples: [
    { command: "preflight check --to 4.20", describe: "Check the newest recommended release of a minor" },
    { command: "preflight check --to 4.19.12 --to 4.20", describe: "See two releases side by side" },
    { command: "preflight check --target DIR", describe: "Check the current cluster against an extracted release" },
    {
      command: "preflight check --to-image quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64",
      describe: "Check against a release image in a registry",
    },
    { command: "preflight check --target-version 4.20.3", describe: "Run the checks that need no manifests" },
    {
      command: "preflight check --target DIR --accept RISK --fail-on risk",
      describe: "Accept a risk; exit with 3 if another one is found",
    },
    {
      command: "preflight check --hosted-cluster clusters/guest --to 4.21",
      describe: "Check a hosted cluster and its NodePools, on their management cluster",
    },
    {
      command: "preflight check --to 4.20.8 --recheck result.json",
      describe: "Say what has been fixed since an earlier result (-o json=result.json)",
    },
    {
      command: "preflight check --to 4.20.8 --manifests deploy/",
      describe: "Show beside each fix the file that the object comes from",
    },
    { command: "preflight check --to 4.20.8 --watch", describe: "See each risk go while you mend it" },
  ],
  exitCodes: VERDICT_EXIT_CODES,
  endsWhenStopped: "watch",
  process: "supervised",
} as const satisfies CommandDefinition;

export type CheckCommandValues = CommandValues<typeof check>;
