import type { LiftResult } from "../lift/lift.ts";
import { type JsonObject, parseObject, textAt } from "../model/json.ts";
import { formatTime, parseTimestamp } from "../model/time.ts";
import type { RequestedPreflight } from "./desired-preflight.ts";

/** When the preflight failed for the first time since its last result, however often it seemed to recover in between. */
export type FailureStart = { readonly key: string; readonly since: string };

/** The record is kept in preflight-result, since a condition's transition time begins anew with each change of its status. */
export const FAILURE_START_KEY = "failing-since.json";

/** The recorded start, until a newer result ends it; else, for a preflight that fails now, the start of that. */
export function findFailureStart(
  result: JsonObject | undefined,
  { key, requestedAt }: RequestedPreflight,
  { conditions, resultTime }: LiftResult,
  now: Date,
): FailureStart | undefined {
  const recorded = findRecordedStart(result, key);
  const isValid = (time: number): boolean => time <= now.getTime() && time >= (resultTime?.getTime() ?? 0);
  if (recorded !== undefined && isValid(recorded)) return { key, since: formatTime(new Date(recorded)) };
  const failed = conditions.find(({ type }) => type === "PreflightFailed");
  if (failed?.status !== "True") return undefined;
  // Without a record, a failure of this request is as old as its condition.
  const transition = parseTimestamp(failed.lastTransitionTime) ?? now.getTime();
  const isOurs = isValid(transition) && transition >= (requestedAt?.getTime() ?? 0);
  return { key, since: isOurs ? failed.lastTransitionTime : formatTime(now) };
}

function findRecordedStart(result: JsonObject | undefined, key: string): number | undefined {
  const saved = parseObject(textAt(result, "data", FAILURE_START_KEY) ?? "");
  return textAt(saved, "key") === key ? parseTimestamp(textAt(saved, "since")) : undefined;
}
