import { defineCommand } from "../command-line/command.ts";
import { connectionSettings } from "../command-line/shared-settings.ts";

export const updateStatusController = defineCommand({
  name: "update-status-controller",
  describe: "Publish the status insight about ClusterVersion in a ConfigMap, until stopped",
  settings: connectionSettings,
  examples: [],
  load: () => import("../commands/update-status-controller.ts"),
});
