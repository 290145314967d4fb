import type { PreflightDocument } from "../../model/document.ts";
import { type Json, type JsonObject, flagAt, isList, textAt, textsAt, parseJson } from "../../model/json.ts";
import { buildConfigMap, formatJson } from "./preflight-request.ts";

/** The ConfigMap of past results, which outlives results, requests and updates. */
export const HISTORY_NAME = "preflight-history";
const HISTORY_KEY = "history.json";
const MAX_ENTRIES = 5;

/** One runner's last completed result. */
export type HistoryEntry = {
  readonly preflightID: string;
  readonly source: string;
  readonly target: string;
  /** When its last completed cycle read the cluster: RFC 3339. */
  readonly observedAt: string;
  /** The names of its risks, sorted. */
  readonly risks: readonly string[];
  /** The risks that were accepted then. */
  readonly accepted: readonly string[];
  /** Whether every check could complete. */
  readonly complete: boolean;
};

/** The entry for a completed document, or undefined if the document names no source or target. */
export function buildHistoryEntry(document: PreflightDocument, accepted: readonly string[]): HistoryEntry | undefined {
  const { executionStatus, preflightID, sourceVersion, targetVersion, observedAt, complete } = document;
  if (executionStatus !== "completed") return undefined;
  if (sourceVersion === undefined || targetVersion === undefined || observedAt === undefined) return undefined;
  const risks = document.risks.map(({ name }) => name);
  return {
    preflightID,
    source: sourceVersion,
    target: targetVersion,
    observedAt,
    risks,
    accepted: risks.filter((name) => accepted.includes(name)),
    complete: complete ?? false,
  };
}

/** The last five results, the newest first. A runner has one entry, so its later cycles displace no other result. */
export function addHistoryEntry(history: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] {
  const others = history.filter((one) => one.preflightID !== entry.preflightID || one.source !== entry.source);
  return [entry, ...others].slice(0, MAX_ENTRIES);
}

export function parseHistory(configMap: JsonObject | undefined): readonly HistoryEntry[] {
  return parseList(textAt(configMap, "data", HISTORY_KEY) ?? "[]").flatMap(parseEntry);
}

export function buildHistoryConfigMap(history: readonly HistoryEntry[]): JsonObject {
  return { ...buildConfigMap(HISTORY_NAME), data: { [HISTORY_KEY]: formatJson(history) } };
}

function parseEntry(value: Json): readonly HistoryEntry[] {
  const preflightID = textAt(value, "preflightID");
  const observedAt = textAt(value, "observedAt");
  const source = textAt(value, "source");
  const target = textAt(value, "target");
  if (preflightID === undefined || observedAt === undefined || source === undefined || target === undefined) return [];
  const risks = textsAt(value, "risks");
  const accepted = textsAt(value, "accepted");
  return [{ preflightID, source, target, observedAt, risks, accepted, complete: flagAt(value, "complete") ?? false }];
}

/** An unreadable history starts over empty. */
function parseList(text: string): readonly Json[] {
  const value = parseJson(text);
  return isList(value) ? value : [];
}
