import { type Json, textAt } from "../../model/json.ts";

/** The texts of a condition, "" for each that is missing; `since` is its last transition. */
export type ConditionTexts = {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly since: string;
};

export function parseConditionTexts(condition: Json | undefined): ConditionTexts {
  const getText = (key: string): string => textAt(condition, key) ?? "";
  return {
    status: getText("status"),
    reason: getText("reason"),
    message: getText("message"),
    since: getText("lastTransitionTime"),
  };
}
