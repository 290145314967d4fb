import { checks } from "../../checks/index.ts";
import { getUnknownRiskName } from "../../model/check.ts";
import { UNSEEN_RISK_TITLES } from "../../model/unseen.ts";
import type { Candidate } from "./complete.ts";

export function listChecks(): readonly Candidate[] {
  return checks.map(({ id, title }) => ({ word: id, describe: title }));
}

export function listRisks(): readonly Candidate[] {
  const ofChecks = checks.flatMap((check) => [
    ...check.risks.map(({ name, title }) => ({ word: name, describe: title })),
    { word: getUnknownRiskName(check), describe: `The check ${check.id} could not be completed` },
  ]);
  return [...ofChecks, ...Object.entries(UNSEEN_RISK_TITLES).map(([word, describe]) => ({ word, describe }))];
}
