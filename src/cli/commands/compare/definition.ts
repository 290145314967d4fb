import { comparisonFormats } from "../../../format/comparison/index.ts";
import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { acceptSettings, failOnSettings, outputSettings } from "../../settings/shared-settings.ts";

export const compare = {
  name: "compare",
  describe: "Compare two results: what is new, gone or no longer known",
  settings: {
    ...outputSettings(comparisonFormats, "Output format, and others for files: -o table -o json=comparison.json"),
    accept: {
      ...acceptSettings.accept,
      describe: "Risks to accept besides those that the results say are accepted (names, separated by commas)",
    },
    ...failOnSettings(
      "for a risk that is new or worse (3), or also if less is known than before, or less than everything (4)",
    ),
  },
  operand: [
    {
      name: "old",
      placeholder: "OLD",
      describe: "File with the earlier result: what 'preflight check -o json' printed, or a document; - for stdin",
    },
    { name: "new", placeholder: "NEW", describe: "File with the later result, or - for stdin" },
  ],
  examples: [
    { command: "preflight compare old.json new.json", describe: "Compare two results of 'preflight check -o json'" },
    {
      command: "preflight check --to 4.20 -o json | preflight compare old.json -",
      describe: "Compare the cluster as it is with an earlier result",
    },
  ],
  exitCodes: {
    0: "nothing is worse",
    1: "a result can't be read",
    2: "wrong usage",
    3: "an unaccepted risk is new, or worse than before",
    4: "no such risk, but less is known than before, or the new result is not complete",
  },
  process: "long",
} as const satisfies CommandDefinition;

export type CompareValues = CommandValues<typeof compare>;
