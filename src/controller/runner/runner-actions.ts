import type { RequestedPayload } from "../../lift/objects/payload.ts";
import type { RunnerOptions } from "../../lift/objects/runner-options.ts";
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

/** Applies or deletes the Deployment. One for another target is deleted first, so that its pods are never mistaken for the new ones. */
export function planRunner(
  { deployment, pods }: Observation,
  payload: RequestedPayload | undefined,
  settings: RunnerSettings,
  now: Date,
  options: RunnerOptions = {},
): readonly Action[] {
  if (deployment && !isOurDeployment(deployment)) return [];
  const isTerminating = textAt(deployment, "metadata", "deletionTimestamp") !== undefined;
  if (payload === undefined || payload.kind === "refused")
    return deployment && !isTerminating ? [buildRunnerDeletion(deployment)] : [];
  const desired = buildRunnerDeployment(payload, settings, options);
  const applyAction = buildApplyAction("runner", "apply the runner's Deployment", RUNNER, desired);
  const canStart = !pods.some((pod) => isRunning(pod, now));
  if (!deployment) return canStart ? [applyAction] : [];
  // It is applied again once the old one is deleted.
  if (isTerminating) return [];
  if (!hasTargetImage(deployment, payload.image))
    return [buildRunnerDeletion(deployment), ...(canStart ? [applyAction] : [])];
  return isSupersetOf(deployment, desired) ? [] : [applyAction];
}

/** How long after its deletion a pod may still run. On a lost node its object stays forever. */
const MAX_TERMINATION_MS = 60_000;

/** Whether a runner's pod still runs. Its successor waits, since the document has one writer and the node's port one listener. */
function isRunning(pod: JsonObject, now: Date): boolean {
  const phase = textAt(pod, "status", "phase");
  if (runLabelOf(pod) === undefined || phase === "Succeeded" || phase === "Failed") return false;
  return (getAge(textAt(pod, "metadata", "deletionTimestamp"), now) ?? 0) < MAX_TERMINATION_MS;
}

/** Why the controller can't manage the Deployment, or undefined if it can. */
export function describeForeignRunner(deployment: JsonObject | undefined): string | undefined {
  if (!deployment || isOurDeployment(deployment)) return undefined;
  return `Deployment ${RUNNER_NAME} exists and was not created by this controller. Delete it, or delete the request.`;
}

function buildRunnerDeletion(deployment: JsonObject): Action {
  return buildDeleteAction("runner", "delete the runner's Deployment", RUNNER, buildUidPrecondition(deployment));
}
