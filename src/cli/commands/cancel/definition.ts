import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { connectionSettings } from "../../settings/shared-settings.ts";

export const cancel = {
  name: "cancel",
  describe: "Withdraw the request for a preflight",
  settings: connectionSettings,
  examples: [{ command: "preflight cancel", describe: "Withdraw the request of the current cluster" }],
  process: "short",
} as const satisfies CommandDefinition;

export type CancelValues = CommandValues<typeof cancel>;
