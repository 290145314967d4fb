import { defineCommand, type Settings, type ValuesOf } from "../../settings/command.ts";
import { namedConfigSettings, readLimitSettings } from "../../settings/config-settings.ts";
import { registrySettings } from "../../settings/image-settings.ts";
import { connectionSettings, recordedSettings, updateGraphSettings } from "../../settings/shared-settings.ts";
import { planSettings } from "../plan/definition.ts";

/** Handed on to each check and plan. */
export const handedOnSettings = {
  ...updateGraphSettings,
  ...registrySettings,
  ...connectionSettings,
  ...recordedSettings,
  ...readLimitSettings,
  ...namedConfigSettings,
} as const satisfies Settings;

const mcpSettings = {
  ...handedOnSettings,
  release: {
    ...planSettings.release,
    describe: "Folder of a release, for a place without an update service; give it once for each",
  },
} as const satisfies Settings;

export type McpValues = ValuesOf<typeof mcpSettings>;

export const mcp = defineCommand({
  name: "mcp",
  describe: "Serve checks to an assistant (Model Context Protocol, on stdio)",
  settings: mcpSettings,
  examples: [
    { command: "preflight mcp", describe: "Serve for the kubeconfig; assistants start this command themselves" },
    { command: "preflight mcp --context staging", describe: "Serve one cluster only" },
  ],
  process: "service",
  load: () => import("./run.ts"),
});
