import { formatTime, getAge, parseTimestamp } from "../model/time.ts";
import { findCondition } from "../model/object.ts";
import { type Condition, type UntimedCondition, setTransitionTime } from "../lift/objects/conditions.ts";
import type { LiftResult } from "../lift/lift.ts";
import { formatJson } from "../lift/objects/preflight-request.ts";
import { replacePreflightConditions } from "../lift/progress/preflight-conditions.ts";
import { type JsonObject, listAt, textAt, parseObject } from "../model/json.ts";
import type { RequestedPreflight } from "./desired-preflight.ts";
import type { Observation } from "./observation.ts";

/** When the preflight failed for the first time since its last result, however often it seemed to recover in between. */
type FailureStart = { readonly key: string; readonly since: string };

/** Why and when a runner was removed after it failed for too long. A new request brings it back. */
type FailureDeadline = {
  readonly key: string;
  readonly reason: string;
  readonly message: string;
  readonly at: string;
};

/** Keys of preflight-result, since a condition's transition time begins anew with each change of its status. */
export const FAILURE_START_KEY = "failing-since.json";
export const FAILURE_DEADLINE_KEY = "given-up.json";

/** Whether the result records that a runner was removed, for whichever request. */
export function hasFailureDeadline(result: JsonObject | undefined): boolean {
  return textAt(result, "data", FAILURE_DEADLINE_KEY) !== undefined;
}

/** The recorded deadline, if it belongs to this request. */
export function findFailureDeadline(result: JsonObject | undefined, key: string): FailureDeadline | undefined {
  const saved = parseRecord(result, FAILURE_DEADLINE_KEY, key);
  const reason = textAt(saved, "reason");
  const message = textAt(saved, "message");
  const time = textAt(saved, "at");
  if (reason === undefined || message === undefined || time === undefined) return undefined;
  return { key, reason, message, at: time };
}

function parseRecord(result: JsonObject | undefined, dataKey: string, key: string): JsonObject | undefined {
  const saved = parseObject(textAt(result, "data", dataKey) ?? "");
  return textAt(saved, "key") === key ? saved : undefined;
}

/** `record`: what the result keeps: since when the preflight fails, until its runner is removed. */
type FailureVerdict = {
  readonly isOver: boolean;
  readonly result: LiftResult;
  readonly record: Readonly<Record<string, string>>;
};

/** Whether the preflight has failed for too long; its result then keeps the failure and names the removal. */
export function judgeFailure(
  { clusterVersion, result }: Pick<Observation, "clusterVersion" | "result">,
  desired: RequestedPreflight,
  lifted: LiftResult,
  timeoutSeconds: number,
  now: Date,
): FailureVerdict {
  const start = findFailureStart(result, desired, lifted, now);
  const deadline =
    findFailureDeadline(result, desired.key) ?? checkFailureDeadline(desired, lifted, start, timeoutSeconds, now);
  if (deadline) {
    const record = { [FAILURE_DEADLINE_KEY]: formatJson(deadline) };
    return { isOver: true, result: withFailureDeadline(lifted, deadline, clusterVersion, now), record };
  }
  return { isOver: false, result: lifted, record: start ? { [FAILURE_START_KEY]: formatJson(start) } : {} };
}

/** The recorded start, until a newer result ends it; else, for a preflight that fails now, the start of that. */
function findFailureStart(
  result: JsonObject | undefined,
  { key, requestedAt }: RequestedPreflight,
  lifted: LiftResult,
  now: Date,
): FailureStart | undefined {
  const recorded = parseTimestamp(textAt(parseRecord(result, FAILURE_START_KEY, key), "since"));
  const isValid = (time: number): boolean => time <= now.getTime() && time >= (lifted.resultTime?.getTime() ?? 0);
  if (recorded !== undefined && isValid(recorded)) return { key, since: formatTime(new Date(recorded)) };
  const failed = findFailure(lifted);
  if (!failed) return undefined;
  // Without a record, a failure of this request is as old as its condition.
  const transition = parseTimestamp(failed.lastTransitionTime) ?? now.getTime();
  const isOurs = isValid(transition) && transition >= (requestedAt?.getTime() ?? 0);
  return { key, since: isOurs ? failed.lastTransitionTime : formatTime(now) };
}

function findFailure({ conditions }: LiftResult): Condition | undefined {
  return conditions.find(({ type, status }) => type === "PreflightFailed" && status === "True");
}

/** Whether the preflight fails now, and has had no result for the timeout since it began to fail. No request fails before it is made. */
function checkFailureDeadline(
  { key, requestedAt }: RequestedPreflight,
  lifted: LiftResult,
  start: FailureStart | undefined,
  timeoutSeconds: number,
  now: Date,
): FailureDeadline | undefined {
  const failed = findFailure(lifted);
  if (!failed || !start) return undefined;
  const age = Math.min(getAge(start.since, now) ?? 0, now.getTime() - (requestedAt?.getTime() ?? 0));
  if (age < timeoutSeconds * 1_000) return undefined;
  return { key, reason: failed.reason, message: failed.message, at: formatTime(now) };
}

function withFailureDeadline(
  result: LiftResult,
  deadline: FailureDeadline,
  clusterVersion: JsonObject,
  now: Date,
): LiftResult {
  const { reason, message } = deadline;
  const runningMessage = `The preflight was given up at ${deadline.at}, after it had failed for too long. Run 'preflight request' again to retry.`;
  const ours: readonly UntimedCondition[] = [
    { type: "PreflightRunning", status: "False", reason, message: runningMessage },
    { type: "PreflightFailed", status: "True", reason, message },
  ];
  const conditions = result.conditions.map((one) => {
    const replacement = ours.find(({ type }) => type === one.type);
    return replacement ? setTransitionTime(findCondition(clusterVersion, one.type), replacement, now) : one;
  });
  const allConditions = replacePreflightConditions(listAt(result.status, "conditions"), conditions);
  return { ...result, conditions, status: { ...result.status, conditions: allConditions } };
}
