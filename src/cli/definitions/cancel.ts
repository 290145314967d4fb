import { defineCommand } from "../command-line/command.ts";
import { connectionSettings } from "../command-line/shared-settings.ts";
import type { ConnectionValues } from "../command-line/shared-settings.ts";

export type CancelValues = ConnectionValues;

export const cancel = defineCommand({
  name: "cancel",
  describe: "Withdraw the request for a preflight",
  settings: connectionSettings,
  examples: [],
  load: () => import("../commands/cancel.ts"),
});
