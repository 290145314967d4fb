import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { VERDICT_EXIT_CODES } from "../../settings/exit-codes.ts";
import { connectionSettings } from "../../settings/shared-settings.ts";

export const status = {
  name: "status",
  describe: "Show the state of the preflight and its result",
  settings: {
    output: {
      alias: "o",
      group: "output",
      placeholder: "FORMAT",
      default: "text",
      choices: ["text", "json"],
      describe: "Output format",
    },
    wait: {
      group: "output",
      type: "duration",
      bareValue: "30m",
      describe: "Wait until the requested preflight has a result or has failed; --wait alone waits for up to 30m",
    },
    ...connectionSettings,
  },
  examples: [
    {
      command: "preflight request --to 5.2.0 && preflight status --wait=15m",
      describe: "Wait for the result; exit with 3 if it has a risk that is not accepted",
    },
  ],
  exitCodes: { ...VERDICT_EXIT_CODES, 4: "no unaccepted risk, but no current and complete result" },
  process: "long",
} as const satisfies CommandDefinition;

export type StatusValues = CommandValues<typeof status>;
