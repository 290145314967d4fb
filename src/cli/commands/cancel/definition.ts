import { defineCommand } from "../../settings/command.ts";
import { connectionSettings } from "../../settings/shared-settings.ts";
import type { ConnectionValues } from "../../settings/shared-settings.ts";

export type CancelValues = ConnectionValues;

export const cancel = defineCommand({
  name: "cancel",
  describe: "Withdraw the request for a preflight",
  settings: connectionSettings,
  examples: [{ command: "preflight cancel", describe: "Withdraw the request of the current cluster" }],
  process: "short",
  load: () => import("./run.ts"),
});
