import { sourceOf } from "../lift/cluster-version.ts";
import { type JsonObject, textAt, parseObject } from "../model/json.ts";
import { ageOf } from "../model/time.ts";
import type { StatusInput } from "./status-text.ts";

/** What the last document is worth now. */
export function documentText(input: StatusInput): string {
  const document = jsonIn(input.result, "document.json");
  const [observed, status] = [textAt(document, "observedAt"), textAt(document, "executionStatus")];
  if (status === undefined) return "There is no document of it yet.";
  const of = observed === undefined ? "Its last document" : `Its last document is of ${observed}`;
  const join = observed === undefined ? " is" : ":";
  if (status !== "completed") return `${of}${join} ${status}.`;
  const until = textAt(document, "validUntil");
  if (until === undefined) return `${of}${join} completed.`;
  return isOver(until, input.now)
    ? `${of}${join} completed, but valid until ${until} only.`
    : `${of}${join} completed, and valid until ${until}.`;
}

/** Does what was found last say how things are now? */
export function isCurrent({ clusterVersion, result, served, now }: StatusInput): boolean {
  const document = jsonIn(result, "document.json");
  if (served === "no" || textAt(document, "executionStatus") !== "completed") return false;
  const source = textAt(document, "sourceVersion");
  if (source !== undefined && source !== sourceOf(clusterVersion)) return false;
  return !isOver(textAt(document, "validUntil"), now);
}

export function jsonIn(configMap: JsonObject | undefined, key: string): JsonObject {
  return parseObject(textAt(configMap, "data", key) ?? "") ?? {};
}

function isOver(until: string | undefined, now: Date): boolean {
  return (ageOf(until, now) ?? 0) > 0;
}
