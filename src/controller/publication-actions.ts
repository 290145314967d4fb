import {
  CONDITION_TYPES,
  replacePreflightConditions,
  selectPreflightConditions,
} from "../lift/progress/preflight-conditions.ts";
import { getAcceptedRisks, buildOptimisticLock } from "../lift/objects/cluster-version.ts";
import {
  buildHistoryEntry,
  buildHistoryConfigMap,
  parseHistory,
  addHistoryEntry,
  buildResultConfigMap,
} from "../lift/preflight-result.ts";
import type { LiftResult } from "../lift/lift.ts";
import type { PreflightDocument } from "../model/document.ts";
import { type JsonObject, listAt, objectAt, textAt } from "../model/json.ts";
import { type Action, isDeepEqual, buildPatchAction, buildReplaceAction, buildConfigMapActions } from "./action.ts";
import { describeDroppedConditions, sortByType } from "./dropped-conditions.ts";
import { FAILURE_DEADLINE_KEY, FAILURE_START_KEY } from "./failure-deadline.ts";
import { MODE_KEY, buildModeRecord, PINNED_TARGET_KEY, PROPOSED_KEY } from "./desired-preflight.ts";
import type { Observation } from "./observation.ts";
import { CLUSTER_VERSION, FIELD_MANAGER } from "./api/api-paths.ts";

const STATUS = `${CLUSTER_VERSION}/status`;
/** The keys that the controller writes in preflight-result. */
export const RESULT_KEYS = [
  "proposal.json",
  "held.json",
  "document.json",
  FAILURE_START_KEY,
  FAILURE_DEADLINE_KEY,
  MODE_KEY,
  PINNED_TARGET_KEY,
  PROPOSED_KEY,
];
const HISTORY_KEYS = ["history.json"];

/** The ConfigMap preflight-result. */
export function planResult(
  observation: Observation,
  liftResult: LiftResult,
  record: Readonly<Record<string, string>>,
): readonly Action[] {
  const problems = [...liftResult.problems, ...describeDroppedConditions(observation, liftResult)];
  const result = buildResultConfigMap(
    { ...liftResult, problems },
    findPublishableDocument(observation, liftResult),
    observation.result,
  );
  const kept = { ...record, ...buildModeRecord(observation.clusterVersion, observation.result) };
  const desired = { ...result, data: { ...objectAt(result, "data"), ...kept } };
  return buildConfigMapActions("result", "update ConfigMap preflight-result", observation.result, desired, RESULT_KEYS);
}

/** In UTF-16 code units, since a ConfigMap holds 1 MiB. The runner's documents are far smaller. */
const MAX_DOCUMENT_LENGTH = 250_000;

/** Why a document belongs to another request. One that counts as missing was left behind. */
const FOREIGN_REASONS = ["DocumentBeforeRequest", "DocumentMissing", "OtherPayload", "OtherSource", "OtherTarget"];

/** The document, if it is about the requested update; its outcome doesn't matter. */
function findPublishableDocument(
  { document: state }: Observation,
  { conditions }: LiftResult,
): PreflightDocument | undefined {
  if (state.kind !== "read") return undefined;
  const completed = conditions.find(({ type }) => type === "PreflightCompleted");
  const isForeign = completed !== undefined && FOREIGN_REASONS.includes(completed.reason);
  return !isForeign && JSON.stringify(state.document).length <= MAX_DOCUMENT_LENGTH ? state.document : undefined;
}

/** Adds the current completed result to the history. */
export function planHistory(observation: Observation, { retained }: LiftResult): readonly Action[] {
  if (observation.document.kind !== "read" || retained === undefined) return [];
  const { document } = observation.document;
  const isRetained = retained.observedAt === document.observedAt && retained.target === document.targetVersion;
  const entry = isRetained ? buildHistoryEntry(document, getAcceptedRisks(observation.clusterVersion)) : undefined;
  if (!entry || entry.source !== retained.source) return [];
  const desired = buildHistoryConfigMap(addHistoryEntry(parseHistory(observation.history), entry));
  return buildConfigMapActions(
    "history",
    "update ConfigMap preflight-history",
    observation.history,
    desired,
    HISTORY_KEYS,
  );
}

/** Replaces ClusterVersion's whole status while no operator manages it; only our entries differ. */
export function planStatus({ clusterVersion }: Observation, status: JsonObject): readonly Action[] {
  if (isDeepEqual(objectAt(clusterVersion, "status"), status)) return [];
  return [buildReplaceAction("status", "update ClusterVersion's status", STATUS, { ...clusterVersion, status })];
}

/**
 * Sets our three conditions, or removes them, and keeps all others. Like the whole status this is an update under a resource version, never
 * a server-side apply: removing an applied condition that an update also owns would leave an invalid half of it.
 */
export function planConditions({ clusterVersion }: Observation, desired: readonly JsonObject[]): readonly Action[] {
  if (isDeepEqual(sortByType(selectPreflightConditions(clusterVersion)), sortByType(desired))) return [];
  const description = desired.length > 0 ? "update the Preflight conditions" : "remove the Preflight conditions";
  const conditions = replacePreflightConditions(listAt(clusterVersion, "status", "conditions"), desired);
  return [
    buildPatchAction("conditions", description, STATUS, {
      ...buildOptimisticLock(clusterVersion),
      status: { conditions },
    }),
  ];
}

/** Whether the controller wrote one of the present Preflight conditions, as managedFields record it. */
export function ownsConditions(clusterVersion: JsonObject): boolean {
  return listAt(clusterVersion, "metadata", "managedFields")
    .filter((one) => textAt(one, "manager") === FIELD_MANAGER)
    .map((one) => objectAt(one, "fieldsV1", "f:status", "f:conditions"))
    .some((fields) => CONDITION_TYPES.some((type) => `k:${JSON.stringify({ type })}` in fields));
}
