import { checks } from "../../checks/index.ts";
import { getUnknownRiskName } from "../../model/check.ts";
import type { Candidate } from "./complete.ts";

export function listChecks(): readonly Candidate[] {
  return checks.map(({ id, title }) => ({ word: id, describe: title }));
}

export function listRisks(): readonly Candidate[] {
  return checks.flatMap((check) => [
    ...check.risks.map(({ name, title }) => ({ word: name, describe: title })),
    { word: getUnknownRiskName(check), describe: `The check ${check.id} could not be completed` },
  ]);
}
