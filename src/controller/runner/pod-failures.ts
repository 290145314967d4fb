import { findCondition } from "../../model/conditions.ts";
import type { RunnerFailure } from "../../lift/progress/runner-state.ts";
import { isObject, type JsonObject, listAt, numberAt, objectAt, parseObject, textAt } from "../../model/json.ts";
import { parseTimestamp } from "../../model/time.ts";
import { toFailureText } from "./failure-text.ts";

/** No pod could be created: a quota, an admission plugin, a missing service account. */
export function findRefusal(deployment: JsonObject): RunnerFailure | undefined {
  const failure = findCondition(deployment, "ReplicaFailure");
  if (textAt(failure, "status") !== "True") return undefined;
  return buildFailure(
    "DeploymentRefused",
    `The runner's pod could not be created: ${textAt(failure, "message") ?? ""}`,
  );
}

/** Why a pod that was scheduled, or not, does not run now. */
export function findPodFailure(pod: JsonObject): RunnerFailure | undefined {
  if (isFailedPod(pod)) return describeFailedPod(pod);
  return findUnschedulable(pod) ?? findContainerFailure(pod);
}

/** Such a pod never runs again; the Deployment replaces it. */
export function isFailedPod(pod: JsonObject): boolean {
  return textAt(pod, "status", "phase") === "Failed";
}

/** The amounts after the first sentence differ with every eviction. */
export function describeFailedPod(pod: JsonObject): RunnerFailure {
  const reason = textAt(pod, "status", "reason") ?? "";
  const message = textAt(pod, "status", "message") ?? "";
  const parts = [reason, /^.*?[.](?=\s|$)/s.exec(message)?.[0] ?? message].filter(Boolean);
  return buildFailure(
    /memory/i.test(message) ? "OutOfMemory" : "RunnerCrashed",
    `The runner's pod was evicted or failed: ${parts.join(": ")}`,
  );
}

/** When a failed pod failed, by the node's clock. */
export function findFailureTime(pod: JsonObject): Date | undefined {
  const ends = listContainerStatuses(pod).map((status) => textAt(findLastTermination(status), "finishedAt"));
  const times = [...ends, textAt(findCondition(pod, "DisruptionTarget"), "lastTransitionTime")]
    .map(parseTimestamp)
    .filter((time) => time !== undefined);
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}

function findUnschedulable(pod: JsonObject): RunnerFailure | undefined {
  const condition = findCondition(pod, "PodScheduled");
  if (textAt(condition, "status") !== "False" || textAt(condition, "reason") !== "Unschedulable") return undefined;
  return buildFailure(
    "Unschedulable",
    `The runner's pod could not be scheduled: ${textAt(condition, "message") ?? ""}`,
  );
}

export function describeMountFailure(message: string): RunnerFailure {
  return buildFailure("VolumeUnavailable", `A volume could not be mounted: ${message}`);
}

function findContainerFailure(pod: JsonObject): RunnerFailure | undefined {
  for (const status of listContainerStatuses(pod)) {
    const failure = findImageFailure(status) ?? findStartFailure(status) ?? findEnd(pod, status);
    if (failure) return failure;
  }
  return undefined;
}

/** Since Kubernetes 1.32, the back-off repeats the cause; without its beginning, both messages are the same. */
const PULL_BACK_OFF = /^Back-off pulling image "[^"]*": \w+: /;
const IMAGE_REASONS = /^(ErrImage|ImagePull|InvalidImageName|ImageInspect|RegistryUnavailable|SignatureValidation)/;

function findImageFailure(status: JsonObject): RunnerFailure | undefined {
  const { reason, message } = readTexts(objectAt(status, "state", "waiting"));
  if (!IMAGE_REASONS.test(reason)) return undefined;
  const image = textAt(status, "image") ?? "";
  const why = message.replace(PULL_BACK_OFF, "") || reason;
  return buildFailure("ImagePullFailed", `The image ${image} could not be pulled: ${why}`);
}

const START_REASONS = ["CreateContainerError", "CreateContainerConfigError", "RunContainerError"];

function findStartFailure(status: JsonObject): RunnerFailure | undefined {
  const { reason, message } = readTexts(objectAt(status, "state", "waiting"));
  if (!START_REASONS.includes(reason)) return undefined;
  return buildFailure("RunnerCrashed", `The container ${nameOf(status)} could not be started: ${message || reason}`);
}

const BACK_OFF = "CrashLoopBackOff";

/** The container has ended, and waits for its restart or has not been restarted yet. */
function findEnd(pod: JsonObject, status: JsonObject): RunnerFailure | undefined {
  const isWaiting = textAt(status, "state", "waiting", "reason") === BACK_OFF;
  const hasEnded = Object.keys(objectAt(status, "state", "terminated")).length > 0;
  return (isWaiting || hasEnded) && hasFailed(pod, status) ? describeTermination(status) : undefined;
}

/** Only an init container may end. */
export function hasFailed(pod: JsonObject, status: JsonObject): boolean {
  const isInit = listAt(pod, "status", "initContainerStatuses").includes(status);
  return !isInit || numberAt(findLastTermination(status), "exitCode") !== 0;
}

/** The same text for each end of a container that ends in the same way, whether it waits for its restart or runs again. */
export function describeTermination(status: JsonObject): RunnerFailure {
  const termination = findLastTermination(status);
  const { reason, message } = readTexts(termination);
  if (reason === "OOMKilled")
    return buildFailure("OutOfMemory", `The container ${nameOf(status)} exceeded its memory limit.`);
  const code = numberAt(termination, "exitCode");
  const summary = `The container ${nameOf(status)} ended${code === undefined ? "" : ` with ${code}`}`;
  return buildFailure("RunnerCrashed", `${summary}: ${formatLastLine(message) || reason || BACK_OFF}`);
}

/** The container's most recent termination. */
export function findLastTermination(status: JsonObject): JsonObject {
  const now = objectAt(status, "state", "terminated");
  return Object.keys(now).length > 0 ? now : objectAt(status, "lastState", "terminated");
}

export function listContainerStatuses(pod: JsonObject): readonly JsonObject[] {
  return [...listAt(pod, "status", "initContainerStatuses"), ...listAt(pod, "status", "containerStatuses")].filter(
    isObject,
  );
}

/** The last line of a log. */
function formatLastLine(text: string): string {
  const line = text.trim().split("\n").at(-1) ?? "";
  const { message, why } = parseObject(line) ?? {};
  const parts = [message, why].filter((part) => typeof part === "string");
  return parts.length > 0 ? parts.join(": ") : line;
}

function readTexts(state: JsonObject): { readonly reason: string; readonly message: string } {
  return { reason: textAt(state, "reason") ?? "", message: textAt(state, "message") ?? "" };
}

function nameOf(status: JsonObject): string {
  return textAt(status, "name") ?? "";
}

function buildFailure(reason: RunnerFailure["reason"], message: string): RunnerFailure {
  return { kind: "down", reason, message: toFailureText(message) };
}
