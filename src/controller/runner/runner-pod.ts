import { findCondition } from "../../model/conditions.ts";
import type { RunnerState } from "../../lift/progress/runner-state.ts";
import {
  compareText,
  flagAt,
  type JsonObject,
  isObject,
  listAt,
  numberAt,
  objectAt,
  textAt,
} from "../../model/json.ts";
import { parseTimestamp } from "../../model/time.ts";
import { runLabelOf } from "./runner-deployment.ts";

type RunnerFailure = Extract<RunnerState, { kind: "down" }>;

/** Derives the runner's state from its Deployment and newest pod. */
export function diagnoseRunner(
  deployment: JsonObject,
  pods: readonly JsonObject[],
  mountFailures: ReadonlyMap<string, string>,
  now: Date,
): RunnerState {
  const pod = findNewestPod(deployment, pods);
  if (!pod) return findRefusal(deployment) ?? { kind: "starting", since: getCreationTime(deployment, now) };
  const down = findEviction(pod) ?? findUnschedulable(pod) ?? findContainerFailure(pod);
  if (down) return down;
  const started = parseTimestamp(textAt(containerOf(pod), "state", "running", "startedAt"));
  if (started !== undefined) return { kind: "up", since: new Date(started) };
  const mountFailure = mountFailures.get(textAt(pod, "metadata", "name") ?? "");
  return findMountFailure(mountFailure) ?? { kind: "starting", since: getCreationTime(pod, now) };
}

function findNewestPod(deployment: JsonObject, pods: readonly JsonObject[]): JsonObject | undefined {
  const run = runLabelOf(objectAt(deployment, "spec", "template"));
  return pods
    .filter((pod) => textAt(pod, "metadata", "deletionTimestamp") === undefined && runLabelOf(pod) === run)
    .toSorted((a, b) => compareText(creationTextOf(b), creationTextOf(a)))[0];
}

function creationTextOf(of: JsonObject): string {
  return textAt(of, "metadata", "creationTimestamp") ?? "";
}

function getCreationTime(of: JsonObject, now: Date): Date {
  return new Date(parseTimestamp(creationTextOf(of)) ?? now.getTime());
}

/** No pod could be created: a quota, an admission plugin, a missing service account. */
function findRefusal(deployment: JsonObject): RunnerFailure | undefined {
  const failure = findCondition(deployment, "ReplicaFailure");
  if (textAt(failure, "status") !== "True") return undefined;
  return buildFailure(
    "DeploymentRefused",
    `The runner's pod could not be created: ${textAt(failure, "message") ?? ""}`,
  );
}

function findEviction(pod: JsonObject): RunnerFailure | undefined {
  if (textAt(pod, "status", "phase") !== "Failed") return undefined;
  const [reason, message] = [textAt(pod, "status", "reason") ?? "", textAt(pod, "status", "message") ?? ""];
  const summary = `The runner's pod was evicted or failed: ${[reason, message].filter(Boolean).join(": ")}`;
  return buildFailure(/memory/i.test(message) ? "OutOfMemory" : "RunnerCrashed", summary);
}

function findUnschedulable(pod: JsonObject): RunnerFailure | undefined {
  const condition = findCondition(pod, "PodScheduled");
  if (textAt(condition, "status") !== "False" || textAt(condition, "reason") !== "Unschedulable") return undefined;
  return buildFailure(
    "Unschedulable",
    `The runner's pod could not be scheduled: ${textAt(condition, "message") ?? ""}`,
  );
}

function findMountFailure(mountFailure: string | undefined): RunnerFailure | undefined {
  return mountFailure === undefined
    ? undefined
    : buildFailure("VolumeUnavailable", `A volume could not be mounted: ${mountFailure}`);
}

function findContainerFailure(pod: JsonObject): RunnerFailure | undefined {
  const statuses = [...listAt(pod, "status", "initContainerStatuses"), ...listAt(pod, "status", "containerStatuses")];
  for (const status of statuses.filter(isObject)) {
    const failure = findImageFailure(status) ?? findOutOfMemory(status) ?? findCrash(status);
    if (failure) return failure;
  }
  return undefined;
}

const IMAGE_REASONS = /^(ErrImage|ImagePull|InvalidImageName|ImageInspect|RegistryUnavailable|SignatureValidation)/;

function findImageFailure(status: JsonObject): RunnerFailure | undefined {
  const waiting = objectAt(status, "state", "waiting");
  const reason = textAt(waiting, "reason") ?? "";
  if (!IMAGE_REASONS.test(reason)) return undefined;
  const [image, why] = [textAt(status, "image") ?? "", textAt(waiting, "message") ?? reason];
  return buildFailure("ImagePullFailed", `The image ${image} could not be pulled: ${why}`);
}

/** A restarted container counts as failed until it is ready, since it may run out of memory again. */
function findOutOfMemory(status: JsonObject): RunnerFailure | undefined {
  const termination = findLastTermination(status);
  if (textAt(termination, "reason") !== "OOMKilled" || flagAt(status, "ready")) return undefined;
  return buildFailure("OutOfMemory", `The container ${textAt(status, "name") ?? ""} exceeded its memory limit.`);
}

function findCrash(status: JsonObject): RunnerFailure | undefined {
  const waiting = textAt(status, "state", "waiting", "reason") ?? "";
  const termination = findLastTermination(status);
  const isWaiting = ["CrashLoopBackOff", "CreateContainerError", "CreateContainerConfigError", "RunContainerError"];
  const hasFailed = textAt(status, "state", "terminated", "reason") === "Error";
  if (!hasFailed && !isWaiting.includes(waiting)) return undefined;
  const code = numberAt(termination, "exitCode");
  const reasonText = textAt(termination, "message") ?? textAt(status, "state", "waiting", "message") ?? waiting;
  const summary = `The container ${textAt(status, "name") ?? ""} ended${code === undefined ? "" : ` with ${code}`}`;
  return buildFailure("RunnerCrashed", `${summary}: ${getLastLine(reasonText)}`);
}

/** The container's most recent termination. */
function findLastTermination(status: JsonObject): JsonObject {
  const now = objectAt(status, "state", "terminated");
  return Object.keys(now).length > 0 ? now : objectAt(status, "lastState", "terminated");
}

function getLastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}

function containerOf(pod: JsonObject): JsonObject | undefined {
  return listAt(pod, "status", "containerStatuses").filter(isObject)[0];
}

function buildFailure(reason: RunnerFailure["reason"], message: string): RunnerFailure {
  return { kind: "down", reason, message: message.trim() };
}
