import { type JsonObject, at, listAt, textAt } from "../model/json.ts";
import { conditionIn } from "../model/conditions.ts";
import { type Condition, type Status, since, timeText } from "./condition.ts";
import { cut, MAX_CONDITION_MESSAGE } from "./limits.ts";
import { definition } from "./merge.ts";
import { nameOf, risksOf } from "./offers.ts";

export const APPLIES = "Applies";
export const RECOMMENDED = "Recommended";

/** Whether each risk applies, by its definition: a name may stand for two texts where two sources disagree. */
export type Exposures = ReadonlyMap<string, JsonObject>;

/** The Applies conditions that stand now. */
export function presentExposures(risks: readonly JsonObject[]): Exposures {
  const entries = risks.flatMap((risk) => {
    const condition = conditionIn(risk, APPLIES);
    return condition ? [[definition(risk), condition] as const] : [];
  });
  return new Map(entries);
}

/** The verdicts on an update's risks. */
export function exposuresOf(update: JsonObject, present: Exposures, now: Date): Exposures {
  return new Map(
    risksOf(update).map((risk) => {
      const key = definition(risk);
      return [key, exposureOf(risk, update, present.get(key), now)] as const;
    }),
  );
}

function exposureOf(risk: JsonObject, update: JsonObject, present: JsonObject | undefined, now: Date): JsonObject {
  const own = conditionIn(risk, APPLIES);
  if (textAt(listAt(risk, "matchingRules")[0], "type") === "Always") return always(own, present, now);
  // No query is sent from here: the running operator's verdict stands.
  return own ?? present ?? toldBy(update, risk, now);
}

/** The source's own words are kept where it says the same; the time is that since when ClusterVersion has said so. */
function always(own: JsonObject | undefined, present: JsonObject | undefined, now: Date): JsonObject {
  if (textAt(own, "status") !== "True") return since(present, applies("True", "Match", ""), now);
  const known = textAt(present, "status") === "True" ? at(present, "lastTransitionTime") : undefined;
  return { ...own, lastTransitionTime: known ?? at(own, "lastTransitionTime") ?? timeText(now) };
}

/** An operator that writes no Applies tells which risks apply in Recommended: by their texts, or by name where it could not evaluate them. */
function toldBy(update: JsonObject, risk: JsonObject, now: Date): JsonObject {
  const recommended = conditionIn(update, RECOMMENDED);
  const text = `${textAt(risk, "message") ?? ""} ${textAt(risk, "url") ?? ""}`;
  const unknown = applies("Unknown", "EvaluationFailed", `Whether ${nameOf(risk)} applies is not known. ${text}`);
  if (!recommended) return since(undefined, unknown, now);
  const [told, isTrue] = [textAt(recommended, "message") ?? "", textAt(recommended, "status") === "True"];
  const failed = [`risk ${nameOf(risk)} (`, `Exposure to ${nameOf(risk)} is unknown`];
  if (failed.some((part) => told.includes(part))) return since(undefined, unknown, now);
  if (isTrue || !told.includes(text)) return since(undefined, applies("False", "NotMatch", ""), now);
  return since(undefined, applies("True", "Match", ""), now);
}

function applies(status: Status, reason: string, message: string): Omit<Condition, "lastTransitionTime"> {
  return { type: APPLIES, status, reason, message: cut(message, MAX_CONDITION_MESSAGE) };
}
