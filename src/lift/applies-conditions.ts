import { formatTime } from "../model/time.ts";
import { type JsonObject, at, listAt, textAt } from "../model/json.ts";
import { findConditionIn } from "../model/conditions.ts";
import {
  APPLIES,
  RECOMMENDED,
  type UntimedCondition,
  type ConditionStatus,
  setTransitionTime,
} from "./objects/condition.ts";
import { truncate, MAX_CONDITION_MESSAGE } from "./objects/limits.ts";
import { getDefinitionKey } from "./risk-merge.ts";
import { nameOf, risksOf } from "./objects/cluster-updates.ts";

/** Applies conditions by risk definition, since two sources may use one name for different risks. */
export type AppliesConditions = ReadonlyMap<string, JsonObject>;

/** Indexes the present Applies conditions. */
export function indexAppliesConditions(risks: readonly JsonObject[]): AppliesConditions {
  const entries = risks.flatMap((risk) => {
    const condition = findConditionIn(risk, APPLIES);
    return condition ? [[getDefinitionKey(risk), condition] as const] : [];
  });
  return new Map(entries);
}

/** Evaluates an update's risks. */
export function evaluateRisks(update: JsonObject, present: AppliesConditions, now: Date): AppliesConditions {
  return new Map(
    risksOf(update).map((risk) => {
      const key = getDefinitionKey(risk);
      return [key, evaluateRisk(risk, update, present.get(key), now)] as const;
    }),
  );
}

function evaluateRisk(risk: JsonObject, update: JsonObject, present: JsonObject | undefined, now: Date): JsonObject {
  const own = findConditionIn(risk, APPLIES);
  if (textAt(listAt(risk, "matchingRules")[0], "type") === "Always") return evaluateAlways(own, present, now);
  // Only the operator runs queries, so its verdict is kept.
  return own ?? present ?? inferFromRecommended(update, risk, now);
}

/** Keeps the source's condition if it is True, with the transition time already in ClusterVersion. */
function evaluateAlways(own: JsonObject | undefined, present: JsonObject | undefined, now: Date): JsonObject {
  if (textAt(own, "status") !== "True") return setTransitionTime(present, buildApplies("True", "Match", ""), now);
  const transitionTime = textAt(present, "status") === "True" ? at(present, "lastTransitionTime") : undefined;
  return { ...own, lastTransitionTime: transitionTime ?? at(own, "lastTransitionTime") ?? formatTime(now) };
}

/** An operator that writes no Applies names the risks that apply in Recommended: by message, or by name if it could not evaluate them. */
function inferFromRecommended(update: JsonObject, risk: JsonObject, now: Date): JsonObject {
  const recommended = findConditionIn(update, RECOMMENDED);
  const text = `${textAt(risk, "message") ?? ""} ${textAt(risk, "url") ?? ""}`;
  const unknown = buildApplies("Unknown", "EvaluationFailed", `It is unknown whether ${nameOf(risk)} applies. ${text}`);
  if (!recommended) return setTransitionTime(undefined, unknown, now);
  const [message, isTrue] = [textAt(recommended, "message") ?? "", textAt(recommended, "status") === "True"];
  const failed = [`risk ${nameOf(risk)} (`, `Exposure to ${nameOf(risk)} is unknown`];
  if (failed.some((part) => message.includes(part))) return setTransitionTime(undefined, unknown, now);
  if (isTrue || !message.includes(text))
    return setTransitionTime(undefined, buildApplies("False", "NotMatch", ""), now);
  return setTransitionTime(undefined, buildApplies("True", "Match", ""), now);
}

function buildApplies(status: ConditionStatus, reason: string, message: string): UntimedCondition {
  return { type: APPLIES, status, reason, message: truncate(message, MAX_CONDITION_MESSAGE) };
}
