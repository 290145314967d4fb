import type { CommandDefinition, CommandValues } from "../../settings/command.ts";

export const validate = {
  name: "validate",
  describe: "Validate a document against the schema of preflight-v1-json",
  settings: {},
  operand: { name: "file", describe: "File with the document" },
  examples: [
    { command: "preflight validate preflight-v1.json", describe: "Validate a document that the runner wrote" },
  ],
  exitCodes: {
    0: "the document is valid",
    1: "it is not, or can't be read",
    2: "wrong usage",
    4: "it is valid, but from a time that has not come yet",
  },
  process: "short",
} as const satisfies CommandDefinition;

export type ValidateValues = CommandValues<typeof validate>;
