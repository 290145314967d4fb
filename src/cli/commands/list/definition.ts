import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { checksSettings } from "../../settings/shared-settings.ts";

export const list = {
  name: "list",
  describe: "List the checks",
  settings: {
    ...checksSettings,
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
  ],
  process: "short",
} as const satisfies CommandDefinition;

export type ListValues = CommandValues<typeof list>;
