import { defineCommand, type Settings, type ValuesOf } from "../../settings/command.ts";
import { connectionSettings, listenSettings } from "../../settings/shared-settings.ts";

const statusControllerSettings = { ...listenSettings, ...connectionSettings } as const satisfies Settings;

export type StatusControllerValues = ValuesOf<typeof statusControllerSettings>;

export const updateStatusController = defineCommand({
  name: "update-status-controller",
  describe: "Publish the status insight about ClusterVersion until stopped",
  settings: statusControllerSettings,
  examples: [
    {
      command: "preflight update-status-controller --kubeconfig FILE",
      describe: "Publish the insight from outside the cluster",
    },
  ],
  process: "service",
  load: () => import("./run.ts"),
});
