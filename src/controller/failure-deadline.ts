import { formatTime, getAge } from "../model/time.ts";
import { findCondition } from "../model/conditions.ts";
import { type UntimedCondition, setCondition, setTransitionTime } from "../lift/objects/condition.ts";
import type { LiftResult } from "../lift/lift.ts";
import { type Json, type JsonObject, listAt, textAt, parseObject } from "../model/json.ts";
import type { RequestedPreflight } from "./desired-preflight.ts";
import { FAILURE_START_KEY, type FailureStart } from "./failure-start.ts";

/** Why and when a runner was removed after it failed for too long. A new request brings it back. */
export type FailureDeadline = {
  readonly key: string;
  readonly reason: string;
  readonly message: string;
  readonly at: string;
};

export const FAILURE_DEADLINE_KEY = "given-up.json";

/** The recorded deadline, if it belongs to this request. */
export function findFailureDeadline(result: JsonObject | undefined, key: string): FailureDeadline | undefined {
  const saved = parseObject(textAt(result, "data", FAILURE_DEADLINE_KEY) ?? "");
  const [reason, message, time] = [textAt(saved, "reason"), textAt(saved, "message"), textAt(saved, "at")];
  if (textAt(saved, "key") !== key || reason === undefined || message === undefined || time === undefined)
    return undefined;
  return { key, reason, message, at: time };
}

/** Whether the result records that a runner was removed, for whichever request. */
export function hasFailureDeadline(result: JsonObject | undefined): boolean {
  return textAt(result, "data", FAILURE_DEADLINE_KEY) !== undefined;
}

/** Whether the preflight fails now, and has had no result for the timeout since it began to fail. No request fails before it is made. */
export function checkFailureDeadline(
  { key, requestedAt }: RequestedPreflight,
  { conditions }: LiftResult,
  start: FailureStart | undefined,
  timeoutSeconds: number,
  now: Date,
): FailureDeadline | undefined {
  const failed = conditions.find(({ type }) => type === "PreflightFailed");
  if (failed?.status !== "True" || !start) return undefined;
  const age = Math.min(getAge(start.since, now) ?? 0, now.getTime() - (requestedAt?.getTime() ?? 0));
  if (age < timeoutSeconds * 1_000) return undefined;
  return { key, reason: failed.reason, message: failed.message, at: formatTime(now) };
}

/** The record to keep in the result: since when the preflight fails, until its runner is removed. */
export function buildFailureRecord(
  start: FailureStart | undefined,
  deadline: FailureDeadline | undefined,
): Readonly<Record<string, string>> {
  if (deadline) return { [FAILURE_DEADLINE_KEY]: formatRecord(deadline) };
  return start ? { [FAILURE_START_KEY]: formatRecord(start) } : {};
}

function formatRecord(record: FailureDeadline | FailureStart): string {
  return `${JSON.stringify(record, undefined, 2)}\n`;
}

/** The result with conditions that keep the failure and name the removal. */
export function withFailureDeadline(
  result: LiftResult,
  deadline: FailureDeadline,
  clusterVersion: JsonObject,
  now: Date,
): LiftResult {
  const { reason, message } = deadline;
  const runningMessage = `The runner was removed at ${deadline.at} because it failed for too long. Run 'preflight request' again to retry.`;
  const ours: readonly UntimedCondition[] = [
    { type: "PreflightRunning", status: "False", reason, message: runningMessage },
    { type: "PreflightFailed", status: "True", reason, message },
  ];
  const conditions = result.conditions.map((one) => {
    const replacement = ours.find(({ type }) => type === one.type);
    return replacement ? setTransitionTime(findCondition(clusterVersion, one.type), replacement, now) : one;
  });
  const allConditions = conditions.reduce<readonly Json[]>(setCondition, listAt(result.status, "conditions"));
  return { ...result, conditions, status: { ...result.status, conditions: allConditions } };
}
