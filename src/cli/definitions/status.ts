import { defineCommand } from "../command-line/command.ts";
import { connectionSettings } from "../command-line/shared-settings.ts";
import type { Settings, ValuesOf } from "../command-line/setting.ts";

const statusSettings = { ...connectionSettings } as const satisfies Settings;

export type StatusValues = ValuesOf<typeof statusSettings>;

export const status = defineCommand({
  name: "status",
  describe: "Show the state of the preflight and its result",
  settings: statusSettings,
  examples: [],
  load: () => import("../commands/status.ts"),
});
