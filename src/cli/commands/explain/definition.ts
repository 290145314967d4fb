import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { checksSettings } from "../../settings/shared-settings.ts";

export const explain = {
  name: "explain",
  describe: "Explain a check or a risk",
  settings: checksSettings,
  operand: {
    name: "name",
    placeholder: "CHECK|RISK",
    describe: "Id of a check, or name of a risk",
  },
  examples: [
    { command: "preflight explain CgroupV1Removed", describe: "Explain a risk: whom it concerns, and what to do" },
    { command: "preflight explain crd-skew", describe: "Explain a check, and list its risks" },
  ],
  process: "short",
} as const satisfies CommandDefinition;

export type ExplainValues = CommandValues<typeof explain>;
