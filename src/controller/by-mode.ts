import { clearModeEdit, isByMode, modeEdit } from "../lift/mode.ts";
import { configMap } from "../lift/request.ts";
import { RESULT_NAME } from "../lift/result.ts";
import { type Action, editing, savingConfigMap } from "./action.ts";
import { textAt } from "../model/json.ts";
import type { Asked } from "./asked.ts";
import { isOurMode, MODE_KEY } from "./mode-record.ts";
import type { Observed } from "./observed.ts";
import { CLUSTER_VERSION } from "./places.ts";
import { RESULT_KEYS } from "./publish.ts";

type Preflight = Extract<Asked, { kind: "preflight" }>;

/** Does the operator serve it? Then the controller runs and says nothing. */
export function isLeft(seen: Observed, { by, payload }: Preflight, useMode: boolean): boolean {
  const { clusterVersion, fields, operator, result } = seen;
  if (operator.kind !== "running" || !operator.servesMode) return false;
  if (by === "mode") return true;
  if (!useMode || (isByMode(clusterVersion) && !isOurMode(clusterVersion, result))) return false;
  return modeEdit(clusterVersion, fields, true, payload).kind !== "refused";
}

/**
 * A request is passed on by the mode, one step a look: what was asked for another target is taken back, it is written down that the mode
 * is ours, and only where that is seen to stand the mode is set. So a mode of ours is known as ours, wherever it ends.
 */
export function passedOn(seen: Observed, { by, payload }: Preflight): readonly Action[] {
  if (by === "mode" || payload.kind === "refused") return [];
  const { clusterVersion, fields, result } = seen;
  const isOther = textAt(result, "data", MODE_KEY) !== payload.image;
  if (isOther && isOurMode(clusterVersion, result)) return withdrawnMode(seen);
  const wanted = { ...configMap(RESULT_NAME), data: { [MODE_KEY]: payload.image } };
  const recording = savingConfigMap("result", "write down that the mode is ours", result, wanted, RESULT_KEYS);
  if (recording.length > 0) return recording;
  const edit = modeEdit(clusterVersion, fields, true, payload);
  return editing("mode", "ask the operator by the mode Preflight", CLUSTER_VERSION, edit);
}

/** To an operator that doesn't know the mode, the rest of the request would be an update: both leave together, and at once. */
export function withdrawnMode({ clusterVersion, result }: Observed): readonly Action[] {
  if (!isOurMode(clusterVersion, result)) return [];
  return editing("mode", "take the mode Preflight back", CLUSTER_VERSION, clearModeEdit(clusterVersion));
}
