import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { checksSettings, foundChecksSettings } from "../../settings/checks-settings.ts";
import { clusterSettings, targetSettings } from "../../settings/shared-settings.ts";

export const list = {
  name: "list",
  describe: "List the checks",
  settings: {
    ...targetSettings,
    ...checksSettings,
    ...foundChecksSettings,
    ...clusterSettings,
    output: {
      alias: "o",
      group: "output",
      placeholder: "FORMAT",
      default: "table",
      choices: ["table", "json"],
      describe: "Output format",
    },
  },
  examples: [
    { command: "preflight list", describe: "List the checks" },
    { command: "preflight list -o json", describe: "List the checks with all their metadata, for scripts" },
    { command: "preflight list --target DIR", describe: "With the checks that the target's components bring" },
    {
      command: "preflight list --checks-from payload,operators",
      describe: "With the checks that the operators of the current cluster bring",
    },
  ],
  process: "short",
} as const satisfies CommandDefinition;

export type ListValues = CommandValues<typeof list>;
