import type { RequestedPayload } from "../lift/objects/payload.ts";
import type { RunnerOptions } from "../lift/objects/preflight-request.ts";
import { at, flagAt, type JsonObject, numberAt, objectAt, textAt } from "../model/json.ts";
import { getAge } from "../model/time.ts";
import { type Action, buildApplyAction, buildDeleteAction, isSupersetOf, buildUidPrecondition } from "./action.ts";
import type { Observation } from "./observation.ts";
import { RUNNER, RUNNER_NAME } from "./api/api-paths.ts";
import type { RunnerSettings } from "./runner/runner-deployment.ts";
import { buildRunnerDeployment, hasTargetImage, isOurDeployment, runLabelOf } from "./runner/runner-deployment.ts";

/**
 * Applies or deletes the Deployment. One for another target or other settings is deleted first: its pods are then never mistaken for the new
 * ones, and a pod on a lost node doesn't keep a rollout waiting.
 */
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
  const canStart = findPredecessor(pods, now) === undefined;
  if (!deployment) return canStart ? [applyAction] : [];
  // It is applied again once the old one is deleted.
  if (isTerminating) return [];
  if (!hasTargetImage(deployment, payload.image) || !hasSpec(deployment, desired))
    return [buildRunnerDeletion(deployment), ...(canStart ? [applyAction] : [])];
  return isSupersetOf(at(deployment, "metadata"), objectAt(desired, "metadata")) ? [] : [applyAction];
}

/**
 * Whether the Deployment has the desired settings. What the API server and admission plugins made of them at its creation is left alone, or
 * the controller would write for ever; what somebody changed later is not, and an apply can't take back what they added.
 */
function hasSpec(deployment: JsonObject, desired: JsonObject): boolean {
  const spec = objectAt(deployment, "spec");
  const desiredSpec = objectAt(desired, "spec");
  if (runLabelOf(spec["template"]) !== runLabelOf(desiredSpec["template"])) return false;
  if (numberAt(deployment, "metadata", "generation") === 1) return true;
  return flagAt(spec, "paused") !== true && isSupersetOf(spec, desiredSpec);
}

/** How long after its deletion a pod may still run. On a lost node its object stays forever. */
const MAX_TERMINATION_MS = 60_000;

/** The name of a runner's pod that still runs. Its successor waits, since the document has one writer and the node's port one listener. */
export function findPredecessor(pods: readonly JsonObject[], now: Date): string | undefined {
  const names = pods.filter((pod) => isRunning(pod, now)).map((pod) => textAt(pod, "metadata", "name") ?? "");
  return names.toSorted()[0];
}

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
