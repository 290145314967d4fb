import { checks } from "../../checks/index.ts";
import type { Check } from "../../model/check.ts";
import { FURTHER_RISKS } from "../../model/document.ts";
import { RUNNER_ALERTS } from "../../model/preflight-mark.ts";
import { listCheckRiskNames } from "./risk-names.ts";

/** The names of checks and risks that no other check may have. */
export function listTakenNames(ours: readonly Check[] = checks): ReadonlySet<string> {
  return new Set([...ours.map(({ id }) => id), ...listCheckRiskNames(ours), FURTHER_RISKS, ...RUNNER_ALERTS]);
}
