import { defineCommand, type Settings, type ValuesOf } from "../../settings/command.ts";

const listSettings = {
  output: {
    alias: "o",
    group: "output",
    placeholder: "FORMAT",
    type: "string",
    default: "table",
    choices: ["table", "json"],
    describe: "Output format",
  },
} as const satisfies Settings;

export type ListValues = ValuesOf<typeof listSettings>;

export const list = defineCommand({
  name: "list",
  describe: "List the checks",
  settings: listSettings,
  examples: [
    { command: "preflight list", describe: "List the checks" },
    { command: "preflight list -o json", describe: "List the checks with all their metadata, for scripts" },
  ],
  process: "short",
  load: () => import("./run.ts"),
});
