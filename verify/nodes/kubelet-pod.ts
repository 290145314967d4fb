import { type JsonObject, listAt, numberAt, objectAt, textAt } from "../../src/model/json.ts";
import type { PreflightProcess } from "../shared/preflight.ts";
import { findEviction, findExit, findPullError, type PodMode } from "./pod-mode.ts";
import type { ContainerRole, Exit, PodProgress } from "./pod-status.ts";

/** A pod on its node. Each call of `advance` takes it at most one step further. */
export type KubeletPod = {
  readonly advance: (mode: PodMode, now: Date) => Promise<PodProgress>;
  /** Ends its process: with SIGTERM as for a deleted pod, with SIGKILL as if the node lost power. */
  readonly end: (signal: "SIGTERM" | "SIGKILL") => Promise<void>;
};

export type KubeletPodOptions = {
  readonly hostIP: string;
  /** How long a state lasts that ends by itself; a real kubelet's waiting after a crash begins with ten seconds. */
  readonly stepMs: number;
  /** Starts what the main container runs. */
  readonly start?: (pod: JsonObject) => PreflightProcess;
};

export function createKubeletPod(pod: JsonObject, options: KubeletPodOptions, created: Date): KubeletPod {
  const container = createContainer(pod, options);
  const hasInit = listAt(pod, "spec", "initContainers").length > 0;
  const reason = hasInit ? "PodInitializing" : "ContainerCreating";
  const active = hasInit ? "init" : "main";
  const times = { startTime: created, startedAt: created, finishedAt: created };
  let progress: PodProgress = {
    ...times,
    active,
    state: { kind: "waiting", reason },
    starts: 0,
    hostIP: options.hostIP,
  };
  let since = created;
  const advance = async (mode: PodMode, now: Date): Promise<PodProgress> => {
    const isStepOver = now.getTime() - since.getTime() >= options.stepMs;
    const next = await findNext(pod, progress, { mode, now, isStepOver, container });
    if (next !== progress) since = now;
    return (progress = next);
  };
  return { advance, end: container.end };
}

type Turn = {
  readonly mode: PodMode;
  readonly now: Date;
  readonly isStepOver: boolean;
  readonly container: Container;
};

async function findNext(pod: JsonObject, progress: PodProgress, turn: Turn): Promise<PodProgress> {
  if (progress.failure !== undefined) return progress;
  switch (progress.state.kind) {
    case "waiting":
      return leaveWaiting(pod, progress, turn);
    case "running":
      return leaveRunning(pod, progress, turn);
    case "exited":
      return turn.isStepOver ? backOff(pod, progress, progress.state.exit) : progress;
  }
}

/** The modes in which a bound pod doesn't get as far as its images. */
const BEFORE_START: readonly PodMode["kind"][] = ["creating", "mountFailure", "unschedulable"];

/** Images are pulled, and volumes mounted, before a container starts for the first time. */
async function leaveWaiting(pod: JsonObject, progress: PodProgress, turn: Turn): Promise<PodProgress> {
  const { active, starts, state } = progress;
  const { mode, isStepOver, now } = turn;
  if (!isStepOver) return progress;
  if (starts === 0 && BEFORE_START.includes(mode.kind)) return progress;
  const image = textAt(pod, "spec", active === "init" ? "initContainers" : "containers", 0, "image") ?? "";
  const pullError = starts === 0 ? findPullError(mode, active, image) : undefined;
  if (pullError !== undefined) {
    const isPulling = state.kind === "waiting" && state.reason === "ErrImagePull";
    const [reason, message] = isPulling
      ? ["ImagePullBackOff", `Back-off pulling image "${image}": ErrImagePull: ${pullError}`]
      : ["ErrImagePull", pullError];
    return { ...progress, state: { kind: "waiting", reason, message } };
  }
  if (active === "init" && findExit(mode, "init", now) === undefined) return completeInit(progress, now);
  if (active === "main") await turn.container.start(mode);
  return { ...progress, state: { kind: "running", isReady: false }, starts: starts + 1, startedAt: now };
}

function completeInit(progress: PodProgress, now: Date): PodProgress {
  const { previousExit: _, ...rest } = progress;
  const state = { kind: "waiting", reason: "PodInitializing" } as const;
  return { ...rest, active: "main", state, starts: 0, startedAt: now, finishedAt: now };
}

async function leaveRunning(pod: JsonObject, progress: PodProgress, turn: Turn): Promise<PodProgress> {
  const { mode, now, isStepOver, container } = turn;
  const eviction = findEviction(mode, textAt(pod, "spec", "containers", 0, "name") ?? "", now);
  if (eviction !== undefined && isStepOver) {
    await container.end("SIGKILL");
    const exit = { kind: "exited", exit: { code: 137, reason: "Error" } } as const;
    return { ...progress, state: exit, finishedAt: now, failure: { reason: "Evicted", message: eviction } };
  }
  const exit = await findExitNow(progress.active, turn);
  if (exit !== undefined) return { ...progress, state: { kind: "exited", exit }, finishedAt: now };
  const isReady = progress.active === "main" && isStepOver && (await container.isReady());
  const wasReady = progress.state.kind === "running" && progress.state.isReady;
  return isReady && !wasReady ? { ...progress, state: { kind: "running", isReady } } : progress;
}

async function findExitNow(
  active: ContainerRole,
  { mode, now, isStepOver, container }: Turn,
): Promise<Exit | undefined> {
  const scripted = findExit(mode, active, now);
  if (active === "init") return scripted ?? { code: 0, reason: "Completed" };
  if (mode.kind === "hangs") await container.end("SIGKILL");
  if (scripted === undefined) return mode.kind === "runs" ? container.findExit() : undefined;
  if (!isStepOver) return undefined;
  await container.end("SIGKILL");
  return scripted;
}

function backOff(pod: JsonObject, progress: PodProgress, exit: Exit): PodProgress {
  const [name, namespace, uid] = ["name", "namespace", "uid"].map((key) => textAt(pod, "metadata", key) ?? "");
  const kind = progress.active === "init" ? "initContainers" : "containers";
  const container = textAt(pod, "spec", kind, 0, "name") ?? "";
  const message = `back-off 10s restarting failed container=${container} pod=${name}_${namespace}(${uid})`;
  return { ...progress, previousExit: exit, state: { kind: "waiting", reason: "CrashLoopBackOff", message } };
}

/** The process behind the main container, if there is one. */
type Container = {
  readonly start: (mode: PodMode) => Promise<void>;
  readonly end: (signal: NodeJS.Signals) => Promise<void>;
  readonly isReady: () => Promise<boolean>;
  readonly findExit: () => Exit | undefined;
};

function createContainer(pod: JsonObject, { start }: KubeletPodOptions): Container {
  let process: PreflightProcess | undefined;
  let exit: Exit | undefined;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    process?.kill(signal);
    await process?.result;
    process = undefined;
  };
  const begin = async (mode: PodMode): Promise<void> => {
    await end("SIGKILL");
    exit = undefined;
    if (mode.kind !== "runs" || start === undefined) return;
    const mine = start(pod);
    process = mine;
    void mine.result.then(({ code, err }) => {
      const message = err.trim().split("\n").slice(-5).join("\n");
      if (process === mine) exit = { code: code ?? 137, reason: code === 0 ? "Completed" : "Error", message };
    });
  };
  return {
    start: begin,
    end,
    isReady: async () => process === undefined || isProbeGood(pod),
    // A container that hung, or that has lost its process in another mode, is restarted.
    findExit: () => exit ?? (start !== undefined && process === undefined ? { code: 137, reason: "Error" } : undefined),
  };
}

/** The readiness probe of the main container. */
async function isProbeGood(pod: JsonObject): Promise<boolean> {
  const probe = objectAt(pod, "spec", "containers", 0, "readinessProbe", "httpGet");
  const host = textAt(probe, "host");
  const port = numberAt(probe, "port");
  const path = textAt(probe, "path");
  if (port === undefined) return true;
  const signal = AbortSignal.timeout(1_000);
  const answer = await fetch(`http://${host ?? "127.0.0.1"}:${port}${path ?? "/"}`, { signal }).catch(() => undefined);
  return answer?.ok ?? false;
}
