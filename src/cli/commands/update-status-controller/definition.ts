import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { connectionSettings, listenSettings } from "../../settings/shared-settings.ts";

export const updateStatusController = {
  name: "update-status-controller",
  describe: "Publish the status insight about ClusterVersion until stopped",
  settings: { ...listenSettings, ...connectionSettings },
  examples: [
    {
      command: "preflight update-status-controller --kubeconfig FILE",
      describe: "Publish the insight from outside the cluster",
    },
  ],
  process: "service",
} as const satisfies CommandDefinition;

export type StatusControllerValues = CommandValues<typeof updateStatusController>;
