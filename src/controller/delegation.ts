import { buildClearModeEdit, isPreflightMode, buildModeEdit } from "../lift/objects/preflight-mode.ts";
import { buildConfigMap } from "../lift/objects/preflight-request.ts";
import { RESULT_NAME } from "../lift/preflight-result.ts";
import { type Action, buildEditActions, buildConfigMapActions } from "./action.ts";
import { textAt } from "../model/json.ts";
import type { RequestedPreflight } from "./desired-preflight.ts";
import { isOurMode, MODE_KEY } from "./mode-record.ts";
import type { Observation } from "./observation.ts";
import { CLUSTER_VERSION } from "./api/api-paths.ts";
import { RESULT_KEYS } from "./publication-actions.ts";

/** Does the operator serve it? Then the controller runs and says nothing. */
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
 * A request is passed on by the mode, one step a look: what was asked for another target is taken back, it is written down that the mode
 * is ours, and only where that is seen to stand the mode is set. So a mode of ours is known as ours, wherever it ends.
 */
export function delegateActions(observation: Observation, { trigger, payload }: RequestedPreflight): readonly Action[] {
  if (trigger === "mode" || payload.kind === "refused") return [];
  const { clusterVersion, fields, result } = observation;
  const isOther = textAt(result, "data", MODE_KEY) !== payload.image;
  if (isOther && isOurMode(clusterVersion, result)) return planModeWithdrawal(observation);
  const desired = { ...buildConfigMap(RESULT_NAME), data: { [MODE_KEY]: payload.image } };
  const recordActions = buildConfigMapActions(
    "result",
    "write down that the mode is ours",
    result,
    desired,
    RESULT_KEYS,
  );
  if (recordActions.length > 0) return recordActions;
  const edit = buildModeEdit(clusterVersion, fields, true, payload);
  return buildEditActions("mode", "ask the operator by the mode Preflight", CLUSTER_VERSION, edit);
}

/** To an operator that doesn't know the mode, the rest of the request would be an update: both leave together, and at once. */
export function planModeWithdrawal({ clusterVersion, result }: Observation): readonly Action[] {
  if (!isOurMode(clusterVersion, result)) return [];
  return buildEditActions("mode", "take the mode Preflight back", CLUSTER_VERSION, buildClearModeEdit(clusterVersion));
}
