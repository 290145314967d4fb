import { type Json, type JsonObject, textAt } from "../../model/json.ts";
import { formatTime } from "../../model/time.ts";

export const APPLIES = "Applies";
export const RECOMMENDED = "Recommended";

export type ConditionStatus = "True" | "False" | "Unknown";

/** A condition as metav1 has it. */
export type Condition = {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
  /** RFC 3339 in whole seconds, UTC. */
  readonly lastTransitionTime: string;
};

/** What is wanted, with the time of the present condition as long as the status is the same. */
export function setTransitionTime(
  present: JsonObject | undefined,
  desired: Omit<Condition, "lastTransitionTime">,
  now: Date,
): Condition {
  const time = textAt(present, "status") === desired.status ? textAt(present, "lastTransitionTime") : undefined;
  return { ...desired, lastTransitionTime: time ?? formatTime(now) };
}

/** The conditions with one replaced in its place, or added at the end. */
export function setCondition(conditions: readonly Json[], condition: JsonObject): readonly Json[] {
  const type = textAt(condition, "type");
  const isSame = (one: Json): boolean => textAt(one, "type") === type;
  if (!conditions.some(isSame)) return [...conditions, condition];
  return conditions.map((one) => (isSame(one) ? condition : one));
}
