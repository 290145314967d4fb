import { defineCommand, type Settings, type ValuesOf } from "../command-line/command.ts";

const listSettings = {
  output: { alias: "o", type: "string", default: "table", choices: ["table", "json"], describe: "Output format" },
} as const satisfies Settings;

export type ListValues = ValuesOf<typeof listSettings>;

export const list = defineCommand({
  name: "list",
  describe: "List the checks",
  settings: listSettings,
  examples: [],
  load: () => import("../commands/list.ts"),
});
