import { findCondition } from "../model/conditions.ts";
import { type Condition, setTransitionTime, setCondition } from "../lift/objects/condition.ts";
import { CONDITION_TYPES } from "../lift/progress/preflight-conditions.ts";
import { isUpdating } from "../model/cluster-version.ts";
import { buildOptimisticLock } from "../lift/objects/cluster-version.ts";
import { getRetainedResult } from "../lift/preflight-result.ts";
import { type LiftResult, lift } from "../lift/lift.ts";
import type { PrefixForm } from "../lift/objects/risk-prefix.ts";
import type { RunnerState } from "../lift/progress/runner-state.ts";
import { getWindowPhase } from "../lift/objects/preflight-request.ts";
import { type Json, type JsonObject, listAt, objectAt } from "../model/json.ts";
import { defined } from "../model/optional.ts";
import { type Action, buildDeleteAction, buildUidPrecondition } from "./action.ts";
import { type RequestedPreflight, getDesiredPreflight } from "./desired-preflight.ts";
import { withoutDroppedConditions } from "./dropped-conditions.ts";
import {
  withFailureDeadline,
  type FailureDeadline,
  findFailureDeadline,
  checkFailureDeadline,
  buildFailureRecord,
} from "./failure-deadline.ts";
import { findFailureStart } from "./failure-start.ts";
import { isDelegated, delegateActions, planModeWithdrawal } from "./delegation.ts";
import { isOurMode } from "./mode-record.ts";
import type { Observation } from "./observation.ts";
import { REQUEST, RESULT } from "./api/api-paths.ts";
import { planConditions, planHistory, ownsConditions, planResult, planStatus } from "./publication-actions.ts";
import { describeForeignRunner, findPredecessor, planRunner } from "./runner/runner-actions.ts";
import { allowsUnverified } from "../lift/objects/runner-options.ts";
import { judgeSignature } from "./signature-gate.ts";
import { hasTargetImage, type RunnerSettings } from "./runner/runner-deployment.ts";
import { diagnoseRunner } from "./runner/runner-pod.ts";

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

/**
 * Plans the writes that bring the cluster to the desired state, as a pure function of the observation. The order allows a crash after any
 * write. Without a difference the plan is empty.
 */
export function plan(observation: Observation, settings: ControllerSettings, now: Date): readonly Action[] {
  const desired = getDesiredPreflight(observation);
  if (desired.kind === "none") return planCleanup(observation, settings, now);
  if (isUpdating(observation.clusterVersion))
    return [...planCleanup(observation, settings, now), ...planDeletion("request", REQUEST, observation.request)];
  if (desired.kind === "invalid") return planRejection(observation, desired.problems, settings, now);
  if (isDelegated(observation, desired, settings.useMode)) return planDelegation(observation, desired, settings, now);
  return planPreflight(observation, desired, settings, now);
}

function planPreflight(
  observation: Observation,
  desired: RequestedPreflight,
  settings: ControllerSettings,
  now: Date,
): readonly Action[] {
  const previousDeadline = findFailureDeadline(observation.result, desired.key);
  const runner = getRunnerState(observation, desired, previousDeadline, now);
  const result = liftDocument(observation, desired, runner, settings, now);
  const start = findFailureStart(observation.result, desired, result, now);
  const deadline =
    previousDeadline ?? checkFailureDeadline(desired, result, start, settings.failureDeadlineSeconds, now);
  const publishedResult = deadline ? withFailureDeadline(result, deadline, observation.clusterVersion, now) : result;
  const mayRun = observation.misplacement === undefined && judgeSignature(observation, desired).kind === "verified";
  const isWithinWindow = getWindowPhase(desired.request, now) === "within";
  const isRunnerDesired = deadline === undefined && mayRun && isWithinWindow;
  return [
    ...planModeWithdrawal(observation),
    ...planResult(observation, publishedResult, buildFailureRecord(start, deadline)),
    ...planHistory(observation, publishedResult),
    ...planRunner(
      observation,
      isRunnerDesired ? desired.payload : undefined,
      settings.runner,
      now,
      desired.request.runner,
    ),
    ...planClusterVersion(observation, publishedResult, settings),
  ];
}

function liftDocument(
  observation: Observation,
  desired: RequestedPreflight,
  runner: RunnerState,
  settings: ControllerSettings,
  now: Date,
): LiftResult {
  const { clusterVersion, fields, document, result } = observation;
  const retained = getRetainedResult(result);
  return lift({
    clusterVersion,
    fields,
    preflight: {
      target: desired.request.target,
      runner,
      allowsUnverified: allowsUnverified(desired.request.runner),
      document,
      ...defined({ requestedAt: desired.requestedAt }),
    },
    ...(retained ? { retained } : {}),
    now,
    form: settings.form,
    patienceSeconds: settings.patienceSeconds,
  });
}

function getRunnerState(
  observation: Observation,
  desired: RequestedPreflight,
  deadline: FailureDeadline | undefined,
  now: Date,
): RunnerState {
  const { request, payload } = desired;
  const window = getWindowPhase(request, now);
  if (payload.kind === "refused" || deadline) return { kind: "stopped" };
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
    return { kind: "stopped", ...defined({ predecessor: findPredecessor(observation.pods, now) }) };
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
function planCleanup(observation: Observation, settings: ControllerSettings, now: Date): readonly Action[] {
  const { clusterVersion, fields } = observation;
  const result = lift({ clusterVersion, fields, now });
  return [
    ...planModeWithdrawal(observation),
    ...planRunner(observation, undefined, settings.runner, now),
    ...planClusterVersionCleanup(observation, result.status, settings),
    ...planResultDeletion(observation),
  ];
}

/** An operator that serves the mode reports the preflight's state itself. */
function planDelegation(
  observation: Observation,
  desired: RequestedPreflight,
  settings: ControllerSettings,
  now: Date,
): readonly Action[] {
  return [
    ...planRunner(observation, undefined, settings.runner, now),
    ...planClusterVersionCleanup(observation, {}, settings),
    ...(desired.trigger === "mode" ? planResultDeletion(observation) : delegateActions(observation, desired)),
  ];
}

/** An operator that serves the mode uses the same condition types, so only conditions that the controller wrote are removed. */
function planClusterVersionCleanup(
  observation: Observation,
  status: JsonObject,
  settings: ControllerSettings,
): readonly Action[] {
  const isTheirs = observation.operator.kind === "running" && observation.operator.canServeMode;
  if (isTheirs && !ownsConditions(observation.clusterVersion)) return [];
  return planClusterVersion(observation, { status, conditions: [] }, settings);
}

/** Deletes the result, unless it still records that the present mode is ours. */
function planResultDeletion({ clusterVersion, result }: Observation): readonly Action[] {
  return isOurMode(clusterVersion, result) ? [] : planDeletion("result", RESULT, result);
}

/** Withdraws the result of an earlier request, and reports why this one is invalid. */
function planRejection(
  observation: Observation,
  problems: readonly string[],
  settings: ControllerSettings,
  now: Date,
): readonly Action[] {
  const { clusterVersion, fields } = observation;
  const { status } = lift({ clusterVersion, fields, now });
  const conditions = buildInvalidConditions(observation, problems, now);
  const allConditions = conditions.reduce<readonly Json[]>(setCondition, listAt(status, "conditions"));
  return [
    ...planModeWithdrawal(observation),
    ...planRunner(observation, undefined, settings.runner, now),
    ...planClusterVersion(observation, { status: { ...status, conditions: allConditions }, conditions }, settings),
    ...planResultDeletion(observation),
  ];
}

function buildInvalidConditions(
  { clusterVersion }: Observation,
  problems: readonly string[],
  now: Date,
): readonly Condition[] {
  const message = `The ConfigMap preflight-request is invalid: ${problems.join("; ")}.`;
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
