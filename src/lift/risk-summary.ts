import { APPLIES } from "./objects/condition.ts";
import { type JsonObject, listAt, textAt } from "../model/json.ts";
import { findConditionIn } from "../model/conditions.ts";
import { nameOf, risksOf } from "./objects/cluster-updates.ts";
import { findOrigin } from "./objects/risk-prefix.ts";
import { defined } from "../model/optional.ts";

/** How one risk of an update stands, for an administrator to see. */
export type RiskSummary = {
  readonly name: string;
  readonly message: string;
  readonly url: string;
  readonly applies: "True" | "False" | "Unknown";
  /** RFC 3339, where it is known since when. */
  readonly since?: string;
  readonly isAccepted: boolean;
  /** Found by a preflight, not by another source. */
  readonly isPreflight: boolean;
};

/** The risks of an update to a version as a status, published or proposed, tells them; sorted as there. */
export function summarizeUpdateRisks(
  status: JsonObject,
  version: string,
  accepted: readonly string[],
): readonly RiskSummary[] {
  const updates = listAt(status, "conditionalUpdates").filter((one) => textAt(one, "release", "version") === version);
  const risks = updates.flatMap((update) => risksOf({ risks: listAt(update, "risks") }));
  return risks.map((risk) => summarizeRisk(risk, accepted));
}

/** Those that an administrator has yet to deal with: they apply, or nobody knows, and are not accepted. */
export function selectPending(risks: readonly RiskSummary[]): readonly RiskSummary[] {
  return risks.filter(({ applies, isAccepted }) => applies !== "False" && !isAccepted);
}

/** The risks of a preflight that no update can show, such as those for a target that isn't offered. */
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

/** A risk with the rule Always applies, also where the CRD has no conditions to say it. */
function getApplies(status: string | undefined, risk: JsonObject): RiskSummary["applies"] {
  if (status === "True" || status === "False") return status;
  if (status === undefined && textAt(listAt(risk, "matchingRules")[0], "type") === "Always") return "True";
  return "Unknown";
}
