import { clearModeEdit, isByMode, modeEdit } from "../lift/mode.ts";
import { configMap } from "../lift/request.ts";
import { RESULT_NAME } from "../lift/result.ts";
import { type Action, editing, savingConfigMap } from "./action.ts";
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

/** A request is passed on by the mode: first it is written down that the mode is ours, so that it is taken back whatever happens. */
export function passedOn(seen: Observed, { by, payload }: Preflight): readonly Action[] {
  if (by === "mode" || payload.kind === "refused") return [];
  const { clusterVersion, fields, result } = seen;
  const wanted = { ...configMap(RESULT_NAME), data: { [MODE_KEY]: payload.image } };
  const edit = modeEdit(clusterVersion, fields, true, payload);
  return [
    ...savingConfigMap("result", "write down that the mode is ours", result, wanted, RESULT_KEYS),
    ...editing("mode", "ask the operator by the mode Preflight", CLUSTER_VERSION, edit),
  ];
}

/** To an operator that doesn't know the mode, the rest of the request would be an update: both leave together, and at once. */
export function withdrawnMode({ clusterVersion, result }: Observed): readonly Action[] {
  if (!isOurMode(clusterVersion, result)) return [];
  return editing("mode", "take the mode Preflight back", CLUSTER_VERSION, clearModeEdit(clusterVersion));
}
