import type { Payload } from "../lift/target.ts";
import type { JsonObject } from "../model/json.ts";
import { textAt } from "../model/json.ts";
import { type Action, applying, deleting, says, uidOf } from "./action.ts";
import type { Observed } from "./observed.ts";
import { RUNNER, RUNNER_NAME } from "./places.ts";
import { isForImage, isOurs, runnerDeployment, type RunnerSettings } from "./runner-deployment.ts";

/** The Deployment as it should be, or none. Another target's is deleted first, so that no runner is taken for another's. */
export function runnerActions(
  { deployment }: Observed,
  payload: Payload | undefined,
  settings: RunnerSettings,
): readonly Action[] {
  if (deployment && !isOurs(deployment)) return [];
  const isGoing = textAt(deployment, "metadata", "deletionTimestamp") !== undefined;
  if (payload === undefined || payload.kind === "refused") return deployment && !isGoing ? [deleted(deployment)] : [];
  const wanted = runnerDeployment(payload, settings);
  const make = applying("runner", "make the runner's Deployment", RUNNER, wanted);
  if (!deployment) return [make];
  // It is made again when it is gone.
  if (isGoing) return [];
  if (!isForImage(deployment, payload.image)) return [deleted(deployment), make];
  return says(deployment, wanted) ? [] : [make];
}

/** Why the runner can't be ours to keep, or undefined where it can. */
export function foreignRunner(deployment: JsonObject | undefined): string | undefined {
  if (!deployment || isOurs(deployment)) return undefined;
  return `There is a Deployment ${RUNNER_NAME} already that this controller has not made: delete it, or let it run instead.`;
}

function deleted(deployment: JsonObject): Action {
  return deleting("runner", "delete the runner's Deployment", RUNNER, uidOf(deployment));
}
