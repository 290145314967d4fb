import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { selectionSettings, targetSettings } from "../../settings/shared-settings.ts";

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
  ],
  process: "short",
} as const satisfies CommandDefinition;

export type RbacValues = CommandValues<typeof rbac>;
