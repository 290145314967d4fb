import type { PreflightDocument } from "../model/document.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject, parseObject, textAt, at, isList, objectsAt, flagAt, textsAt, parseJson } from "../model/json.ts";
import { type RetainedResult, parseRetainedResult } from "./progress/retained-result.ts";
import type { LiftResult } from "./lift.ts";
import { nameOf, risksOf, versionOf } from "./objects/cluster-version.ts";
import { keepTransitionTime } from "./objects/conditions.ts";
import { buildConfigMap, formatJson } from "./objects/preflight-request.ts";

/** The ConfigMap that publishes the result while a preflight is requested. */
export const RESULT_NAME = "preflight-result";

/** In UTF-16 code units of up to three bytes, since a ConfigMap holds 1 MiB. */
const MAX_PROPOSAL_LENGTH = 200_000;

/**
 * The ConfigMap's keys: "proposal.json", the parts of ClusterVersion's status about the target as an operator would write them;
 * "held.json", input of the next lift; "document.json", the runner's document.
 */
export function buildResultConfigMap(
  result: LiftResult,
  document: PreflightDocument | undefined,
  present?: JsonObject,
): JsonObject {
  const known = parseObject(textAt(present, "data", "proposal.json") ?? "");
  const data = {
    "proposal.json": formatJson(withKnownTimes(buildBoundedProposal(result), known)),
    ...(result.retained ? { "held.json": formatJson(result.retained) } : {}),
    ...(document ? { "document.json": formatJson(document) } : {}),
  };
  return { ...buildConfigMap(RESULT_NAME), data };
}

/** The last lift's retained result. */
export function getRetainedResult(result: JsonObject | undefined): RetainedResult | undefined {
  return parseRetainedResult(textAt(result, "data", "held.json") ?? "");
}

/** Leaves out other sources' risks if they are too long; risks still lists all names. */
function buildBoundedProposal(result: LiftResult): JsonObject {
  const whole = buildProposal(result, () => true);
  if (formatJson(whole).length <= MAX_PROPOSAL_LENGTH) return whole;
  const ownNames = new Set(result.retained?.risks.map(nameOf));
  return buildProposal(result, (risk) => ownNames.has(nameOf(risk)));
}

function buildProposal(
  { status, retained, conditions, problems }: LiftResult,
  isShown: (risk: JsonObject) => boolean,
): JsonObject {
  const updates = objectsAt(status, "conditionalUpdates").filter((one) => versionOf(one) === retained?.target);
  const names = new Set(updates.flatMap(risksOf).map(nameOf));
  const risks = objectsAt(status, "conditionalUpdateRisks").filter((risk) => names.has(nameOf(risk)));
  return {
    conditionalUpdates: updates.map((update) => ({ ...update, risks: risksOf(update).filter(isShown) })),
    conditionalUpdateRisks: risks.filter(isShown),
    conditions,
    problems,
  };
}

/**
 * The value with the transition times of its last version, wherever a condition's status is the same. An operator sets the times of its
 * conditions anew when it fetches the updates again, which changes nothing for a reader.
 */
export function withKnownTimes(next: Json, known: Json | undefined): Json {
  if (isList(next)) {
    const before = isList(known) ? known : [];
    return next.map((item) =>
      withKnownTimes(
        item,
        before.find((one) => keyOf(one) === keyOf(item)),
      ),
    );
  }
  if (!isObject(next)) return next;
  const entries = Object.entries(next).map(([key, value]) => [key, withKnownTimes(value, at(known, key))] as const);
  return keepTransitionTime(Object.fromEntries(entries), known);
}

/** What identifies an update, a risk or a condition in its list. */
function keyOf(item: Json): string {
  return textAt(item, "release", "version") ?? textAt(item, "name") ?? textAt(item, "type") ?? "";
}

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
