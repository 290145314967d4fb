import { readRisks } from "../shared/risks.ts";
import { formatDegradations } from "./degradation.ts";

export const risks = readRisks("machine-config-pools", {
  DegradedMachineConfigPool: {
    message: {
      reported: (findings) => {
        const reported = formatDegradations(findings);
        return reported === "" ? "" : ` ${reported}.`;
      },
    },
  },
  MachineConfigPoolImageBuildInterrupted: {},
  MachineConfigPoolMaxUnavailableUnusable: {},
  PausedMachineConfigPoolLeftBehind: {},
  RequiredMachineConfigPoolPaused: {},
});
