import type { ApiClient, ApiResponse, ApiWrite } from "../../src/cluster/writer/api-client.ts";
import { formatCanonicalJson, isObject, type JsonObject, listAt, textAt } from "../../src/model/json.ts";
import { formatTime } from "../../src/model/time.ts";
import { runInformer } from "../../src/controller/api/cached-client.ts";
import { systemSleep } from "../../src/runner/gather/gathering.ts";
import { createKubeletPod, type KubeletPod, type KubeletPodOptions } from "./kubelet-pod.ts";
import { evictFromNode, isWronglyTainted, markNodeLost, markNodeReady } from "./lost-node.ts";
import type { PodMode } from "./pod-mode.ts";
import { buildPodStatus } from "./pod-status.ts";
import { placePod, type Placement } from "./scheduler.ts";

/** Stands in for the scheduler and for every kubelet, beside a real API server and real controllers. */
export type NodeAgent = {
  readonly setMode: (mode: PodMode) => void;
  /** The node is unreachable: its processes end at once, its pods are evicted, and nobody finishes that. */
  readonly loseNode: (name: string) => Promise<void>;
  readonly returnNode: (name: string) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type NodeAgentOptions = Omit<KubeletPodOptions, "hostIP" | "stepMs"> & {
  readonly namespace: string;
  /** Which pods follow the mode; the others run, with nothing behind them. */
  readonly isPlayed: (pod: JsonObject) => boolean;
  readonly stepMs?: number;
  readonly mode?: PodMode;
};

const TICK_MS = 100;

export function startNodeAgent(api: ApiClient, options: NodeAgentOptions): NodeAgent {
  const stopping = new AbortController();
  const agent: AgentState = {
    api,
    options,
    pods: new Map(),
    written: new Map(),
    lost: new Set(),
    mode: options.mode ?? { kind: "runs" },
    known: [],
    isChanged: true,
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await tick(agent);
      await systemSleep(TICK_MS, stopping.signal);
    }
  };
  const looping = Promise.all([loop(), followPods(agent, stopping.signal)]);
  return {
    setMode: (mode) => void (agent.mode = mode),
    loseNode: async (name) => {
      agent.lost.add(name);
      for (const pod of await listPods(agent))
        if (nodeOf(pod) === name) await agent.pods.get(uidOf(pod))?.end("SIGKILL");
      await markNodeLost(api, name);
      await evictFromNode(api, options.namespace, name);
    },
    returnNode: async (name) => {
      await markNodeReady(api, name);
      agent.lost.delete(name);
    },
    stop: async () => {
      stopping.abort();
      await looping;
      for (const pod of agent.pods.values()) await pod.end("SIGTERM");
    },
  };
}

type AgentState = {
  readonly api: ApiClient;
  readonly options: NodeAgentOptions;
  /** By uid. */
  readonly pods: Map<string, KubeletPod>;
  /** The last status of each pod, so that only a change is written. */
  readonly written: Map<string, string>;
  readonly lost: Set<string>;
  mode: PodMode;
  /** The pods as they were listed last. */
  known: readonly JsonObject[];
  /** Whether they may have changed since. */
  isChanged: boolean;
};

/** A list costs an API server milliseconds, ten times a second. */
function followPods(agent: AgentState, signal: AbortSignal): Promise<void> {
  const onChange = (): void => void (agent.isChanged = true);
  const { api } = agent;
  const pods = { collection: getPodsPath(agent), query: "labelSelector=" };
  return runInformer(pods, onChange, { api, sleep: systemSleep, onFailure: onChange }, signal);
}

async function tick(agent: AgentState): Promise<void> {
  if (agent.isChanged) {
    agent.isChanged = false;
    agent.known = await listPods(agent);
  }
  const pods = agent.known;
  for (const pod of pods) {
    const node = nodeOf(pod);
    if (node === undefined) await schedule(agent, pod, pods);
    else if (!agent.lost.has(node)) await runPod(agent, pod, node);
  }
}

async function schedule(agent: AgentState, pod: JsonObject, pods: readonly JsonObject[]): Promise<void> {
  if (textAt(pod, "metadata", "deletionTimestamp") !== undefined) return;
  const placement = await findPlacement(agent, pod, pods);
  if (placement.kind === "node") {
    const target = { apiVersion: "v1", kind: "Node", name: textAt(placement.node, "metadata", "name") ?? "" };
    const metadata = { name: textAt(pod, "metadata", "name") ?? "", uid: uidOf(pod) };
    const body = { apiVersion: "v1", kind: "Binding", metadata, target };
    await write(agent, { method: "POST", path: `${pathOf(pod)}/binding`, body });
    return;
  }
  const present = listAt(pod, "status", "conditions");
  if (present.some((one) => textAt(one, "message") === placement.message)) return;
  const lastTransitionTime = formatTime(new Date());
  const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message: placement.message };
  const conditions = [{ ...condition, lastProbeTime: null, lastTransitionTime }];
  await patchStatus(agent, pod, { conditions });
}

async function findPlacement(agent: AgentState, pod: JsonObject, pods: readonly JsonObject[]): Promise<Placement> {
  const { mode, options } = agent;
  if (mode.kind === "unschedulable" && options.isPlayed(pod))
    return { kind: "unschedulable", message: "0/6 nodes are available: 6 Insufficient memory." };
  const nodes = await list(agent, "/api/v1/nodes");
  const wrong = nodes.filter(isWronglyTainted).map((node) => textAt(node, "metadata", "name") ?? "");
  for (const name of wrong) await markNodeReady(agent.api, name);
  return placePod(pod, wrong.length === 0 ? nodes : await list(agent, "/api/v1/nodes"), pods);
}

async function runPod(agent: AgentState, pod: JsonObject, node: string): Promise<void> {
  const { options, pods } = agent;
  const isPlayed = options.isPlayed(pod);
  if (textAt(pod, "metadata", "deletionTimestamp") !== undefined) return removePod(agent, pod);
  if (["Failed", "Succeeded"].includes(textAt(pod, "status", "phase") ?? "")) return;
  const { start } = options;
  const kubeletPod =
    pods.get(uidOf(pod)) ??
    createKubeletPod(
      pod,
      {
        hostIP: await readAddress(agent, node),
        stepMs: options.stepMs ?? 400,
        ...(isPlayed && start ? { start } : {}),
      },
      new Date(),
    );
  pods.set(uidOf(pod), kubeletPod);
  const mode: PodMode = isPlayed ? agent.mode : { kind: "hangs" };
  const progress = await kubeletPod.advance(mode, new Date());
  await patchStatus(agent, pod, buildPodStatus(pod, progress, new Date()));
  if (mode.kind === "mountFailure" && progress.starts === 0) await reportMountFailure(agent, pod, node);
}

/** The kubelet ends the containers and then removes the object, which the API server has only marked. */
async function removePod(agent: AgentState, pod: JsonObject): Promise<void> {
  await agent.pods.get(uidOf(pod))?.end("SIGTERM");
  agent.pods.delete(uidOf(pod));
  agent.written.delete(uidOf(pod));
  const body = { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0, preconditions: { uid: uidOf(pod) } };
  await write(agent, { method: "DELETE", path: pathOf(pod), body });
}

const MOUNT_FAILURE = `MountVolume.SetUp failed for volume "updatepayloads" : hostPath type check failed: /etc/cvo/updatepayloads is not a directory`;

/** Once for each pod: a kubelet repeats it as a count of the same event. */
async function reportMountFailure(agent: AgentState, pod: JsonObject, node: string): Promise<void> {
  const name = textAt(pod, "metadata", "name") ?? "";
  const { namespace } = agent.options;
  const key = `${uidOf(pod)} mount`;
  if (agent.written.has(key)) return;
  agent.written.set(key, MOUNT_FAILURE);
  const time = formatTime(new Date());
  const body = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${name}.mount`, namespace },
    involvedObject: { apiVersion: "v1", kind: "Pod", name, namespace, uid: uidOf(pod) },
    reason: "FailedMount",
    message: MOUNT_FAILURE,
    type: "Warning",
    source: { component: "kubelet", host: node },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  };
  await write(agent, { method: "POST", path: `/api/v1/namespaces/${namespace}/events`, body });
}

async function readAddress(agent: AgentState, node: string): Promise<string> {
  const nodes = await list(agent, "/api/v1/nodes");
  const addresses = listAt(
    nodes.find((one) => textAt(one, "metadata", "name") === node),
    "status",
    "addresses",
  );
  return (
    textAt(
      addresses.find((one) => textAt(one, "type") === "InternalIP"),
      "address",
    ) ?? ""
  );
}

async function patchStatus(agent: AgentState, pod: JsonObject, status: JsonObject): Promise<void> {
  const text = formatCanonicalJson(status);
  if (agent.written.get(uidOf(pod)) === text) return;
  const metadata = { uid: uidOf(pod) };
  const type = "application/merge-patch+json";
  const answer = await write(agent, {
    method: "PATCH",
    path: `${pathOf(pod)}/status`,
    body: { metadata, status },
    type,
  });
  if (answer.kind === "ok") agent.written.set(uidOf(pod), text);
}

/** What somebody else changed in between is seen at the next tick. */
async function write(agent: AgentState, request: ApiWrite): Promise<ApiResponse> {
  agent.isChanged = true;
  const answer = await agent.api.write(request, AbortSignal.timeout(60_000));
  if (answer.kind === "refused") throw new Error(`${request.method} ${request.path}: ${answer.message}`);
  return answer;
}

function listPods(agent: AgentState): Promise<readonly JsonObject[]> {
  return list(agent, getPodsPath(agent));
}

function getPodsPath({ options }: AgentState): string {
  return `/api/v1/namespaces/${options.namespace}/pods`;
}

async function list({ api }: AgentState, path: string): Promise<readonly JsonObject[]> {
  const answer = await api.read(path, AbortSignal.timeout(60_000));
  if (answer.kind !== "ok") throw new Error(`${path}: ${answer.message}`);
  return listAt(answer.object, "items").filter(isObject);
}

function pathOf(pod: JsonObject): string {
  const [namespace, name] = ["namespace", "name"].map((key) => textAt(pod, "metadata", key) ?? "");
  return `/api/v1/namespaces/${namespace}/pods/${name}`;
}

function uidOf(pod: JsonObject): string {
  return textAt(pod, "metadata", "uid") ?? "";
}

function nodeOf(pod: JsonObject): string | undefined {
  return textAt(pod, "spec", "nodeName");
}
