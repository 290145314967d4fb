import { conditionOf } from "../model/conditions.ts";
import { type Condition, since, timeText } from "../lift/condition.ts";
import type { Lifted } from "../lift/lift.ts";
import { type JsonObject, textAt, parseObject } from "../model/json.ts";
import { ageOf } from "../model/time.ts";
import type { Asked } from "./asked.ts";

/** A runner that failed for too long was taken away; it comes back when a preflight is asked for anew. */
export type GivenUp = { readonly key: string; readonly reason: string; readonly message: string; readonly at: string };

export const GIVEN_UP_KEY = "given-up.json";

/** What the result remembers of this very request. */
export function givenUpIn(result: JsonObject | undefined, key: string): GivenUp | undefined {
  const kept = parseObject(textAt(result, "data", GIVEN_UP_KEY) ?? "");
  const [reason, message, time] = [textAt(kept, "reason"), textAt(kept, "message"), textAt(kept, "at")];
  if (textAt(kept, "key") !== key || reason === undefined || message === undefined || time === undefined)
    return undefined;
  return { key, reason, message, at: time };
}

/** Is it time to give up? PreflightFailed says since when the preflight fails. */
export function givingUp(
  { key }: Extract<Asked, { kind: "preflight" }>,
  { conditions }: Lifted,
  timeoutSeconds: number,
  now: Date,
): GivenUp | undefined {
  const failed = conditions.find(({ type }) => type === "PreflightFailed");
  if (failed?.status !== "True") return undefined;
  if ((ageOf(failed.lastTransitionTime, now) ?? 0) < timeoutSeconds * 1_000) return undefined;
  return { key, reason: failed.reason, message: failed.message, at: timeText(now) };
}

/** The same, with conditions that say that the runner is gone because it failed. */
export function asGivenUp(lifted: Lifted, givenUp: GivenUp, clusterVersion: JsonObject, now: Date): Lifted {
  const { reason, message } = givenUp;
  const gone = `The runner was taken away at ${givenUp.at}, since it failed for too long: ask for a preflight anew.`;
  const ours: readonly Omit<Condition, "lastTransitionTime">[] = [
    { type: "PreflightRunning", status: "False", reason, message: gone },
    { type: "PreflightFailed", status: "True", reason, message },
  ];
  const conditions = lifted.conditions.map((one) => {
    const wanted = ours.find(({ type }) => type === one.type);
    return wanted ? since(conditionOf(clusterVersion, one.type), wanted, now) : one;
  });
  return { ...lifted, conditions };
}
