import { formatTime, getAge } from "../model/time.ts";
import { findCondition } from "../model/conditions.ts";
import { type Condition, setTransitionTime } from "../lift/objects/condition.ts";
import type { LiftResult } from "../lift/lift.ts";
import { type JsonObject, textAt, parseObject } from "../model/json.ts";
import type { DesiredPreflight } from "./desired-preflight.ts";

/** A runner that failed for too long was taken away; it comes back when a preflight is asked for anew. */
export type FailureDeadline = {
  readonly key: string;
  readonly reason: string;
  readonly message: string;
  readonly at: string;
};

export const FAILURE_DEADLINE_KEY = "given-up.json";

/** What the result remembers of this very request. */
export function findFailureDeadline(result: JsonObject | undefined, key: string): FailureDeadline | undefined {
  const saved = parseObject(textAt(result, "data", FAILURE_DEADLINE_KEY) ?? "");
  const [reason, message, time] = [textAt(saved, "reason"), textAt(saved, "message"), textAt(saved, "at")];
  if (textAt(saved, "key") !== key || reason === undefined || message === undefined || time === undefined)
    return undefined;
  return { key, reason, message, at: time };
}

/** Is it time to give up? PreflightFailed says since when the preflight fails. */
export function checkFailureDeadline(
  { key }: Extract<DesiredPreflight, { kind: "preflight" }>,
  { conditions }: LiftResult,
  timeoutSeconds: number,
  now: Date,
): FailureDeadline | undefined {
  const failed = conditions.find(({ type }) => type === "PreflightFailed");
  if (failed?.status !== "True") return undefined;
  if ((getAge(failed.lastTransitionTime, now) ?? 0) < timeoutSeconds * 1_000) return undefined;
  return { key, reason: failed.reason, message: failed.message, at: formatTime(now) };
}

/** The same, with conditions that say that the runner is gone because it failed. */
export function withFailureDeadline(
  result: LiftResult,
  deadline: FailureDeadline,
  clusterVersion: JsonObject,
  now: Date,
): LiftResult {
  const { reason, message } = deadline;
  const runningMessage = `The runner was taken away at ${deadline.at}, since it failed for too long: ask for a preflight anew.`;
  const ours: readonly Omit<Condition, "lastTransitionTime">[] = [
    { type: "PreflightRunning", status: "False", reason, message: runningMessage },
    { type: "PreflightFailed", status: "True", reason, message },
  ];
  const conditions = result.conditions.map((one) => {
    const replacement = ours.find(({ type }) => type === one.type);
    return replacement ? setTransitionTime(findCondition(clusterVersion, one.type), replacement, now) : one;
  });
  return { ...result, conditions };
}
