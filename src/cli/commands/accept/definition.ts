import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { connectionSettings } from "../../settings/shared-settings.ts";

export const accept = {
  name: "accept",
  describe: "Accept risks in ClusterVersion, or stop accepting them",
  settings: {
    replace: { group: "output", type: "boolean", default: false, describe: "Accept these risks and no others" },
    clear: { group: "output", type: "boolean", default: false, describe: "Stop accepting all risks" },
    ...connectionSettings,
  },
  operand: {
    name: "risks",
    placeholder: "RISK",
    describe: "Names of risks, separated by commas; NAME- stops accepting a risk",
    isOptional: true,
  },
  examples: [
    { command: "preflight accept A,B-", describe: "Accept the risk A and stop accepting B" },
    { command: "preflight accept --clear", describe: "Stop accepting all risks" },
  ],
  process: "short",
} as const satisfies CommandDefinition;

export type AcceptValues = CommandValues<typeof accept>;
