import { isPreflightMode } from "../lift/objects/preflight-mode.ts";
import { type JsonObject, textAt } from "../model/json.ts";

/** Of the result: the pull spec for which the controller itself has set spec.desiredUpdate.mode. */
export const MODE_KEY = "mode-image";

/** Was the mode that stands set by us? One that somebody else set is never touched. */
export function isOurMode(clusterVersion: JsonObject, result: JsonObject | undefined): boolean {
  const image = textAt(result, "data", MODE_KEY);
  if (image === undefined || !isPreflightMode(clusterVersion)) return false;
  return textAt(clusterVersion, "spec", "desiredUpdate", "image") === image;
}

/** What is to be kept in the result for as long as a mode of ours stands: taking it back can fail. */
export function buildModeRecord(clusterVersion: JsonObject, result: JsonObject | undefined): JsonObject {
  return isOurMode(clusterVersion, result) ? { [MODE_KEY]: textAt(result, "data", MODE_KEY) ?? "" } : {};
}
