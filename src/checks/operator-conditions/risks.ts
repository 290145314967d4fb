import { readRisks } from "../shared/risks.ts";

export const risks = readRisks("operator-conditions", { OperatorRefusesUpdates: {}, OperatorUpdatesNotResolved: {} });
