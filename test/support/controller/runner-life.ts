import { CLUSTER_VERSION, CONFIG_MAPS, RUNNER } from "../../../src/controller/api/api-paths.ts";
import { findCondition } from "../../../src/model/object.ts";
import type { DocumentState } from "../../../src/lift/progress/runner-state.ts";
import { type JsonObject, objectAt, textAt } from "../../../src/model/json.ts";
import { formatTime } from "../../../src/model/time.ts";
import { NOW } from "../../../verify/operator/status-sample.ts";
import { getClusterVersion, type MemoryApi } from "./memory-api.ts";
import { createStore, MISSING, reconcileUntilStable, requestFor } from "./reconcile.ts";
import { formatConditions } from "../../../verify/operator/stage.ts";

const PODS = CONFIG_MAPS.replace(/configmaps$/, "pods");

/** A requested preflight whose runner's pods a test drives: each observation is reconciled at its second after NOW. */
export type RunnerLife = {
  readonly api: MemoryApi;
  /** Observes the pods, in place of the earlier ones, and the document. */
  readonly observe: (second: number, pods: readonly JsonObject[], document?: DocumentState) => Promise<void>;
  /** The writes to ClusterVersion so far. */
  readonly writes: () => number;
  /** The conditions, as "Failed=True RunnerCrashed". */
  readonly conditions: () => string;
  /** The second at which PreflightFailed became what it is. */
  readonly failedSince: () => number;
  readonly isRemoved: () => boolean;
};

export async function startRunnerLife(): Promise<RunnerLife> {
  const api = createStore(requestFor({ to: "5.2.0" }));
  await reconcileUntilStable(api);
  const labels = objectAt(api.objects.get(RUNNER), "spec", "template", "metadata", "labels");
  const observe = async (second: number, pods: readonly JsonObject[], document = MISSING): Promise<void> => {
    for (const path of api.objects.keys()) if (path.startsWith(`${PODS}/`)) api.objects.delete(path);
    for (const pod of pods) {
      const metadata = { labels, ...objectAt(pod, "metadata") };
      api.objects.set(`${PODS}/${textAt(metadata, "name")}`, { ...pod, metadata });
    }
    await reconcileUntilStable(api, { now: timeAt(second), document });
  };
  const failed = (): JsonObject | undefined => findCondition(getClusterVersion(api), "PreflightFailed");
  return {
    api,
    observe,
    writes: () => api.writes.filter((write) => write.includes(CLUSTER_VERSION)).length,
    conditions: () => formatConditions(getClusterVersion(api)).join("; "),
    failedSince: () => (Date.parse(textAt(failed(), "lastTransitionTime") ?? "") - NOW.getTime()) / 1_000,
    isRemoved: () => !api.objects.has(RUNNER),
  };
}

export function timeAt(second: number): Date {
  return new Date(NOW.getTime() + second * 1_000);
}

type PodOptions = { readonly name?: string; readonly createdAt?: number };

export function buildPod(status: JsonObject, { name = "runner-1", createdAt = 0 }: PodOptions = {}): JsonObject {
  return { metadata: { name, creationTimestamp: formatTime(timeAt(createdAt)) }, status };
}

export function buildContainer(status: JsonObject, name = "preflight"): JsonObject {
  const key = name === "target" ? "initContainerStatuses" : "containerStatuses";
  return { [key]: [{ name, image: `example.com/${name}`, ready: false, ...status }] };
}

export function running(startedAt: number): JsonObject {
  return { running: { startedAt: formatTime(timeAt(startedAt)) } };
}

/** The end of a container: as in a real one, its log's last line has the time. */
export function ended(finishedAt: number, change: JsonObject = {}): JsonObject {
  const time = formatTime(timeAt(finishedAt));
  const message = `${JSON.stringify({ time, level: "error", message: "it went wrong", why: `bad at ${time}` })}\n`;
  return { terminated: { reason: "Error", exitCode: 1, finishedAt: time, message, ...change } };
}

export function waiting(reason: string, message?: string): JsonObject {
  return { waiting: { reason, ...(message === undefined ? {} : { message }) } };
}

/** One container's restarts, each as what the kubelet reports and when: it ends, waits and runs again. */
export type Restart = { readonly at: number; readonly status: JsonObject };

const RUN_SECONDS = 20;

/** Crashes after 20 seconds each time, with the kubelet's back-off up to `maxBackoff` seconds. The first crash is at second 20. */
export function* buildCrashLoop(restarts: number, maxBackoff: number, end: JsonObject = {}): Generator<Restart> {
  let second = 0;
  for (let restart = 0; restart < restarts; restart += 1) {
    second += RUN_SECONDS;
    const state = ended(second, end);
    yield { at: second, status: { state, restartCount: restart } };
    const delay = Math.min(10 * 2 ** restart, maxBackoff);
    const backoff = waiting("CrashLoopBackOff", `back-off ${delay}s restarting failed container`);
    yield { at: second + 1, status: { state: backoff, lastState: state, restartCount: restart } };
    second += delay;
    yield { at: second + 1, status: { state: running(second), lastState: state, restartCount: restart + 1 } };
  }
}
