import type { PreflightDocument } from "../../model/document.ts";
import { type Json, type JsonObject, flagAt, isList, textAt, textsAt } from "../../model/json.ts";
import { buildConfigMap } from "./preflight-request.ts";

/** Outlives results, requests and updates. */
export const HISTORY_NAME = "preflight-history";
const HISTORY_KEY = "history.json";
const MAX_ENTRIES = 5;

/** What is remembered of one run of the runner. */
export type HistoryEntry = {
  readonly preflightID: string;
  readonly source: string;
  readonly target: string;
  /** When its last completed cycle looked: RFC 3339. */
  readonly observedAt: string;
  /** The names of the risks that it found, sorted. */
  readonly risks: readonly string[];
  /** Those of them that were accepted then. */
  readonly accepted: readonly string[];
  /** Could every check look at all that it needs? */
  readonly complete: boolean;
};

/** A completed document as it is remembered, or nothing where it doesn't say what it is about. */
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
    complete: complete ?? true,
  };
}

/** The last five results, the newest first. A run has one place, so that a runner that goes on pushes nobody out. */
export function addHistoryEntry(history: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] {
  const others = history.filter((one) => one.preflightID !== entry.preflightID || one.source !== entry.source);
  return [entry, ...others].slice(0, MAX_ENTRIES);
}

export function parseHistory(configMap: JsonObject | undefined): readonly HistoryEntry[] {
  return parseList(textAt(configMap, "data", HISTORY_KEY) ?? "[]").flatMap(parseEntry);
}

export function buildHistoryConfigMap(history: readonly HistoryEntry[]): JsonObject {
  return { ...buildConfigMap(HISTORY_NAME), data: { [HISTORY_KEY]: `${JSON.stringify(history, undefined, 2)}\n` } };
}

function parseEntry(value: Json): readonly HistoryEntry[] {
  const [preflightID, observedAt] = [textAt(value, "preflightID"), textAt(value, "observedAt")];
  const [source, target] = [textAt(value, "source"), textAt(value, "target")];
  if (preflightID === undefined || observedAt === undefined || source === undefined || target === undefined) return [];
  const [risks, accepted] = [textsAt(value, "risks"), textsAt(value, "accepted")];
  return [{ preflightID, source, target, observedAt, risks, accepted, complete: flagAt(value, "complete") ?? false }];
}

/** What somebody has made unreadable is lost; what comes is remembered all the same. */
function parseList(text: string): readonly Json[] {
  try {
    const value: unknown = JSON.parse(text);
    return isList(value) ? value : [];
  } catch {
    return [];
  }
}
