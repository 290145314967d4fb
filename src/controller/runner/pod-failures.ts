import { findCondition, findConditionIn } from "../../model/object.ts";
import type { RunnerFailure } from "../../lift/progress/runner-state.ts";
import { type JsonObject, isObject, listAt, numberAt, objectAt, parseObject, textAt } from "../../model/json.ts";
import { parseTimestamp } from "../../model/time.ts";
import { sortNames, toStableText } from "../../model/text.ts";
import { RUNNER_NAME } from "../api/api-paths.ts";

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

/** The characters of generated names. */
const GENERATED = "[bcdfghjklmnpqrstvwxz2456789]";

/** What messages about pods have of their own that differs each time, beside times, addresses and the like. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/^\(combined from similar events\): /, ""],
  [new RegExp(`\\b${RUNNER_NAME}-${GENERATED}{5,10}(?:-${GENERATED}{5})?\\b`, "g"), RUNNER_NAME],
  // Of a quota: what everything else in the namespace uses.
  [/, used: .*?(?=, limited: |$)/g, ""],
  // In the order of a map.
  [/, (?:unattached|failed to process) volumes=\[[^\]]*\]/g, ""],
];

/** The text of a failure without what differs although the failure is the same. The objects' names and the status of a response stay. */
export function toFailureText(message: string): string {
  const text = CHANGING.reduce((rest, [pattern, by]) => rest.replace(pattern, by), message.trim());
  return toStableText(
    text.replace(/\b\d+\/\d+ nodes are available: ([^]*)$/, (_, reasons) => formatNodes(`${reasons}`)),
  );
}

/** The scheduler counts the nodes for each reason and sorts the reasons by these numbers. What preemption would do is another sentence. */
function formatNodes(reasons: string): string {
  const [sentence = ""] = reasons.replace(/\.$/, "").split(". ", 1);
  const parts = sentence.split(/, (?=\d+ )/);
  return `no node is available: ${sortNames(parts.map((part) => part.replace(/^\d+ /, ""))).join(", ")}`;
}

/** Messages that only say that something is tried again. */
const CAUSELESS = /^(?:Back-?off\b|ImagePullBackOff$|ErrImagePull$|pull QPS exceeded)/i;
const NETWORK =
  /\b(?:dial|lookup|i\/o timeout|connection (?:refused|reset|timed out)|no route to host|unreachable|deadline exceeded|handshake timeout|EOF|request canceled|no endpoints available|ECONN[A-Z]+|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)\b/i;

/** A failure as the last result reports it. */
type KnownFailure = { readonly reason: string; readonly message: string };

export function findKnownFailure(result: JsonObject | undefined): KnownFailure | undefined {
  const failed = findConditionIn(parseObject(textAt(result, "data", "proposal.json") ?? ""), "PreflightFailed");
  const reason = textAt(failed, "reason");
  const message = textAt(failed, "message");
  if (textAt(failed, "status") !== "True" || reason === undefined || message === undefined) return undefined;
  return { reason, message };
}

/** The text of before, if the failure is the same: a network fails in many ways, and a back-off may not say why. */
export function keepKnownText(failure: RunnerFailure, known: KnownFailure | undefined): RunnerFailure {
  const [subject = ""] = failure.message.split(": ", 1);
  const start = known?.reason === failure.reason ? known.message.indexOf(`${subject}: `) : -1;
  if (known === undefined || start < 0) return failure;
  const message = known.message.slice(start);
  const skipped = subject.length + 2;
  return isSameCause(failure.message.slice(skipped), message.slice(skipped)) ? { ...failure, message } : failure;
}

function isSameCause(now: string, before: string): boolean {
  if (CAUSELESS.test(now)) return true;
  if (!NETWORK.test(now) || !NETWORK.test(before)) return false;
  const hosts = findHosts(now);
  const hostsBefore = findHosts(before);
  return hosts === "" || hostsBefore === "" || hosts === hostsBefore;
}

function findHosts(text: string): string {
  return sortNames([...text.matchAll(/https?:\/\/([^/\s"]+)/g)].map(([, host = ""]) => host)).join();
}
