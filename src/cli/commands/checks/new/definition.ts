import type { CommandDefinition, CommandValues } from "../../../settings/command.ts";

export const newCheck = {
  name: "checks new",
  describe: "Write a check that works, with its cases, to change into your own",
  settings: {},
  operand: [
    { name: "id", placeholder: "NAME", describe: "Name of the check: small letters, digits and dashes" },
    { name: "folder", placeholder: "DIR", describe: "Folder to write to (default: NAME)", isOptional: true },
  ],
  examples: [
    { command: "preflight checks new widget-drivers", describe: "Write a check to the folder widget-drivers" },
  ],
  process: "long",
} as const satisfies CommandDefinition;

export type NewCheckValues = CommandValues<typeof newCheck>;
