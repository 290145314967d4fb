import { defineCommand } from "../command-line/command.ts";

export const completion = defineCommand({
  name: "completion",
  describe: "Print a completion script for bash",
  settings: {},
  examples: [{ command: "source <(preflight completion)", describe: "Complete commands and flags in this shell" }],
  load: () => import("../commands/completion.ts"),
});
