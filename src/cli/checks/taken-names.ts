import { checks } from "../../checks/index.ts";
import { FURTHER_RISKS } from "../../model/document.ts";
import { RUNNER_ALERTS } from "../../model/preflight-mark.ts";
import { listCheckRiskNames } from "./risk-names.ts";

/** The names of checks and risks that no other check may have. */
export function listTakenNames(): ReadonlySet<string> {
  return new Set([...checks.map(({ id }) => id), ...listCheckRiskNames(checks), FURTHER_RISKS, ...RUNNER_ALERTS]);
}
