import { readRisks } from "../shared/risks.ts";

export const risks = readRisks("control-plane-nodes", {
  ControlPlaneNodeUnusable: {},
  HighlyAvailableControlPlaneIncomplete: {},
});
