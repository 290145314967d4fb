import type { CommandDefinition, CommandValues } from "../../../settings/command.ts";

export const packChecks = {
  name: "checks pack",
  describe: "Pack checks, or a list of known bugs, as an artefact for a registry (OCI layout)",
  settings: {
    output: {
      alias: "o",
      group: "output",
      placeholder: "FILE",
      isRequired: true,
      describe: "File to write, which ends with .tar; the same input gives the same bytes",
    },
  },
  operand: {
    name: "folder",
    placeholder: "DIR",
    describe: "Folder with checks and their cases, or with a list of known bugs",
  },
  examples: [
    { command: "preflight checks pack bugs -o bugs.tar", describe: "Pack a list of known bugs, and print its digest" },
    {
      command: "preflight check --known-bugs bugs.tar --to 4.20",
      describe: "Use it, without a registry",
    },
  ],
  exitCodes: {
    0: "the file is written",
    1: "a file can't be read or written",
    2: "wrong usage",
    3: "a check or an entry has an error",
  },
  process: "long",
} as const satisfies CommandDefinition;

export type PackChecksValues = CommandValues<typeof packChecks>;
