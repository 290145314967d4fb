import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { checksSettings, foundChecksSettings } from "../../settings/checks-settings.ts";
import { clusterSettings, targetSettings } from "../../settings/shared-settings.ts";

export const explain = {
  name: "explain",
  describe: "Explain a check or a risk, or find those that have some words",
  settings: { ...targetSettings, ...checksSettings, ...foundChecksSettings, ...clusterSettings },
  operand: {
    name: "words",
    placeholder: "CHECK|RISK",
    describe: "Name of a check or a risk, or words that their names and titles have",
    isList: true,
  },
  examples: [
    { command: "preflight explain CgroupV1Removed", describe: "Explain a risk: whom it concerns, and what to do" },
    { command: "preflight explain crd-skew", describe: "Explain a check, and list its risks" },
    { command: "preflight explain disruption budget", describe: "List the checks and risks that have both words" },
  ],
  process: "short",
} as const satisfies CommandDefinition;

export type ExplainValues = CommandValues<typeof explain>;
