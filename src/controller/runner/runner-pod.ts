import type { ActiveRunner, RunnerState } from "../../lift/progress/runner-state.ts";
import { compareText, flagAt, type JsonObject, isObject, listAt, objectAt, textAt } from "../../model/json.ts";
import { parseDate } from "../../model/time.ts";
import {
  describeFailedPod,
  describeMountFailure,
  describeTermination,
  findFailureTime,
  findLastTermination,
  findPodFailure,
  findRefusal,
  hasFailed,
  isFailedPod,
  listContainerStatuses,
} from "./pod-failures.ts";
import { runLabelOf } from "./runner-deployment.ts";

type RestartedRunner = Extract<RunnerState, { kind: "restarted" }>;

/** Derives the runner's state from its Deployment and pods. */
export function diagnoseRunner(
  deployment: JsonObject,
  pods: readonly JsonObject[],
  mountFailures: ReadonlyMap<string, string>,
  now: Date,
): RunnerState {
  const [pod, ...others] = selectPods(deployment, pods);
  const refusal = !pod || isFailedPod(pod) ? findRefusal(deployment) : undefined;
  if (refusal) return refusal;
  if (!pod) return { kind: "starting", since: getCreationTime(deployment, now) };
  const failure = findPodFailure(pod);
  if (failure) return failure;
  const container = listAt(pod, "status", "containerStatuses").find(isObject);
  const startTime = getStartTime(container);
  const mountFailure = mountFailures.get(textAt(pod, "metadata", "name") ?? "");
  if (!startTime && mountFailure !== undefined) return describeMountFailure(mountFailure);
  const current: ActiveRunner = startTime
    ? { kind: "up", since: startTime }
    : { kind: "starting", since: getCreationTime(pod, now) };
  if (flagAt(container, "ready")) return current;
  return findContainerRestart(pod, current) ?? findPodRestart(others, current) ?? current;
}

/** The pods of the present settings: first the one that the Deployment counts, since a failed one is replaced, then the newest. */
function selectPods(deployment: JsonObject, pods: readonly JsonObject[]): readonly JsonObject[] {
  const run = runLabelOf(objectAt(deployment, "spec", "template"));
  return pods
    .filter((pod) => textAt(pod, "metadata", "deletionTimestamp") === undefined && runLabelOf(pod) === run)
    .toSorted((a, b) => compareText(creationTextOf(b), creationTextOf(a)))
    .toSorted((a, b) => Number(isFailedPod(a)) - Number(isFailedPod(b)));
}

function creationTextOf(of: JsonObject): string {
  return textAt(of, "metadata", "creationTimestamp") ?? "";
}

function getCreationTime(of: JsonObject, now: Date): Date {
  return parseDate(creationTextOf(of)) ?? now;
}

function getStartTime(status: JsonObject | undefined): Date | undefined {
  return parseDate(textAt(status, "state", "running", "startedAt"));
}

/** A container of the pod failed and runs, or is about to run, again. */
function findContainerRestart(pod: JsonObject, { kind, since }: ActiveRunner): RestartedRunner | undefined {
  const status = listContainerStatuses(pod).find(
    (one) => !flagAt(one, "ready") && Object.keys(findLastTermination(one)).length > 0 && hasFailed(pod, one),
  );
  if (!status) return undefined;
  const failedAt = parseDate(textAt(findLastTermination(status), "finishedAt")) ?? since;
  const current = { kind, since: getStartTime(status) ?? failedAt };
  return { kind: "restarted", current, failure: describeTermination(status), failedAt };
}

/** The Deployment replaced a pod that was evicted or failed. */
function findPodRestart(others: readonly JsonObject[], current: ActiveRunner): RestartedRunner | undefined {
  const predecessor = others.find(isFailedPod);
  if (!predecessor) return undefined;
  const failedAt = findFailureTime(predecessor) ?? current.since;
  return { kind: "restarted", current, failure: describeFailedPod(predecessor), failedAt };
}
