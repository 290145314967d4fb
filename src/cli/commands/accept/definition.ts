import { defineCommand, type Operand, type Settings, type ValuesOf } from "../../settings/command.ts";
import { connectionSettings } from "../../settings/shared-settings.ts";

const acceptSettings = {
  replace: { group: "output", type: "boolean", default: false, describe: "Accept these risks and no others" },
  clear: { group: "output", type: "boolean", default: false, describe: "Stop accepting all risks" },
  ...connectionSettings,
} as const satisfies Settings;

const acceptOperand = {
  name: "risks",
  placeholder: "RISK",
  describe: "Names of risks, separated by commas; NAME- stops accepting a risk",
  isOptional: true,
} as const satisfies Operand;

export type AcceptValues = ValuesOf<typeof acceptSettings, typeof acceptOperand>;

export const accept = defineCommand({
  name: "accept",
  describe: "Accept risks in ClusterVersion, or stop accepting them",
  settings: acceptSettings,
  operand: acceptOperand,
  examples: [
    { command: "preflight accept A,B-", describe: "Accept the risk A and stop accepting B" },
    { command: "preflight accept --clear", describe: "Stop accepting all risks" },
  ],
  process: "short",
  load: () => import("./run.ts"),
});
