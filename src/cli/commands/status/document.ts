import { getSourceVersion } from "../../../lift/objects/cluster-version.ts";
import { at, type JsonObject, parseObject, textAt } from "../../../model/json.ts";
import { getAge } from "../../../model/time.ts";
import { getPreflightConditions, type StatusInput } from "./status.ts";

/** The age and validity of the last document, or why there is none. */
export function formatDocument(input: StatusInput): string {
  const document = parseDataKey(input.result, "document.json");
  const [observed, status] = [textAt(document, "observedAt"), textAt(document, "executionStatus")];
  if (status === undefined) return explainNoDocument(input);
  const subject = observed === undefined ? "The last document is" : `The last document is from ${observed}:`;
  if (status !== "completed") return `${subject} ${status}.`;
  const until = textAt(document, "validUntil");
  if (until === undefined) return `${subject} completed.`;
  return isExpired(until, input.now)
    ? `${subject} completed, but it expired at ${until}.`
    : `${subject} completed, and valid until ${until}.`;
}

/** Why the controller publishes no document, by the reason of PreflightCompleted. */
const NO_DOCUMENT: Readonly<Record<string, string>> = {
  DocumentInvalid: "The runner's document is not valid, so its content is not used.",
  DocumentUnreadable: "The runner's document could not be read.",
  OtherTarget: "The document in the runner's folder is about another target.",
  OtherSource: "The document in the runner's folder is about an update from another version.",
  OtherPayload: "The document in the runner's folder is about another release image.",
};

function explainNoDocument(input: StatusInput): string {
  if (textAt(input.result, "data", "document.json") !== undefined)
    return "The document in the ConfigMap preflight-result is not valid, so its content is not used.";
  const completed = getPreflightConditions(input).find(
    (condition) => textAt(condition, "type") === "PreflightCompleted",
  );
  return NO_DOCUMENT[textAt(completed, "reason") ?? ""] ?? "The runner has not written a document yet.";
}

/** Whether the last result still describes the cluster. */
export function isCurrent({ clusterVersion, result, controllerPresence, now }: StatusInput): boolean {
  const document = parseDataKey(result, "document.json");
  if (controllerPresence === "no" || textAt(document, "executionStatus") !== "completed") return false;
  const source = textAt(document, "sourceVersion");
  if (source !== undefined && source !== getSourceVersion(clusterVersion)) return false;
  return !isExpired(textAt(document, "validUntil"), now);
}

/** Whether every check of the last document could complete. */
export function isComplete({ result }: StatusInput): boolean {
  return at(parseDataKey(result, "document.json"), "complete") !== false;
}

export function parseDataKey(configMap: JsonObject | undefined, key: string): JsonObject {
  return parseObject(textAt(configMap, "data", key) ?? "") ?? {};
}

function isExpired(until: string | undefined, now: Date): boolean {
  return (getAge(until, now) ?? 0) > 0;
}
