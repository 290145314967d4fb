import { parseDocuments, toYaml } from "../encoding/yaml.ts";
import { buildInsight } from "./insight/insight.ts";
import { isObject, type JsonObject, textAt } from "../model/json.ts";
import type { ApiClient } from "../cluster/writer/api-client.ts";
import { runInformer, type WatchedObject, type ObjectState } from "./api/informer.ts";
import { createChangeLogger, type Logger } from "../model/logger.ts";
import type { LoopMonitor } from "./loop-monitor.ts";
import { createWorkQueue } from "./work-queue.ts";

export const INSIGHT_NAMESPACE = "openshift-update-status-controller";
export const INSIGHT_CONFIG_MAP = "status-api-cm-prototype";
export const INSIGHT_KEY = "usc-cv-version";

const CONFIG_MAPS = `/api/v1/namespaces/${INSIGHT_NAMESPACE}/configmaps`;
const WATCHED_CONFIG_MAP: WatchedObject = { collection: CONFIG_MAPS, name: INSIGHT_CONFIG_MAP };
const WATCHED_CLUSTER_VERSION: WatchedObject = {
  collection: "/apis/config.openshift.io/v1/clusterversions",
  name: "version",
};
const CONFIG_MAP_TEXT = `ConfigMap ${INSIGHT_NAMESPACE}/${INSIGHT_CONFIG_MAP}`;
const FAILURE_RETRY_MS = 10_000;

export type StatusControllerDependencies = {
  readonly api: ApiClient;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly log: Logger;
  readonly monitor: LoopMonitor;
  /** Called after each attempt to write. */
  readonly onWrite: (isWritten: boolean) => void;
};

/**
 * Writes the status insight about ClusterVersion to one key of a ConfigMap until the signal aborts. It never creates the ConfigMap,
 * writes only changes, and leaves all other keys alone.
 */
export async function runStatusController(
  { api, sleep, log, monitor, onWrite }: StatusControllerDependencies,
  signal: AbortSignal,
): Promise<void> {
  const states: InformerStates = { logOnce: createChangeLogger(log.info) };
  const { enqueue, run } = createWorkQueue((stop) => monitor.track(() => sync(states, { api, log, onWrite }, stop)));
  const onStateOf = (key: "clusterVersion" | "configMap") => (state: ObjectState) => {
    states[key] = state;
    enqueue();
  };
  const onFailure = (message: string): void => log.warn("watch failed, retrying", { why: message });
  const dependencies = { api, sleep, onFailure };
  await Promise.all([
    runInformer(WATCHED_CLUSTER_VERSION, onStateOf("clusterVersion"), dependencies, signal),
    runInformer(WATCHED_CONFIG_MAP, onStateOf("configMap"), dependencies, signal),
    run(signal),
  ]);
}

type InformerStates = {
  readonly logOnce: (message: string) => void;
  clusterVersion?: ObjectState;
  configMap?: ObjectState;
};

async function sync(
  states: InformerStates,
  { api, log, onWrite }: Pick<StatusControllerDependencies, "api" | "log" | "onWrite">,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { clusterVersion, configMap } = states;
  if (clusterVersion === undefined || configMap === undefined) return undefined;
  states.logOnce(describeAbsence(clusterVersion, configMap));
  if (clusterVersion.kind === "absent" || configMap.kind === "absent") return undefined;
  const before = textAt(configMap.object, "data", INSIGHT_KEY);
  const text = toYaml(buildInsight(clusterVersion.object, parseInsight(before)));
  if (text === before) return undefined;
  const body = { data: { [INSIGHT_KEY]: text } };
  const path = `${CONFIG_MAPS}/${INSIGHT_CONFIG_MAP}`;
  const response = await api.write({ method: "PATCH", path, body, type: "application/merge-patch+json" }, signal);
  if (response.kind === "ok") {
    onWrite(true);
    log.info("wrote the status insight", {
      configMap: CONFIG_MAP_TEXT,
      key: INSIGHT_KEY,
      changed: diffLines(before ?? "", text),
    });
    if (states.configMap === configMap) states.configMap = { kind: "present", object: response.object };
    return undefined;
  }
  // The ConfigMap was deleted in the meantime, which its watch reports.
  if (response.kind === "absent" || signal.aborted) return undefined;
  onWrite(false);
  log.error("could not write the status insight, retrying", { why: response.message });
  return FAILURE_RETRY_MS;
}

function describeAbsence(clusterVersion: ObjectState, configMap: ObjectState): string {
  if (configMap.kind === "absent") return `${CONFIG_MAP_TEXT} does not exist, so there is nothing to write`;
  return clusterVersion.kind === "absent" ? "ClusterVersion version does not exist, so there is nothing to write" : "";
}

/** Undefined if the key has none, or what somebody else wrote. */
function parseInsight(text = ""): JsonObject | undefined {
  const parsed = parseDocuments(text);
  return parsed.kind === "documents" ? parsed.documents.find(isObject) : undefined;
}

/** The lines that only one of the two texts has, marked as in a diff. */
function diffLines(before: string, after: string): readonly string[] {
  const [old, current] = [before.split("\n"), after.split("\n")];
  return [
    ...old.filter((line) => line !== "" && !current.includes(line)).map((line) => `- ${line.trim()}`),
    ...current.filter((line) => line !== "" && !old.includes(line)).map((line) => `+ ${line.trim()}`),
  ];
}
