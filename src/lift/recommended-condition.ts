import { type JsonObject, textAt } from "../model/json.ts";
import { findConditionIn } from "../model/conditions.ts";
import { parsePublishedRisk } from "../model/published-risk.ts";
import { formatRiskText, formatUnknownRisk } from "../model/recommended-condition.ts";
import { type Condition, type ConditionStatus, setTransitionTime, RECOMMENDED } from "./objects/condition.ts";
import { type AppliesConditions } from "./applies-conditions.ts";
import { joinMessages, MAX_CONDITION_MESSAGE } from "./objects/limits.ts";
import { getDefinitionKey } from "./risk-merge.ts";
import { nameOf, risksOf } from "./objects/cluster-updates.ts";

const NOT_EXPOSED = "NotExposedToRisks";
const ALL_ACCEPTED = "AllExposedRisksAccepted";
const NOT_EVALUATED = "EvaluationFailed";
const MULTIPLE_REASONS = "MultipleReasons";
/** Replaces a risk's name that is not a valid reason. */
const EXPOSED = "ExposedToRisks";

const REASON = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

const CLEAR_MESSAGE = "No risk of this update applies to this cluster, so it is recommended.";
const ACCEPTED_MESSAGE = "Every risk of this update that applies to this cluster is accepted, so it is recommended.";

/** One risk's effect on Recommended. */
type Vote = { readonly status: ConditionStatus; readonly reason: string; readonly text?: string };

/**
 * Whether an update is recommended, by the operator's rules: a single risk that applies gives its name as the reason, several give
 * MultipleReasons, and a risk that applies outweighs one that could not be evaluated.
 */
export function buildRecommendedCondition(
  update: JsonObject,
  appliesConditions: AppliesConditions,
  accepted: ReadonlySet<string>,
  now: Date,
): Condition {
  const votes = risksOf(update).flatMap((risk) =>
    collectVotes(risk, appliesConditions.get(getDefinitionKey(risk)), accepted),
  );
  const texts = votes.flatMap(({ text }) => (text === undefined ? [] : [text]));
  const clear = votes.length === 0 ? CLEAR_MESSAGE : ACCEPTED_MESSAGE;
  const desired = {
    type: RECOMMENDED,
    status: combineStatuses(votes),
    reason: votes.map(({ reason }) => reason).reduce(combineReasons, NOT_EXPOSED),
    message: texts.length === 0 ? clear : joinMessages(texts, MAX_CONDITION_MESSAGE),
  };
  return setTransitionTime(findConditionIn(update, RECOMMENDED), desired, now);
}

function collectVotes(
  risk: JsonObject,
  appliesCondition: JsonObject | undefined,
  accepted: ReadonlySet<string>,
): readonly Vote[] {
  const status = textAt(appliesCondition, "status") ?? "Unknown";
  const name = nameOf(risk);
  if (status === "Unknown")
    return [
      {
        status,
        reason: NOT_EVALUATED,
        text:
          textAt(appliesCondition, "message") ??
          `${formatUnknownRisk(name)}${formatRiskText(parsePublishedRisk(risk))}`,
      },
    ];
  if (status !== "True") return [];
  if (accepted.has(name)) return [{ status, reason: ALL_ACCEPTED }];
  const text = formatRiskText(parsePublishedRisk(risk));
  return [{ status: "False", reason: REASON.test(name) ? name : EXPOSED, text }];
}

function combineStatuses(votes: readonly Vote[]): ConditionStatus {
  if (votes.some(({ status }) => status === "False")) return "False";
  return votes.some(({ status }) => status === "Unknown") ? "Unknown" : "True";
}

/** The operator weighs one risk after the other, so an accepted one counts as a further reason only behind one that isn't. */
function combineReasons(before: string, reason: string): string {
  return [NOT_EXPOSED, ALL_ACCEPTED, reason].includes(before) ? reason : MULTIPLE_REASONS;
}
