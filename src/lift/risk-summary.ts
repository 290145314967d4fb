import { APPLIES } from "./objects/condition.ts";
import { type JsonObject, listAt, textAt } from "../model/json.ts";
import { findConditionIn } from "../model/conditions.ts";
import { nameOf, risksOf } from "./objects/cluster-updates.ts";
import { findOrigin } from "./objects/risk-prefix.ts";
import { defined } from "../model/optional.ts";

/** One risk of an update, as shown to an administrator. */
export type RiskSummary = {
  readonly name: string;
  readonly message: string;
  readonly url: string;
  readonly applies: "True" | "False" | "Unknown";
  /** The transition time, RFC 3339, if known. */
  readonly since?: string;
  readonly isAccepted: boolean;
  /** Whether a preflight found it, not another source. */
  readonly isPreflight: boolean;
};

/** The risks of an update to a version in a published or proposed status, in its order. */
export function summarizeUpdateRisks(
  status: JsonObject,
  version: string,
  accepted: readonly string[],
): readonly RiskSummary[] {
  const updates = listAt(status, "conditionalUpdates").filter((one) => textAt(one, "release", "version") === version);
  const risks = updates.flatMap((update) => risksOf({ risks: listAt(update, "risks") }));
  return risks.map((risk) => summarizeRisk(risk, accepted));
}

/** The risks that apply or may apply, and are not accepted. */
export function selectPending(risks: readonly RiskSummary[]): readonly RiskSummary[] {
  return risks.filter(({ applies, isAccepted }) => applies !== "False" && !isAccepted);
}

/** The risks of a preflight that no update shows, for example because the target isn't offered. */
export function summarizeRisks(risks: readonly JsonObject[], accepted: readonly string[]): readonly RiskSummary[] {
  return risks.map((risk) => summarizeRisk(risk, accepted));
}

function summarizeRisk(risk: JsonObject, accepted: readonly string[]): RiskSummary {
  const condition = findConditionIn(risk, APPLIES);
  const time = textAt(condition, "lastTransitionTime");
  return {
    name: nameOf(risk),
    message: textAt(risk, "message") ?? "",
    url: textAt(risk, "url") ?? "",
    applies: getApplies(textAt(condition, "status"), risk),
    ...defined({ since: time }),
    isAccepted: accepted.includes(nameOf(risk)),
    isPreflight: findOrigin(risk) !== undefined,
  };
}

/** A risk with the rule Always applies, even if the CRD has no conditions for risks. */
function getApplies(status: string | undefined, risk: JsonObject): RiskSummary["applies"] {
  if (status === "True" || status === "False") return status;
  if (status === undefined && textAt(listAt(risk, "matchingRules")[0], "type") === "Always") return "True";
  return "Unknown";
}
