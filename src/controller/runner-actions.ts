import type { Payload } from "../lift/target.ts";
import type { JsonObject } from "../model/json.ts";
import { textAt } from "../model/json.ts";
import { ageOf } from "../model/time.ts";
import { type Action, applying, deleting, says, uidOf } from "./action.ts";
import type { Observed } from "./observed.ts";
import { RUNNER, RUNNER_NAME } from "./places.ts";
import { isForImage, isOurs, runnerDeployment, type RunnerSettings, runOf } from "./runner-deployment.ts";

/** The Deployment as it should be, or none. Another target's is deleted first, so that no runner is taken for another's. */
export function runnerActions(
  { deployment, pods }: Observed,
  payload: Payload | undefined,
  settings: RunnerSettings,
  now: Date,
): readonly Action[] {
  if (deployment && !isOurs(deployment)) return [];
  const isGoing = textAt(deployment, "metadata", "deletionTimestamp") !== undefined;
  if (payload === undefined || payload.kind === "refused") return deployment && !isGoing ? [deleted(deployment)] : [];
  const wanted = runnerDeployment(payload, settings);
  const make = applying("runner", "make the runner's Deployment", RUNNER, wanted);
  const isFree = !pods.some((pod) => goesOn(pod, now));
  if (!deployment) return isFree ? [make] : [];
  // It is made again when it is gone.
  if (isGoing) return [];
  if (!isForImage(deployment, payload.image)) return [deleted(deployment), ...(isFree ? [make] : [])];
  return says(deployment, wanted) ? [] : [make];
}

/** How long after its end a pod may still be listed although it runs no more: on a node that is gone it is for ever. */
const LONGEST_END_MS = 60_000;

/**
 * Does a pod of ours still run, whose Deployment is gone or goes? Its successor waits: there is one writer of the document, and one
 * listener on the node's port.
 */
function goesOn(pod: JsonObject, now: Date): boolean {
  const phase = textAt(pod, "status", "phase");
  if (runOf(pod) === undefined || phase === "Succeeded" || phase === "Failed") return false;
  return (ageOf(textAt(pod, "metadata", "deletionTimestamp"), now) ?? 0) < LONGEST_END_MS;
}

/** Why the runner can't be ours to keep, or undefined where it can. */
export function foreignRunner(deployment: JsonObject | undefined): string | undefined {
  if (!deployment || isOurs(deployment)) return undefined;
  return `There is a Deployment ${RUNNER_NAME} already that this controller has not made: delete it, or let it run instead.`;
}

function deleted(deployment: JsonObject): Action {
  return deleting("runner", "delete the runner's Deployment", RUNNER, uidOf(deployment));
}
