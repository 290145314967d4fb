import { type JsonObject, listAt, textAt } from "../model/json.ts";
import { conditionIn } from "../model/conditions.ts";
import { APPLIES } from "./exposure.ts";
import { nameOf, risksOf } from "./offers.ts";
import { originOf } from "./origin.ts";

/** How one risk of an update stands, for an administrator to see. */
export type Standing = {
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
export function standingOf(status: JsonObject, version: string, accepted: readonly string[]): readonly Standing[] {
  const updates = listAt(status, "conditionalUpdates").filter((one) => textAt(one, "release", "version") === version);
  const risks = updates.flatMap((update) => risksOf({ risks: listAt(update, "risks") }));
  return risks.map((risk) => standing(risk, accepted));
}

/** Those that an administrator has yet to deal with: they apply, or nobody knows, and are not accepted. */
export function pendingOf(risks: readonly Standing[]): readonly Standing[] {
  return risks.filter(({ applies, isAccepted }) => applies !== "False" && !isAccepted);
}

/** The risks of a preflight that no update can show, such as those for a target that isn't offered. */
export function standingRisks(risks: readonly JsonObject[], accepted: readonly string[]): readonly Standing[] {
  return risks.map((risk) => standing(risk, accepted));
}

function standing(risk: JsonObject, accepted: readonly string[]): Standing {
  const condition = conditionIn(risk, APPLIES);
  const time = textAt(condition, "lastTransitionTime");
  return {
    name: nameOf(risk),
    message: textAt(risk, "message") ?? "",
    url: textAt(risk, "url") ?? "",
    applies: appliesOf(textAt(condition, "status"), risk),
    ...(time === undefined ? {} : { since: time }),
    isAccepted: accepted.includes(nameOf(risk)),
    isPreflight: originOf(risk) !== undefined,
  };
}

/** A risk with the rule Always applies, also where the CRD has no conditions to say it. */
function appliesOf(status: string | undefined, risk: JsonObject): Standing["applies"] {
  if (status === "True" || status === "False") return status;
  if (status === undefined && textAt(listAt(risk, "matchingRules")[0], "type") === "Always") return "True";
  return "Unknown";
}
