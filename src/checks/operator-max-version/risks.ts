import { readRisks } from "../shared/risks.ts";

export const risks = readRisks("operator-max-version", {
  OperatorIncompatibleWithNextMinor: {},
  OperatorIncompatibleWithTarget: {},
  OperatorMaxOpenShiftVersionInvalid: {},
});
