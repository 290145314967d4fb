import { APPLIES } from "./objects/condition.ts";
import { type JsonObject, listAt, textAt, objectsAt } from "../model/json.ts";
import { findConditionIn } from "../model/conditions.ts";
import { isAlertRisk } from "./objects/alert-risk.ts";
import { nameOf, risksOf, versionOf } from "./objects/cluster-updates.ts";
import { findOrigin } from "./objects/risk-prefix.ts";
import type { RetainedResult } from "./progress/retained-result.ts";
import { isSameDefinition } from "./risk-merge.ts";
import { isPreflightRisk } from "../model/preflight-mark.ts";

/** Who reports a risk: the preflight's document, an alert of a preflight, or another source such as the update service. */
export type RiskSource = "document" | "alert" | "other";

/** One risk of an update, as shown to an administrator. */
export type RiskSummary = {
  readonly name: string;
  readonly message: string;
  readonly url: string;
  readonly applies: "True" | "False" | "Unknown";
  /** The transition time, RFC 3339, if known. */
  readonly since?: string;
  readonly isAccepted: boolean;
  readonly sources: readonly RiskSource[];
};

/** The risks of the result's update in a published or proposed status, in its order. */
export function summarizeUpdateRisks(
  status: JsonObject,
  { target, risks: documentRisks }: RetainedResult,
  accepted: readonly string[],
): readonly RiskSummary[] {
  const updates = objectsAt(status, "conditionalUpdates").filter((one) => versionOf(one) === target);
  return updates.flatMap(risksOf).flatMap((risk) => summarizeListedRisk(risk, documentRisks, accepted));
}

/** An update lists each name once. The text of an alert names no objects, and what another source says of a name is another risk. */
function summarizeListedRisk(
  risk: JsonObject,
  documentRisks: readonly JsonObject[],
  accepted: readonly string[],
): readonly RiskSummary[] {
  const listed = summarizeRisk(risk, accepted);
  const found = documentRisks.find((one) => nameOf(one) === nameOf(risk));
  if (found === undefined || isSameDefinition(found, risk)) return [listed];
  const own = summarizeRisk(found, accepted);
  return isAlertRisk(risk) ? [{ ...own, sources: [...own.sources, "alert"] }] : [own, listed];
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
    since: time,
    isAccepted: accepted.includes(nameOf(risk)),
    sources: [findSource(risk)],
  };
}

function findSource(risk: JsonObject): RiskSource {
  if (findOrigin(risk) !== undefined) return "document";
  return isPreflightRisk(risk) ? "alert" : "other";
}

/** A risk with the rule Always applies, even if the CRD has no conditions for risks. */
function getApplies(status: string | undefined, risk: JsonObject): RiskSummary["applies"] {
  if (status === "True" || status === "False") return status;
  if (status === undefined && textAt(listAt(risk, "matchingRules")[0], "type") === "Always") return "True";
  return "Unknown";
}
