import { conditionOf } from "../model/conditions.ts";
import type { RunnerState } from "../lift/runner-state.ts";
import { byText, flagAt, type JsonObject, isObject, listAt, numberAt, objectAt, textAt } from "../model/json.ts";
import { instantOf } from "../model/time.ts";
import { runOf } from "./runner-deployment.ts";

type Down = Extract<RunnerState, { kind: "down" }>;

/** How the runner stands, by its Deployment and the newest of its pods. */
export function runnerStateOf(
  deployment: JsonObject,
  pods: readonly JsonObject[],
  mountTroubles: ReadonlyMap<string, string>,
  now: Date,
): RunnerState {
  const pod = newestOf(deployment, pods);
  if (!pod) return refused(deployment) ?? { kind: "starting", since: madeAt(deployment, now) };
  const down = evicted(pod) ?? unschedulable(pod) ?? containersDown(pod);
  if (down) return down;
  const started = instantOf(textAt(containerOf(pod), "state", "running", "startedAt"));
  if (started !== undefined) return { kind: "up", since: new Date(started) };
  const trouble = mountTroubles.get(textAt(pod, "metadata", "name") ?? "");
  return unmounted(trouble) ?? { kind: "starting", since: madeAt(pod, now) };
}

function newestOf(deployment: JsonObject, pods: readonly JsonObject[]): JsonObject | undefined {
  const run = runOf(objectAt(deployment, "spec", "template"));
  return pods
    .filter((pod) => textAt(pod, "metadata", "deletionTimestamp") === undefined && runOf(pod) === run)
    .toSorted((a, b) => byText(createdText(b), createdText(a)))[0];
}

function createdText(of: JsonObject): string {
  return textAt(of, "metadata", "creationTimestamp") ?? "";
}

function madeAt(of: JsonObject, now: Date): Date {
  return new Date(instantOf(createdText(of)) ?? now.getTime());
}

/** No pod could be made: a quota, an admission plugin, a missing service account. */
function refused(deployment: JsonObject): Down | undefined {
  const failure = conditionOf(deployment, "ReplicaFailure");
  if (textAt(failure, "status") !== "True") return undefined;
  return down("DeploymentRefused", `Its pod could not be made: ${textAt(failure, "message") ?? ""}`);
}

function evicted(pod: JsonObject): Down | undefined {
  if (textAt(pod, "status", "phase") !== "Failed") return undefined;
  const [reason, message] = [textAt(pod, "status", "reason") ?? "", textAt(pod, "status", "message") ?? ""];
  const said = `The runner's pod was ended: ${[reason, message].filter(Boolean).join(": ")}`;
  return down(/memory/i.test(message) ? "OutOfMemory" : "RunnerCrashed", said);
}

function unschedulable(pod: JsonObject): Down | undefined {
  const condition = conditionOf(pod, "PodScheduled");
  if (textAt(condition, "status") !== "False" || textAt(condition, "reason") !== "Unschedulable") return undefined;
  return down("Unschedulable", `No node takes the runner's pod: ${textAt(condition, "message") ?? ""}`);
}

function unmounted(trouble: string | undefined): Down | undefined {
  return trouble === undefined ? undefined : down("VolumeUnavailable", `A volume could not be mounted: ${trouble}`);
}

function containersDown(pod: JsonObject): Down | undefined {
  const statuses = [...listAt(pod, "status", "initContainerStatuses"), ...listAt(pod, "status", "containerStatuses")];
  for (const status of statuses.filter(isObject)) {
    const found = imageTrouble(status) ?? outOfMemory(status) ?? crashed(status);
    if (found) return found;
  }
  return undefined;
}

const IMAGE_REASONS = /^(ErrImage|ImagePull|InvalidImageName|ImageInspect|RegistryUnavailable|SignatureValidation)/;

function imageTrouble(status: JsonObject): Down | undefined {
  const waiting = objectAt(status, "state", "waiting");
  const reason = textAt(waiting, "reason") ?? "";
  if (!IMAGE_REASONS.test(reason)) return undefined;
  const [image, why] = [textAt(status, "image") ?? "", textAt(waiting, "message") ?? reason];
  return down("ImagePullFailed", `The image ${image} could not be pulled: ${why}`);
}

/** One that was started anew is down until it is ready: it may meet the same end. */
function outOfMemory(status: JsonObject): Down | undefined {
  const ended = endOf(status);
  if (textAt(ended, "reason") !== "OOMKilled" || flagAt(status, "ready")) return undefined;
  return down("OutOfMemory", `The container ${textAt(status, "name") ?? ""} needed more memory than its limit.`);
}

function crashed(status: JsonObject): Down | undefined {
  const waiting = textAt(status, "state", "waiting", "reason") ?? "";
  const ended = endOf(status);
  const isWaiting = ["CrashLoopBackOff", "CreateContainerError", "CreateContainerConfigError", "RunContainerError"];
  const hasFailed = textAt(status, "state", "terminated", "reason") === "Error";
  if (!hasFailed && !isWaiting.includes(waiting)) return undefined;
  const code = numberAt(ended, "exitCode");
  const told = textAt(ended, "message") ?? textAt(status, "state", "waiting", "message") ?? waiting;
  const said = `The container ${textAt(status, "name") ?? ""} ended${code === undefined ? "" : ` with ${code}`}`;
  return down("RunnerCrashed", `${said}: ${lastLine(told)}`);
}

/** How the container ended last. */
function endOf(status: JsonObject): JsonObject {
  const now = objectAt(status, "state", "terminated");
  return Object.keys(now).length > 0 ? now : objectAt(status, "lastState", "terminated");
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}

function containerOf(pod: JsonObject): JsonObject | undefined {
  return listAt(pod, "status", "containerStatuses").filter(isObject)[0];
}

function down(reason: Down["reason"], message: string): Down {
  return { kind: "down", reason, message: message.trim() };
}
