import type { CommandDefinition, CommandValues } from "../../../settings/command.ts";
import { outputSettings } from "../../../settings/shared-settings.ts";
import { faultFormats } from "./formats.ts";

export const lintChecks = {
  name: "checks lint",
  describe: "Find mistakes in files with checks, without a cluster",
  settings: {
    ...outputSettings(faultFormats, "Output format, and others for files: -o text -o sarif=checks.sarif", "text"),
    as: {
      group: "checks",
      default: "site",
      choices: ["site", "payload"],
      describe:
        "Whose checks they are: an administrator's, or of a release's payload, whose risks have no prefix and may be refused",
    },
    strict: {
      group: "output",
      type: "boolean",
      default: false,
      describe: "Exit with 4 if there are only warnings",
    },
  },
  operand: {
    name: "files",
    placeholder: "FILE|DIR",
    describe:
      "Files with checks or a list of known bugs, folders with such files (*.yaml) except in folders called cases, or manifests of a release with ConfigMaps of checks",
    isList: true,
  },
  examples: [
    { command: "preflight checks lint my-check", describe: "List the mistakes with their lines and columns" },
    {
      command: "preflight checks lint checks/ --strict -o text -o sarif=checks.sarif",
      describe: "The same in a pipeline, with a file for GitHub's code scanning",
    },
    {
      command: "preflight checks lint manifests/0000_50_preflight-checks.yaml",
      describe: "Check what a release ships",
    },
  ],
  exitCodes: {
    0: "no mistakes",
    1: "a file can't be read",
    2: "wrong usage",
    3: "a check with an error, which would not run",
    4: "only warnings, with --strict",
  },
  process: "long",
} as const satisfies CommandDefinition;

export type LintChecksValues = CommandValues<typeof lintChecks>;
