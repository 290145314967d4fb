import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { selectionSettings } from "../../settings/checks-settings.ts";
import { namedConfigSettings } from "../../settings/config-settings.ts";
import { clusterSettings, targetSettings } from "../../settings/shared-settings.ts";
import { promqlSettings } from "../../settings/promql-settings.ts";

export const rbac = {
  name: "rbac",
  describe: "Print the rights that the checks need, as a ClusterRole",
  settings: {
    ...targetSettings,
    "feature-set": {
      group: "target",
      default: "Default",
      choices: ["Default", "TechPreviewNoUpgrade", "DevPreviewNoUpgrade", "CustomNoUpgrade", "OKD"],
      describe: "Feature set of the cluster, which decides which kinds the target has",
    },
    ...selectionSettings,
    ...clusterSettings,
    config: { ...namedConfigSettings.config, describe: "File that lets the checks of operators read more" },
    promql: {
      ...promqlSettings.promql,
      describe: "Print the rights to ask the cluster's monitoring over its Route or its Service, as --promql does",
    },
    "bind-to": {
      group: "output",
      placeholder: "USER",
      describe:
        "User, such as system:serviceaccount:NAMESPACE:NAME, to bind the role to: prints a ClusterRole and a ClusterRoleBinding of their own, called preflight-reader. It includes the mirrors, certificate authorities and proxy that --to and --to-image read",
    },
  },
  examples: [
    { command: "preflight rbac --target DIR | oc apply -f -", describe: "Grant the exact rights for a target" },
    {
      command: "preflight rbac --bind-to system:serviceaccount:ci:updater | oc apply -f -",
      describe: "Let a service account run every check, also with --to",
    },
    {
      command: "preflight rbac --checks-from payload,operators | oc apply -f -",
      describe: "Let the runner read the checks of the current cluster's operators, and what they need",
    },
  ],
  process: "short",
} as const satisfies CommandDefinition;

export type RbacValues = CommandValues<typeof rbac>;
