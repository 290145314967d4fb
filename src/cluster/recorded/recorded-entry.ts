import { type Json, type JsonObject, isList, isObject, textAt } from "../../model/json.ts";
import type { ReadFailure, ReadFailureReason } from "../../model/reader.ts";
import { buildFailure } from "../access/failures.ts";
import { inheritKind } from "../access/response-identity.ts";

/** One read in cluster.json. Without `what`, an absent object is missing from a get, and an absent kind from a list. */
export type RecordedEntry =
  | { readonly kind: "object"; readonly object: JsonObject }
  | { readonly kind: "list"; readonly items: readonly JsonObject[]; readonly list: JsonObject }
  | { readonly kind: "text"; readonly lines: readonly string[] }
  | { readonly kind: "absent"; readonly what?: "object" | "resource" }
  | ReadFailure;

const FAILURE_REASONS: Readonly<Record<ReadFailureReason, true>> = {
  Forbidden: true,
  Unauthorized: true,
  TimedOut: true,
  Unreachable: true,
  ServerError: true,
  NotUnderstood: true,
  Incomplete: true,
  TooLarge: true,
  TooManyObjects: true,
  NotRecorded: true,
  Cancelled: true,
};

/**
 * Parses an object; `{ "items": [...] }`; the `{ "lines": [...] }` of a text; `{ "error": { "reason": "Forbidden", "message": "..." } }`,
 * or short `{ "error": "403 forbidden" }`; or `{ "error": "404 not found", "what": "object" }`. Returns undefined for anything else.
 */
export function parseRecordedEntry(value: Json): RecordedEntry | undefined {
  if (!isObject(value)) return undefined;
  if (value["error"] !== undefined && value["kind"] === undefined) return parseError(value["error"], value["what"]);
  if (value["lines"] !== undefined && value["kind"] === undefined) return parseLines(value["lines"]);
  if (value["items"] === undefined || textAt(value, "metadata", "name")) return { kind: "object", object: value };
  return parseItems(value);
}

/** Items without apiVersion and kind inherit them from the list, as `kubectl get --raw` prints it. */
function parseItems(list: JsonObject): RecordedEntry | undefined {
  const items = list["items"] ?? [];
  if (!isList(items) || !items.every(isObject)) return undefined;
  const typed = items.map((item) => inheritKind(item, list) ?? item);
  return { kind: "list", items: typed, list: { ...list, items: typed } };
}

function parseLines(lines: Json): RecordedEntry | undefined {
  if (!isList(lines)) return undefined;
  const texts = lines.filter((line) => typeof line === "string");
  return texts.length === lines.length ? { kind: "text", lines: texts } : undefined;
}

function parseError(error: Json, what: Json | undefined): RecordedEntry | undefined {
  if (typeof error === "string") return parseShortError(error, what);
  const reason = textAt(error, "reason") ?? "";
  const message = textAt(error, "message") ?? "recorded as a failure";
  return isFailureReason(reason) ? buildFailure(reason, message) : undefined;
}

function parseShortError(error: string, what: Json | undefined): RecordedEntry | undefined {
  const status = /^\d{3}(?= |$)/.exec(error)?.[0];
  if (status === "404") return parseAbsent(what);
  if (status === "401") return buildFailure("Unauthorized", error);
  if (status === "403") return buildFailure("Forbidden", error);
  if (status === "429" || status?.startsWith("5")) return buildFailure("ServerError", error);
  return isFailureReason(error) ? buildFailure(error, "recorded as a failure") : undefined;
}

function parseAbsent(what: Json | undefined): RecordedEntry | undefined {
  if (what === undefined) return { kind: "absent" };
  return what === "object" || what === "resource" ? { kind: "absent", what } : undefined;
}

function isFailureReason(text: string): text is ReadFailureReason {
  return Object.hasOwn(FAILURE_REASONS, text);
}
