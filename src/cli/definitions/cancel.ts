import { defineCommand } from "../command-line/command.ts";
import { connectionSettings } from "../command-line/shared-settings.ts";
import type { ConnectionValues } from "../command-line/shared-settings.ts";

export type CancelValues = ConnectionValues;

export const cancel = defineCommand({
  name: "cancel",
  describe: "Withdraw the request for a preflight",
  settings: connectionSettings,
  examples: [{ command: "preflight cancel", describe: "Withdraw the request of the current cluster" }],
  load: () => import("../commands/cancel.ts"),
});
