import type { Payload } from "../../lift/objects/payload.ts";
import type { JsonObject } from "../../model/json.ts";
import { textAt } from "../../model/json.ts";
import { getAge } from "../../model/time.ts";
import { type Action, buildApplyAction, buildDeleteAction, isSupersetOf, buildUidPrecondition } from "../action.ts";
import type { Observation } from "../observation.ts";
import { RUNNER, RUNNER_NAME } from "../api/api-paths.ts";
import {
  hasTargetImage,
  isOurDeployment,
  buildRunnerDeployment,
  type RunnerSettings,
  runLabelOf,
} from "./runner-deployment.ts";

/** The Deployment as it should be, or none. Another target's is deleted first, so that no runner is taken for another's. */
export function planRunner(
  { deployment, pods }: Observation,
  payload: Payload | undefined,
  settings: RunnerSettings,
  now: Date,
): readonly Action[] {
  if (deployment && !isOurDeployment(deployment)) return [];
  const isTerminating = textAt(deployment, "metadata", "deletionTimestamp") !== undefined;
  if (payload === undefined || payload.kind === "refused")
    return deployment && !isTerminating ? [buildRunnerDeletion(deployment)] : [];
  const desired = buildRunnerDeployment(payload, settings);
  const applyAction = buildApplyAction("runner", "make the runner's Deployment", RUNNER, desired);
  const canStart = !pods.some((pod) => isRunning(pod, now));
  if (!deployment) return canStart ? [applyAction] : [];
  // It is made again when it is gone.
  if (isTerminating) return [];
  if (!hasTargetImage(deployment, payload.image))
    return [buildRunnerDeletion(deployment), ...(canStart ? [applyAction] : [])];
  return isSupersetOf(deployment, desired) ? [] : [applyAction];
}

/** How long after its end a pod may still be listed although it runs no more: on a node that is gone it is for ever. */
const MAX_TERMINATION_MS = 60_000;

/**
 * Does a pod of ours still run, whose Deployment is gone or goes? Its successor waits: there is one writer of the document, and one
 * listener on the node's port.
 */
function isRunning(pod: JsonObject, now: Date): boolean {
  const phase = textAt(pod, "status", "phase");
  if (runLabelOf(pod) === undefined || phase === "Succeeded" || phase === "Failed") return false;
  return (getAge(textAt(pod, "metadata", "deletionTimestamp"), now) ?? 0) < MAX_TERMINATION_MS;
}

/** Why the runner can't be ours to keep, or undefined where it can. */
export function describeForeignRunner(deployment: JsonObject | undefined): string | undefined {
  if (!deployment || isOurDeployment(deployment)) return undefined;
  return `There is a Deployment ${RUNNER_NAME} already that this controller has not made: delete it, or let it run instead.`;
}

function buildRunnerDeletion(deployment: JsonObject): Action {
  return buildDeleteAction("runner", "delete the runner's Deployment", RUNNER, buildUidPrecondition(deployment));
}
