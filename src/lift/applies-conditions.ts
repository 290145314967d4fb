import { formatTime } from "../model/time.ts";
import { type JsonObject, at, listAt, textAt } from "../model/json.ts";
import { findConditionIn } from "../model/conditions.ts";
import { parsePublishedRisk } from "../model/published-risk.ts";
import { type Applies, formatRiskText, formatUnknownRisk, parseRecommended } from "../model/recommended-condition.ts";
import {
  APPLIES,
  RECOMMENDED,
  type UntimedCondition,
  type ConditionStatus,
  setTransitionTime,
} from "./objects/condition.ts";
import { truncate, MAX_CONDITION_MESSAGE } from "./objects/limits.ts";
import { getDefinitionKey } from "./risk-merge.ts";
import { risksOf } from "./objects/cluster-updates.ts";

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
  const risks = risksOf(update);
  let evaluations: readonly Applies[] | undefined;
  // Its message is read once, and only if a risk depends on it.
  const infer = (i: number): Applies => {
    evaluations ??= parseRecommended(findConditionIn(update, RECOMMENDED), risks.map(parsePublishedRisk));
    return evaluations[i] ?? "unknown";
  };
  return new Map(
    risks.map((risk, i) => {
      const key = getDefinitionKey(risk);
      return [key, evaluateRisk(risk, () => infer(i), present.get(key), now)] as const;
    }),
  );
}

/** `infer`: what an operator that writes no Applies says in Recommended: risks by message, or by name if it could not evaluate them. */
function evaluateRisk(risk: JsonObject, infer: () => Applies, present: JsonObject | undefined, now: Date): JsonObject {
  const own = findConditionIn(risk, APPLIES);
  if (textAt(listAt(risk, "matchingRules")[0], "type") === "Always") return evaluateAlways(own, present, now);
  // Only the operator runs queries, so its verdict is kept.
  return own ?? present ?? setTransitionTime(undefined, toApplies(infer(), risk), now);
}

/** Keeps the source's condition if it is True, with the transition time already in ClusterVersion. */
function evaluateAlways(own: JsonObject | undefined, present: JsonObject | undefined, now: Date): JsonObject {
  if (textAt(own, "status") !== "True") return setTransitionTime(present, buildApplies("True", "Match", ""), now);
  const transitionTime = textAt(present, "status") === "True" ? at(present, "lastTransitionTime") : undefined;
  return { ...own, lastTransitionTime: transitionTime ?? at(own, "lastTransitionTime") ?? formatTime(now) };
}

function toApplies(evaluation: Applies, risk: JsonObject): UntimedCondition {
  const published = parsePublishedRisk(risk);
  switch (evaluation) {
    case "yes":
      return buildApplies("True", "Match", "");
    case "no":
      return buildApplies("False", "NotMatch", "");
    case "unknown":
      return buildApplies("Unknown", "EvaluationFailed", formatUnknownRisk(published.name) + formatRiskText(published));
  }
}

function buildApplies(status: ConditionStatus, reason: string, message: string): UntimedCondition {
  return { type: APPLIES, status, reason, message: truncate(message, MAX_CONDITION_MESSAGE) };
}
