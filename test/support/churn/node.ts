import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../../src/cluster/writer/api-client.ts";
import { CONFIG_MAPS, PODS } from "../../../src/controller/api/api-paths.ts";
import { isObject, type JsonObject, listAt, objectAt, textAt } from "../../../src/model/json.ts";
import { formatTime } from "../../../src/model/time.ts";
import { readObject } from "../controller/stage.ts";
import { type PreflightProcess, startPreflight } from "../preflight.ts";
import type { RunnerMode } from "./schedule.ts";

export type NodeSettings = {
  readonly api: ApiClient;
  readonly name: string;
  /** The payload of the target's version. */
  readonly payloads: ReadonlyMap<string, string>;
  /** Replaces what only a node has: the account, the volume. */
  readonly flags: readonly string[];
  readonly isReady: () => boolean;
};

/** The scheduler and the kubelet of one node. */
export type Node = {
  readonly setMode: (mode: RunnerMode) => void;
  readonly killRunner: () => void;
  readonly stop: () => Promise<void>;
};

type Container = { readonly process: PreflightProcess; readonly startedAt: string };

const LOOP_MS = 150;
const PODS_PATH = join(CONFIG_MAPS, "..", "pods");

export function startNode(settings: NodeSettings): Node {
  const stopping = new AbortController();
  const containers = new Map<string, Container>();
  const restarts = new Map<string, number>();
  const written = new Map<string, string>();
  let mode: RunnerMode = "runs";
  const end = async (uid: string): Promise<void> => {
    const container = containers.get(uid);
    containers.delete(uid);
    container?.process.kill("SIGTERM");
    await container?.process.result;
  };
  const start = (uid: string, pod: JsonObject): void => {
    const process = startRunner(pod, settings);
    containers.set(uid, { process, startedAt: formatTime(new Date()) });
    void process.result.then(({ signal }) => {
      if (containers.get(uid)?.process !== process) return;
      containers.delete(uid);
      if (signal === "SIGKILL") restarts.set(uid, (restarts.get(uid) ?? 0) + 1);
    });
  };
  const serve = async (pod: JsonObject): Promise<void> => {
    const uid = textAt(pod, "metadata", "uid") ?? "";
    if (textAt(pod, "metadata", "deletionTimestamp") !== undefined) {
      await end(uid);
      return remove(settings.api, pod);
    }
    if (textAt(pod, "spec", "nodeName") === undefined && mode !== "isUnschedulable") await bind(settings, pod);
    if (mode !== "runs") await end(uid);
    else if (!containers.has(uid)) start(uid, pod);
    const status = buildStatus(mode, containers.get(uid), restarts.get(uid) ?? 0, settings);
    if (written.get(uid) === JSON.stringify(status)) return;
    written.set(uid, JSON.stringify(status));
    await writeStatus(settings.api, pod, status);
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const pods = listAt(await readObject(settings.api, PODS), "items").filter(isObject);
      for (const pod of pods) await serve(pod);
      const uids = new Set(pods.map((pod) => textAt(pod, "metadata", "uid")));
      for (const uid of containers.keys()) if (!uids.has(uid)) await end(uid);
      await sleep(LOOP_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    for (const uid of containers.keys()) await end(uid);
  };
  const looping = loop();
  return {
    setMode: (next) => void (mode = next),
    killRunner: () => {
      for (const { process } of containers.values()) process.kill("SIGKILL");
    },
    stop: async () => {
      stopping.abort();
      await looping;
    },
  };
}

/** The runner with the pod's environment, apart from what belongs to a node. */
function startRunner(pod: JsonObject, { payloads, flags }: NodeSettings): PreflightProcess {
  const env = listAt(pod, "spec", "containers", 0, "env").flatMap((one) => {
    const [name, value] = [textAt(one, "name") ?? "", textAt(one, "value") ?? ""];
    return name.startsWith("PREFLIGHT_") || name === "RELEASE_IMAGE" ? [[name, value] as const] : [];
  });
  const image = textAt(pod, "spec", "initContainers", 0, "image") ?? "";
  const variables = { ...Object.fromEntries(env), PREFLIGHT_TARGET: payloads.get(image) ?? "" };
  return startPreflight(["--format=preflight-v1-json", ...flags], variables);
}

async function bind({ api, name }: NodeSettings, pod: JsonObject): Promise<void> {
  const { name: podName, namespace, uid } = objectAt(pod, "metadata");
  const metadata = { name: podName ?? "", namespace: namespace ?? "", uid: uid ?? "" };
  const target = { apiVersion: "v1", kind: "Node", name };
  await api.write(
    {
      method: "POST",
      path: `${PODS_PATH}/${textAt(pod, "metadata", "name")}/binding`,
      body: { apiVersion: "v1", kind: "Binding", metadata, target },
    },
    AbortSignal.timeout(5_000),
  );
}

/** A pod that was deleted in the meantime gets no status. */
async function writeStatus(api: ApiClient, pod: JsonObject, status: JsonObject): Promise<void> {
  const path = `${PODS_PATH}/${textAt(pod, "metadata", "name")}/status`;
  await api.write(
    { method: "PATCH", path, type: "application/merge-patch+json", body: { status } },
    AbortSignal.timeout(5_000),
  );
}

async function remove(api: ApiClient, pod: JsonObject): Promise<void> {
  const preconditions = { uid: textAt(pod, "metadata", "uid") ?? "" };
  const body = { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0, preconditions };
  const path = `${PODS_PATH}/${textAt(pod, "metadata", "name")}`;
  await api.write({ method: "DELETE", path, body }, AbortSignal.timeout(5_000));
}

function buildStatus(
  mode: RunnerMode,
  container: Container | undefined,
  restartCount: number,
  { isReady }: NodeSettings,
): JsonObject {
  if (mode === "isUnschedulable") return { phase: "Pending", conditions: [UNSCHEDULABLE], containerStatuses: [] };
  const ready = mode === "runs" && container !== undefined && isReady();
  const status = { name: "preflight", image: "", imageID: "", restartCount, ready };
  return {
    phase: mode === "lacksImage" ? "Pending" : "Running",
    conditions: [{ type: "Ready", status: ready ? "True" : "False" }],
    containerStatuses: [{ ...status, ...buildContainerState(mode, container, restartCount) }],
  };
}

const UNSCHEDULABLE = { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/6 nodes fit." };
const FAILURE = { exitCode: 1, reason: "Error", message: "It fell over." };
const KILLED = { exitCode: 137, reason: "Error", message: "Killed." };

function buildContainerState(mode: RunnerMode, container: Container | undefined, restartCount: number): JsonObject {
  if (mode === "crashes")
    return { state: { waiting: { reason: "CrashLoopBackOff" } }, lastState: { terminated: FAILURE } };
  if (mode === "lacksImage")
    return { state: { waiting: { reason: "ImagePullBackOff", message: "not found" } }, lastState: {} };
  const state = container
    ? { running: { startedAt: container.startedAt } }
    : { waiting: { reason: "ContainerCreating" } };
  return { state, lastState: restartCount > 0 ? { terminated: KILLED } : {} };
}
