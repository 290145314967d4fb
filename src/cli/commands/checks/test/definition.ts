import type { CommandDefinition, CommandValues } from "../../../settings/command.ts";
import { outputSettings } from "../../../settings/shared-settings.ts";
import { testFormats } from "./formats.ts";

export const testChecks = {
  name: "checks test",
  describe: "Run the cases of checks, and name what no case decides",
  settings: {
    update: {
      group: "checks",
      type: "boolean",
      default: false,
      describe: "Write into each case what the check reports, instead of comparing the two",
    },
    only: {
      group: "checks",
      placeholder: "CASE",
      type: "list",
      describe: "Run only these cases (names without .yaml, separated by commas), and require no others",
    },
    ...outputSettings(testFormats, "Output format, and others for files", "text"),
  },
  operand: {
    name: "folder",
    placeholder: "DIR",
    describe: "Folder with a check and its cases (cases/OUTCOME-WHY.yaml), or with such folders",
  },
  examples: [
    { command: "preflight checks test my-check", describe: "Run all cases of a check" },
    {
      command: "preflight checks test my-check --update",
      describe: "Write what the cases expect, to be read in a diff",
    },
  ],
  exitCodes: {
    0: "every case reports what it expects, and none is missing",
    1: "a file can't be read",
    2: "wrong usage",
    3: "a case reports something else, a case is missing, or a check has an error",
  },
  process: "long",
} as const satisfies CommandDefinition;

export type TestChecksValues = CommandValues<typeof testChecks>;
