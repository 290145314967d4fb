import { readRisks } from "../shared/risks.ts";

export const risks = readRisks("runc-default", { RuncConfiguredForRhel10: {} });
