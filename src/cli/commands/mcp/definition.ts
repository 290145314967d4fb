import type { CommandDefinition, CommandValues, Settings } from "../../settings/command.ts";
import * as judging from "../../settings/judging-settings.ts";
import { registrySettings } from "../../settings/release-settings.ts";
import { clusterSettings, updateGraphSettings } from "../../settings/shared-settings.ts";
import { plan } from "../plan/definition.ts";

/** Handed on to each check and plan. */
export const handedOnSettings = {
  ...updateGraphSettings,
  ...registrySettings,
  ...clusterSettings,
  ...judging.readLimitSettings,
  ...judging.namedConfigSettings,
  ...judging.checksSettings,
  ...judging.foundChecksSettings,
} as const satisfies Settings;

export const mcp = {
  name: "mcp",
  describe: "Serve checks to an assistant (Model Context Protocol, on stdio)",
  settings: {
    ...handedOnSettings,
    release: {
      ...plan.settings.release,
      describe: "Folder of a release, for a place without an update service; give it once for each",
    },
  },
  examples: [
    { command: "preflight mcp", describe: "Serve for the kubeconfig; assistants start this command themselves" },
    { command: "preflight mcp --context staging", describe: "Serve one cluster only" },
  ],
  process: "service",
} as const satisfies CommandDefinition;

export type McpValues = CommandValues<typeof mcp>;
