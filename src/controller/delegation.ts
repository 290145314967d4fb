import { buildClearModeEdit, isPreflightMode, buildModeEdit } from "../lift/objects/cluster-version-edit.ts";
import { buildConfigMap } from "../lift/objects/preflight-request.ts";
import { RESULT_NAME } from "../lift/preflight-result.ts";
import { type Action, buildEditActions, buildConfigMapActions } from "./action.ts";
import { textAt } from "../model/json.ts";
import {
  type RequestedPreflight,
  isOurMode,
  MODE_KEY,
  buildPinRecord,
  buildProposedRecord,
} from "./desired-preflight.ts";
import type { Observation } from "./observation.ts";
import { CLUSTER_VERSION } from "./api/api-paths.ts";
import { RESULT_KEYS } from "./publication-actions.ts";

/** Whether the operator serves the request itself; the controller then runs nothing and publishes nothing. */
export function isDelegated(
  observation: Observation,
  { trigger, payload }: RequestedPreflight,
  useMode: boolean,
): boolean {
  const { clusterVersion, fields, operator, result } = observation;
  if (operator.kind !== "running" || !operator.canServeMode) return false;
  if (trigger === "mode") return true;
  if (!useMode || (isPreflightMode(clusterVersion) && !isOurMode(clusterVersion, result))) return false;
  return buildModeEdit(clusterVersion, fields, true, payload).kind !== "refused";
}

/**
 * Delegates a request through the mode, one step per reconciliation: withdraw a mode for another target, record that the mode is ours, and
 * only then set it. So a mode of ours is recognized as ours after a crash at any point.
 */
export function delegateActions(observation: Observation, desired: RequestedPreflight): readonly Action[] {
  const { trigger, payload } = desired;
  if (trigger === "mode" || payload.kind === "refused") return [];
  const { clusterVersion, fields, result } = observation;
  const isOther = textAt(result, "data", MODE_KEY) !== payload.image;
  if (isOther && isOurMode(clusterVersion, result)) return planModeWithdrawal(observation);
  const data = {
    [MODE_KEY]: payload.image,
    ...buildPinRecord(desired, clusterVersion, true),
    ...buildProposedRecord(desired),
  };
  const recordActions = buildConfigMapActions(
    "result",
    "record that the controller sets the mode",
    result,
    { ...buildConfigMap(RESULT_NAME), data },
    RESULT_KEYS,
  );
  if (recordActions.length > 0) return recordActions;
  const edit = buildModeEdit(clusterVersion, fields, true, payload);
  return buildEditActions("mode", "request the preflight through spec.desiredUpdate.mode", CLUSTER_VERSION, edit);
}

/** Removes mode and target in one patch: an operator that doesn't know the mode would read a lone target as an update. */
export function planModeWithdrawal({ clusterVersion, result }: Observation): readonly Action[] {
  if (!isOurMode(clusterVersion, result)) return [];
  return buildEditActions(
    "mode",
    "withdraw spec.desiredUpdate.mode",
    CLUSTER_VERSION,
    buildClearModeEdit(clusterVersion),
  );
}
