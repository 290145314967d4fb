import { createHash } from "node:crypto";
import { findCondition } from "../../src/model/object.ts";
import { isObject, type JsonObject, listAt, textAt } from "../../src/model/json.ts";
import { formatTime } from "../../src/model/time.ts";

/** How a container ended. */
export type Exit = {
  readonly code: number;
  readonly reason: "Completed" | "Error" | "OOMKilled";
  readonly message?: string;
};

export type ContainerRole = "init" | "main";

/** What a container does now, as the kubelet tells it. */
export type ContainerState =
  | { readonly kind: "waiting"; readonly reason: string; readonly message?: string }
  | { readonly kind: "running"; readonly isReady: boolean }
  | { readonly kind: "exited"; readonly exit: Exit };

/** All that the status of a pod of one init container and one container is made of. */
export type PodProgress = {
  readonly startTime: Date;
  /** The container that is at work: the init container until it has completed. */
  readonly active: ContainerRole;
  readonly state: ContainerState;
  /** How often the active container has been started. */
  readonly starts: number;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** Of the active container, before the present state. */
  readonly previousExit?: Exit;
  /** Set once the kubelet has ended the pod: it doesn't come back. */
  readonly failure?: { readonly reason: string; readonly message: string };
  readonly hostIP: string;
};

/** The status that a kubelet writes. The conditions of others stay, and an unchanged one keeps its time. */
export function buildPodStatus(pod: JsonObject, progress: PodProgress, now: Date): JsonObject {
  const { failure, hostIP, startTime, active, state } = progress;
  const isInitialized = active === "main";
  const isReady = isInitialized && failure === undefined && state.kind === "running" && state.isReady;
  const phase = failure !== undefined ? "Failed" : isInitialized && progress.starts > 0 ? "Running" : "Pending";
  const init = listNames(pod, "initContainers");
  const main = listNames(pod, "containers");
  const unready = { reason: "ContainersNotReady", message: `containers with unready status: [${main.join(" ")}]` };
  const uninitialized = {
    reason: "ContainersNotInitialized",
    message: `containers with incomplete status: [${init.join(" ")}]`,
  };
  const conditions = [
    ["PodReadyToStartContainers", failure === undefined && progress.starts > 0, {}],
    ["Initialized", isInitialized, uninitialized],
    ["Ready", isReady, failure === undefined ? unready : { reason: "PodFailed" }],
    ["ContainersReady", isReady, failure === undefined ? unready : { reason: "PodFailed" }],
    ...(failure === undefined ? [] : [["DisruptionTarget", true, {}] as const]),
  ] as const;
  return {
    phase,
    ...failure,
    conditions: mergeConditions(
      pod,
      conditions.map(([type, is, why]) => ({ type, status: is ? "True" : "False", ...(is ? {} : why) })),
      now,
    ),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    podIP: hostIP,
    podIPs: [{ ip: hostIP }],
    startTime: formatTime(startTime),
    initContainerStatuses: listContainers(pod, "initContainers").map((one) =>
      buildContainerStatus(pod, one, "init", progress),
    ),
    containerStatuses: listContainers(pod, "containers").map((one) => buildContainerStatus(pod, one, "main", progress)),
  };
}

function mergeConditions(pod: JsonObject, ours: readonly JsonObject[], now: Date): readonly JsonObject[] {
  const types = ours.map((one) => textAt(one, "type"));
  const others = listAt(pod, "status", "conditions")
    .filter(isObject)
    .filter((one) => !types.includes(textAt(one, "type")));
  const timed = ours.map((one) => {
    const present = findCondition(pod, textAt(one, "type") ?? "");
    const isSame = textAt(present, "status") === textAt(one, "status");
    const time = isSame ? textAt(present, "lastTransitionTime") : undefined;
    return { ...one, lastProbeTime: null, lastTransitionTime: time ?? formatTime(now) };
  });
  return [...timed, ...others];
}

/** A container that waits for another one, or that has completed, has no state of its own to be told. */
function buildContainerStatus(
  pod: JsonObject,
  container: JsonObject,
  role: ContainerRole,
  progress: PodProgress,
): JsonObject {
  const { active, starts, previousExit, state } = progress;
  const image = textAt(container, "image") ?? "";
  const common = { name: textAt(container, "name") ?? "", image, imageID: starts > 0 || role !== active ? image : "" };
  if (role === "init" && active === "main")
    return {
      ...common,
      ready: true,
      started: false,
      restartCount: 0,
      state: buildTerminated(pod, COMPLETED, progress),
      lastState: {},
    };
  if (role !== active)
    return {
      ...common,
      imageID: "",
      ready: false,
      started: false,
      restartCount: 0,
      state: { waiting: { reason: "PodInitializing" } },
      lastState: {},
    };
  return {
    ...common,
    ...(starts > 0 ? { containerID: buildContainerID(pod, starts) } : {}),
    ready: state.kind === "running" && state.isReady,
    started: state.kind === "running" && role === "main",
    restartCount: Math.max(starts - 1, 0),
    state: buildState(pod, progress),
    lastState: previousExit === undefined ? {} : buildTerminated(pod, previousExit, progress),
  };
}

const COMPLETED: Exit = { code: 0, reason: "Completed" };

function buildState(pod: JsonObject, progress: PodProgress): JsonObject {
  const { state, startedAt } = progress;
  switch (state.kind) {
    case "waiting": {
      const { kind: _, ...waiting } = state;
      return { waiting };
    }
    case "running":
      return { running: { startedAt: formatTime(startedAt) } };
    case "exited":
      return buildTerminated(pod, state.exit, progress);
  }
}

function buildTerminated(pod: JsonObject, { code, reason, message }: Exit, progress: PodProgress): JsonObject {
  const { starts, startedAt, finishedAt } = progress;
  const times = { startedAt: formatTime(startedAt), finishedAt: formatTime(finishedAt) };
  const text: JsonObject = message === undefined ? {} : { message };
  return { terminated: { exitCode: code, reason, ...text, ...times, containerID: buildContainerID(pod, starts) } };
}

function buildContainerID(pod: JsonObject, starts: number): string {
  return `cri-o://${createHash("sha256")
    .update(`${textAt(pod, "metadata", "uid") ?? ""} ${starts}`)
    .digest("hex")}`;
}

function listContainers(pod: JsonObject, kind: "initContainers" | "containers"): readonly JsonObject[] {
  return listAt(pod, "spec", kind).filter(isObject);
}

function listNames(pod: JsonObject, kind: "initContainers" | "containers"): readonly string[] {
  return listContainers(pod, kind).map((one) => textAt(one, "name") ?? "");
}
