import type { Sleep } from "../model/time.ts";
import { parseDocuments, toYaml } from "../encoding/yaml.ts";
import { buildInsight } from "./insight/insight.ts";
import { isObject, type JsonObject, textAt } from "../model/json.ts";
import type { ApiClient } from "../cluster/writer/api-client.ts";
import type { InformerFailure, Snapshot, WatchedList } from "./api/cached-client.ts";
import { runInformer, selectByName } from "./api/cached-client.ts";
import { createChangeLogger, type Logger } from "../model/logger.ts";
import { type LoopMonitor, createWorkQueue } from "./work-loop.ts";

export const INSIGHT_NAMESPACE = "openshift-update-status-controller";
export const INSIGHT_CONFIG_MAP = "status-api-cm-prototype";
export const INSIGHT_KEY = "usc-cv-version";

const CONFIG_MAPS = `/api/v1/namespaces/${INSIGHT_NAMESPACE}/configmaps`;
const WATCHED_CONFIG_MAP: WatchedList = { collection: CONFIG_MAPS, query: selectByName(INSIGHT_CONFIG_MAP) };
const WATCHED_CLUSTER_VERSION: WatchedList = {
  collection: "/apis/config.openshift.io/v1/clusterversions",
  query: selectByName("version"),
};
const CONFIG_MAP_TEXT = `ConfigMap ${INSIGHT_NAMESPACE}/${INSIGHT_CONFIG_MAP}`;
const FAILURE_RETRY_MS = 10_000;

export type StatusControllerDependencies = {
  readonly api: ApiClient;
  readonly sleep: Sleep;
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
  const onSnapshotOf = (key: "clusterVersion" | "configMap") => (snapshot: Snapshot) => {
    states[key] = snapshot;
    enqueue();
  };
  const onFailure = ({ message }: InformerFailure): void => log.warn("watch failed, retrying", { why: message });
  const dependencies = { api, sleep, onFailure };
  await Promise.all([
    runInformer(WATCHED_CLUSTER_VERSION, onSnapshotOf("clusterVersion"), dependencies, signal),
    runInformer(WATCHED_CONFIG_MAP, onSnapshotOf("configMap"), dependencies, signal),
    run(signal),
  ]);
}

type InformerStates = {
  readonly logOnce: (message: string) => void;
  clusterVersion?: Snapshot;
  configMap?: Snapshot;
};

async function sync(
  states: InformerStates,
  { api, log, onWrite }: Pick<StatusControllerDependencies, "api" | "log" | "onWrite">,
  signal: AbortSignal,
): Promise<number | undefined> {
  const snapshot = states.configMap;
  if (states.clusterVersion === undefined || snapshot === undefined) return undefined;
  const [clusterVersion] = states.clusterVersion.objects;
  const [configMap] = snapshot.objects;
  states.logOnce(describeAbsence(clusterVersion, configMap));
  if (clusterVersion === undefined || configMap === undefined) return undefined;
  const before = textAt(configMap, "data", INSIGHT_KEY);
  const text = toYaml(buildInsight(clusterVersion, parseInsight(before)));
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
    if (states.configMap === snapshot) states.configMap = { ...snapshot, objects: [response.object] };
    return undefined;
  }
  // The ConfigMap was deleted in the meantime, which its watch reports.
  if (response.kind === "absent" || signal.aborted) return undefined;
  onWrite(false);
  log.error("could not write the status insight, retrying", { why: response.message });
  return FAILURE_RETRY_MS;
}

function describeAbsence(clusterVersion: JsonObject | undefined, configMap: JsonObject | undefined): string {
  if (!configMap) return `${CONFIG_MAP_TEXT} does not exist, so there is nothing to write`;
  return clusterVersion ? "" : "ClusterVersion version does not exist, so there is nothing to write";
}

/** Undefined if the key has none, or what somebody else wrote. */
function parseInsight(text = ""): JsonObject | undefined {
  const parsed = parseDocuments(text);
  return parsed.kind === "documents" ? parsed.documents.find(isObject) : undefined;
}

/** The lines that only one of the two texts has, marked as in a diff. */
function diffLines(before: string, after: string): readonly string[] {
  const old = before.split("\n");
  const current = after.split("\n");
  return [
    ...old.filter((line) => line !== "" && !current.includes(line)).map((line) => `- ${line.trim()}`),
    ...current.filter((line) => line !== "" && !old.includes(line)).map((line) => `+ ${line.trim()}`),
  ];
}
