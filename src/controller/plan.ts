import { type LiftResult, lift } from "../lift/lift.ts";
import { type PrefixForm, buildOptimisticLock } from "../lift/objects/cluster-version.ts";
import { setTransitionTime } from "../lift/objects/conditions.ts";
import type { RequestedPayload } from "../lift/objects/payload.ts";
import { type RunnerOptions, allowsUnverified, getWindowPhase } from "../lift/objects/preflight-request.ts";
import { getRetainedResult } from "../lift/preflight-result.ts";
import { CONDITION_TYPES, replacePreflightConditions } from "../lift/progress/preflight-conditions.ts";
import type { RunnerState } from "../lift/progress/runner-state.ts";
import { isUpdating } from "../model/cluster-version.ts";
import { type JsonObject, at, flagAt, listAt, numberAt, objectAt, textAt } from "../model/json.ts";
import { findCondition } from "../model/object.ts";
import { getAge } from "../model/time.ts";
import { type Action, buildApplyAction, buildDeleteAction, buildUidPrecondition, isSupersetOf } from "./action.ts";
import { REQUEST, RESULT, RUNNER, RUNNER_NAME } from "./api/api-paths.ts";
import { delegateActions, isDelegated, planModeWithdrawal } from "./delegation.ts";
import type { DesiredPreflight, RequestedPreflight } from "./desired-preflight.ts";
import { buildPinRecord, buildProposedRecord, getDesiredPreflight, isOurMode } from "./desired-preflight.ts";
import { withoutDroppedConditions } from "./dropped-conditions.ts";
import { findFailureDeadline, judgeFailure } from "./failure-deadline.ts";
import type { Observation } from "./observation.ts";
import { ownsConditions, planConditions, planHistory, planResult, planStatus } from "./publication-actions.ts";
import { findKnownFailure, keepKnownText } from "./runner/pod-failures.ts";
import type { RunnerSettings } from "./runner/runner-deployment.ts";
import { buildRunnerDeployment, hasTargetImage, isOurDeployment, runLabelOf } from "./runner/runner-deployment.ts";
import { diagnoseRunner } from "./runner/runner-pod.ts";
import { judgeSignature } from "./signature.ts";

export type ControllerSettings = {
  readonly runner: RunnerSettings;
  /** Write risks into ClusterVersion's status while no operator runs. */
  readonly writeStatus: boolean;
  /** Delegate requests through spec.desiredUpdate.mode to an operator that advertises the mode. */
  readonly useMode: boolean;
  readonly form: PrefixForm;
  /** How long a runner may be without a usable document before that is a failure. */
  readonly patienceSeconds: number;
  /** How long a preflight may fail before its runner is removed. */
  readonly failureDeadlineSeconds: number;
};

type PlanInput = { readonly observation: Observation; readonly settings: ControllerSettings; readonly now: Date };

/**
 * Plans the writes that bring the cluster to the desired state, as a pure function of the observation. The order allows a crash after any
 * write. Without a difference the plan is empty.
 */
export function plan(observation: Observation, settings: ControllerSettings, now: Date): readonly Action[] {
  const input = { observation, settings, now };
  const desired = getDesiredPreflight(observation, now);
  if (desired.kind === "none") return planCleanup(input);
  if (isUpdating(observation.clusterVersion))
    return [...planCleanup(input), ...planDeletion("request", REQUEST, observation.request)];
  if (desired.kind === "invalid") return planRejection(input, desired);
  if (isDelegated(observation, desired, settings.useMode)) return planDelegation(input, desired);
  return planPreflight(input, desired);
}

function planPreflight(input: PlanInput, desired: RequestedPreflight): readonly Action[] {
  const { observation, settings, now } = input;
  const lifted = liftDocument(input, desired);
  const { result, record, isOver } = judgeFailure(observation, desired, lifted, settings.failureDeadlineSeconds, now);
  const isVerified = judgeSignature(observation, desired).kind === "verified";
  const mayRun = observation.misplacement === undefined && isVerified;
  const isRunnerDesired = !isOver && mayRun && getWindowPhase(desired.request, now) === "within";
  const payload = isRunnerDesired ? desired.payload : undefined;
  return [
    ...planModeWithdrawal(observation),
    ...planResult(observation, result, {
      ...record,
      ...buildPinRecord(desired, observation.clusterVersion, isVerified),
      ...buildProposedRecord(desired),
    }),
    ...planHistory(observation, result),
    ...planRunner(observation, payload, settings.runner, now, desired.request.runner),
    ...planClusterVersion(observation, result, settings),
  ];
}

function liftDocument(input: PlanInput, desired: RequestedPreflight): LiftResult {
  const { observation, settings, now } = input;
  const { clusterVersion, fields, document, result } = observation;
  const { form, patienceSeconds } = settings;
  const preflight = {
    target: desired.request.target,
    runner: getRunnerState(input, desired),
    allowsUnverified: allowsUnverified(desired.request.runner),
    document,
    requestedAt: desired.requestedAt,
    pinned: desired.pinned,
  };
  const retained = getRetainedResult(result);
  return lift({ clusterVersion, fields, preflight, retained, now, form, patienceSeconds });
}

function getRunnerState(input: PlanInput, desired: RequestedPreflight): RunnerState {
  const state = findRunnerState(input, desired);
  const known = findKnownFailure(input.observation.result);
  if (state.kind === "down") return keepKnownText(state, known);
  return state.kind === "restarted" ? { ...state, failure: keepKnownText(state.failure, known) } : state;
}

function findRunnerState({ observation, now }: PlanInput, desired: RequestedPreflight): RunnerState {
  const { request, payload, key } = desired;
  const window = getWindowPhase(request, now);
  if (payload.kind === "refused" || findFailureDeadline(observation.result, key)) return { kind: "stopped" };
  if (window === "over" && request.until) return { kind: "windowOver", until: request.until };
  if (observation.misplacement !== undefined)
    return { kind: "down", reason: "Unschedulable", message: observation.misplacement };
  if (window === "before" && request.notBefore) return { kind: "waiting", notBefore: request.notBefore };
  const signature = judgeSignature(observation, desired);
  if (signature.kind === "pending") return { kind: "verifying" };
  if (signature.kind === "notVerified")
    return { kind: "down", reason: "SignatureNotVerified", message: signature.message };
  const refusal = describeForeignRunner(observation.deployment) ?? observation.deploymentRefusal;
  if (refusal !== undefined) return { kind: "down", reason: "DeploymentRefused", message: refusal };
  if (!observation.deployment || !hasTargetImage(observation.deployment, payload.image))
    return { kind: "stopped", predecessor: findPredecessor(observation.pods, now) };
  return diagnoseRunner(observation.deployment, observation.pods, observation.mountFailures, now);
}

/** A running operator rewrites its status at every sync, so the controller then writes its conditions only. */
function planClusterVersion(
  observation: Observation,
  publication: Pick<LiftResult, "status" | "conditions">,
  { writeStatus }: ControllerSettings,
): readonly Action[] {
  const { status, conditions } = withoutDroppedConditions(observation, publication);
  if (writeStatus && observation.operator.kind === "absent") return planStatus(observation, status);
  return planConditions(observation, conditions);
}

/** Without a request, everything is removed but the history. */
function planCleanup(input: PlanInput): readonly Action[] {
  const { clusterVersion, fields } = input.observation;
  const { status } = lift({ clusterVersion, fields, now: input.now });
  return planRemoval(input, planClusterVersionCleanup(input, status));
}

/** `published`: what is written of ClusterVersion instead of the preflight's state. */
function planRemoval({ observation, settings, now }: PlanInput, published: readonly Action[]): readonly Action[] {
  return [
    ...planModeWithdrawal(observation),
    ...planRunner(observation, undefined, settings.runner, now),
    ...published,
    ...planResultDeletion(observation),
  ];
}

/** An operator that serves the mode reports the preflight's state itself. */
function planDelegation(input: PlanInput, desired: RequestedPreflight): readonly Action[] {
  const { observation, settings, now } = input;
  return [
    ...planRunner(observation, undefined, settings.runner, now),
    ...planClusterVersionCleanup(input, {}),
    ...(desired.trigger === "mode" ? planResultDeletion(observation) : delegateActions(observation, desired)),
  ];
}

/** An operator that serves the mode uses the same condition types, so only conditions that the controller wrote are removed. */
function planClusterVersionCleanup({ observation, settings }: PlanInput, status: JsonObject): readonly Action[] {
  const isTheirs = observation.operator.kind === "running" && observation.operator.canServeMode;
  if (isTheirs && !ownsConditions(observation.clusterVersion)) return [];
  return planClusterVersion(observation, { status, conditions: [] }, settings);
}

/** Deletes the result, unless it still records that the present mode is ours. */
function planResultDeletion({ clusterVersion, result }: Observation): readonly Action[] {
  return isOurMode(clusterVersion, result) ? [] : planDeletion("result", RESULT, result);
}

/** Withdraws the result of an earlier request, and reports why this one is invalid. */
function planRejection(input: PlanInput, invalid: InvalidRequest): readonly Action[] {
  const { observation, settings, now } = input;
  const { clusterVersion, fields } = observation;
  const { status } = lift({ clusterVersion, fields, now });
  const conditions = buildInvalidConditions(clusterVersion, invalid, now);
  const allConditions = replacePreflightConditions(listAt(status, "conditions"), conditions);
  const publication = { status: { ...status, conditions: allConditions }, conditions };
  return planRemoval(input, planClusterVersion(observation, publication, settings));
}

type InvalidRequest = Extract<DesiredPreflight, { kind: "invalid" }>;

function buildInvalidConditions(clusterVersion: JsonObject, { problems, subject }: InvalidRequest, now: Date) {
  const message = `${subject ?? "The ConfigMap preflight-request"} is invalid: ${problems.join("; ")}.`;
  return CONDITION_TYPES.map((type) => {
    const status = type === "PreflightFailed" ? "True" : "False";
    const condition = { type, status, reason: "RequestInvalid", message } as const;
    return setTransitionTime(findCondition(clusterVersion, type), condition, now);
  });
}

/** Deletes the object unless it changed since it was observed. */
function planDeletion(kind: "request" | "result", path: string, present: JsonObject | undefined): readonly Action[] {
  if (!present) return [];
  const version = kind === "request" ? objectAt(buildOptimisticLock(present), "metadata") : {};
  return [buildDeleteAction(kind, `delete the ${kind}`, path, { ...buildUidPrecondition(present), ...version })];
}

/**
 * Applies or deletes the Deployment. One for another target or other settings is deleted first: its pods are then never mistaken for the new
 * ones, and a pod on a lost node doesn't keep a rollout waiting.
 */
function planRunner(
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
function findPredecessor(pods: readonly JsonObject[], now: Date): string | undefined {
  const names = pods.filter((pod) => isRunning(pod, now)).map((pod) => textAt(pod, "metadata", "name") ?? "");
  return names.toSorted()[0];
}

function isRunning(pod: JsonObject, now: Date): boolean {
  const phase = textAt(pod, "status", "phase");
  if (runLabelOf(pod) === undefined || phase === "Succeeded" || phase === "Failed") return false;
  return (getAge(textAt(pod, "metadata", "deletionTimestamp"), now) ?? 0) < MAX_TERMINATION_MS;
}

/** Why the controller can't manage the Deployment, or undefined if it can. */
function describeForeignRunner(deployment: JsonObject | undefined): string | undefined {
  if (!deployment || isOurDeployment(deployment)) return undefined;
  return `Deployment ${RUNNER_NAME} exists and was not created by this controller. Delete it, or delete the request.`;
}

function buildRunnerDeletion(deployment: JsonObject): Action {
  return buildDeleteAction("runner", "delete the runner's Deployment", RUNNER, buildUidPrecondition(deployment));
}
