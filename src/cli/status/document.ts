import { getSourceVersion } from "../../lift/objects/cluster-version.ts";
import { type JsonObject, textAt, parseObject } from "../../model/json.ts";
import { getAge } from "../../model/time.ts";
import type { StatusInput } from "./status.ts";

/** What the last document is worth now. */
export function formatDocument(input: StatusInput): string {
  const document = parseDataKey(input.result, "document.json");
  const [observed, status] = [textAt(document, "observedAt"), textAt(document, "executionStatus")];
  if (status === undefined) return "There is no document of it yet.";
  const of = observed === undefined ? "Its last document" : `Its last document is of ${observed}`;
  const join = observed === undefined ? " is" : ":";
  if (status !== "completed") return `${of}${join} ${status}.`;
  const until = textAt(document, "validUntil");
  if (until === undefined) return `${of}${join} completed.`;
  return isExpired(until, input.now)
    ? `${of}${join} completed, but valid until ${until} only.`
    : `${of}${join} completed, and valid until ${until}.`;
}

/** Does what was found last say how things are now? */
export function isCurrent({ clusterVersion, result, controllerPresence, now }: StatusInput): boolean {
  const document = parseDataKey(result, "document.json");
  if (controllerPresence === "no" || textAt(document, "executionStatus") !== "completed") return false;
  const source = textAt(document, "sourceVersion");
  if (source !== undefined && source !== getSourceVersion(clusterVersion)) return false;
  return !isExpired(textAt(document, "validUntil"), now);
}

export function parseDataKey(configMap: JsonObject | undefined, key: string): JsonObject {
  return parseObject(textAt(configMap, "data", key) ?? "") ?? {};
}

function isExpired(until: string | undefined, now: Date): boolean {
  return (getAge(until, now) ?? 0) > 0;
}
