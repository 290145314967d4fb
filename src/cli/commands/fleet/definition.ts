import { fleetFormats } from "../../../format/fleet/index.ts";
import type { CheckSetValues } from "../../checks/check-set.ts";
import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { hostedClustersSettings } from "../../settings/hosted-settings.ts";
import { judgingSettings } from "../../settings/judging-settings.ts";
import { releaseSettings } from "../../settings/release-settings.ts";
import * as shared from "../../settings/shared-settings.ts";

export const fleet = {
  name: "fleet",
  describe: "Check many clusters and print them by their risks",
  settings: {
    ...releaseSettings,
    kubeconfig: {
      ...shared.connectionSettings.kubeconfig,
      placeholder: "FILE|DIR",
      type: "list",
      describe: "Kubeconfig files of the clusters, or folders of them (separated by commas)",
      defaultText: "~/.kube/config",
    },
    context: {
      group: "cluster",
      placeholder: "CONTEXT",
      type: "list",
      describe: "Only these contexts of the kubeconfigs; * stands for any text (separated by commas)",
      defaultText: "every context; those with the same server and user count once",
    },
    ...hostedClustersSettings,
    ...shared.promqlSettings,
    share: {
      env: "PREFLIGHT_SHARE",
      group: "cluster",
      placeholder: "INDEX/COUNT",
      describe: "Check only share INDEX (from 0) of COUNT, for an Indexed Job",
    },
    from: {
      group: "cluster",
      placeholder: "DIR|FILE",
      type: "list",
      describe:
        "Read no cluster: show the results in these folders or files, as clusters wrote them (preflight-v1-json, check -o json, or a list of ConfigMaps or ManifestWorks that hold them), and check the recordings and must-gathers there; ManagedClusters of a hub say the labels",
    },
    "group-by": {
      group: "output",
      placeholder: "label=KEY|name=PART|FILE",
      describe:
        "Group the clusters by a label of their ManagedClusters (label=region), by a part of their names (name=1 is prod of prod-eu-1), or by a file of your own (GROUP: [NAME, 'prefix-*'])",
    },
    since: {
      group: "output",
      placeholder: "DIR|FILE",
      type: "list",
      describe:
        "Say what has changed since these earlier results: folders of them, or files of 'fleet -o json', one for each time",
    },
    results: {
      group: "output",
      placeholder: "DIR",
      defaultText: "preflight-fleet, where each run reads every cluster",
      describe: "Folder of the results, one file for each cluster; a run that was stopped goes on with it",
    },
    "max-age": {
      group: "limits",
      type: "duration",
      canBeZero: true,
      describe: "Age up to which a result counts: an older one is read again or, with --from, shown as stale",
      defaultText: "1h; with --from 24h",
    },
    parallel: {
      env: "PREFLIGHT_PARALLEL",
      group: "limits",
      type: "number",
      default: 4,
      range: [1, 64],
      describe: "Number of clusters that are checked at the same time, from 1 to 64",
    },
    "cluster-timeout": {
      group: "limits",
      type: "duration",
      default: "10m",
      foundRange: ["10m", "2h"],
      describe: "Time limit for each cluster, after which its check is ended",
    },
    ...shared.outputSettings(
      fleetFormats,
      "Output format, and others for files: -o table -o html=fleet.html -o csv=fleet.csv",
    ),
    ...shared.acceptSettings,
    ...shared.verboseSettings,
    ...shared.failOnSettings(
      "if a cluster has a risk (3), or also if a cluster could not be checked or a check could not complete (4)",
    ),
    ...judgingSettings,
  },
  examples: [
    { command: "preflight fleet --to 4.20", describe: "Check the clusters of all contexts" },
    { command: "preflight fleet --to 4.20 --kubeconfig DIR", describe: "Check a folder of kubeconfigs" },
    {
      command: "preflight fleet --to 4.20 --context 'prod-*' -o html=fleet.html",
      describe: "Write a page about some contexts",
    },
    {
      command: "preflight fleet --to 4.21 --hosted-clusters",
      describe: "Check the hosted clusters of the management clusters",
    },
    { command: "preflight fleet --from DIR", describe: "Show what clusters wrote, without reading any" },
    {
      command: "preflight fleet --from DIR --group-by name=1 --since april.json",
      describe: "Group them by the first part of their names, and say what has changed",
    },
  ],
  exitCodes: {
    0: "no cluster has an unaccepted risk",
    1: "the preflight failed",
    2: "wrong usage",
    3: "a cluster has an unaccepted risk",
    4: "no cluster has an unaccepted risk, but one has no current and complete result, or there is none",
  },
  process: "long",
} as const satisfies CommandDefinition;

export type FleetValues = CommandValues<typeof fleet>;
export type LoadedFleetValues = FleetValues & CheckSetValues;
