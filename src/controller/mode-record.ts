import { isPreflightMode } from "../lift/objects/preflight-mode.ts";
import { type JsonObject, textAt } from "../model/json.ts";

/** Key of preflight-result: the pull spec for which the controller set spec.desiredUpdate.mode. */
export const MODE_KEY = "mode-image";

/** Whether the controller set the present mode. It never touches a mode set by somebody else. */
export function isOurMode(clusterVersion: JsonObject, result: JsonObject | undefined): boolean {
  const image = textAt(result, "data", MODE_KEY);
  if (image === undefined || !isPreflightMode(clusterVersion)) return false;
  return textAt(clusterVersion, "spec", "desiredUpdate", "image") === image;
}

/** The record to keep in the result while our mode is set, since withdrawing the mode can fail. */
export function buildModeRecord(clusterVersion: JsonObject, result: JsonObject | undefined): JsonObject {
  return isOurMode(clusterVersion, result) ? { [MODE_KEY]: textAt(result, "data", MODE_KEY) ?? "" } : {};
}
