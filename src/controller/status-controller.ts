import type { Sleep } from "../model/time.ts";
import { formatTime } from "../model/time.ts";
import { parseDocuments, toYaml } from "../encoding/yaml.ts";
import { buildInsight } from "./insight/insight.ts";
import { buildInsights, INSIGHT_PREFIXES } from "./insight/insights.ts";
import { getMachineConfigText, keepNode } from "./insight/node-insight.ts";
import { isObject, type JsonObject, objectAt, textAt } from "../model/json.ts";
import type { ApiClient } from "../cluster/writer/api-client.ts";
import type { InformerFailure, Snapshot, WatchedList } from "./api/cached-client.ts";
import { EVERY_OBJECT, runInformer, selectByName } from "./api/cached-client.ts";
import { createChangeLogger, type Logger } from "../model/logger.ts";
import { type LoopMonitor, createWorkQueue } from "./work-loop.ts";

export const INSIGHT_NAMESPACE = "openshift-update-status-controller";
export const INSIGHT_CONFIG_MAP = "status-api-cm-prototype";
export const INSIGHT_KEY = "usc-cv-version";

const CONFIG_MAPS = `/api/v1/namespaces/${INSIGHT_NAMESPACE}/configmaps`;
const MACHINE_CONFIGS = "/apis/machineconfiguration.openshift.io/v1/machineconfigs";
const CONFIG_VERSION = "machineconfiguration.openshift.io/release-image-version";
const CONFIG_MAP_TEXT = `ConfigMap ${INSIGHT_NAMESPACE}/${INSIGHT_CONFIG_MAP}`;
const FAILURE_RETRY_MS = 10_000;
/** During an update something changes all the time, and each write sends the whole ConfigMap to all that watch it. */
const WRITE_INTERVAL_MS = 2_000;

const WATCHED = {
  configMap: { collection: CONFIG_MAPS, query: selectByName(INSIGHT_CONFIG_MAP) },
  clusterVersion: { collection: "/apis/config.openshift.io/v1/clusterversions", query: selectByName("version") },
  operators: { collection: "/apis/config.openshift.io/v1/clusteroperators", query: EVERY_OBJECT },
  pools: { collection: "/apis/machineconfiguration.openshift.io/v1/machineconfigpools", query: EVERY_OBJECT },
  nodes: { collection: "/api/v1/nodes", query: EVERY_OBJECT, keep: keepNode },
} as const satisfies Readonly<Record<string, WatchedList>>;

type WatchedKind = keyof typeof WATCHED;
const KINDS: readonly WatchedKind[] = ["configMap", "clusterVersion", "operators", "pools", "nodes"];

export type StatusControllerDependencies = {
  readonly api: ApiClient;
  readonly sleep: Sleep;
  readonly now: () => Date;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly log: Logger;
  readonly monitor: LoopMonitor;
  /** Called after each attempt to write. */
  readonly onWrite: (isWritten: boolean) => void;
};

/**
 * Writes the insights about ClusterVersion, operators, pools, nodes and health to keys of a ConfigMap until the signal aborts. It never
 * creates the ConfigMap, writes only changes, and leaves all keys of others alone.
 */
export async function runStatusController(
  dependencies: StatusControllerDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { api, sleep, log, monitor } = dependencies;
  const state: SyncState = { logOnce: createChangeLogger(log.info), snapshots: {}, versions: new Map() };
  const { enqueue, run } = createWorkQueue((stop) => monitor.track(() => sync(state, dependencies, stop)));
  const onFailure = ({ message }: InformerFailure): void => log.warn("watch failed, retrying", { why: message });
  const follow = async (kind: WatchedKind): Promise<void> =>
    runInformer(
      WATCHED[kind],
      (snapshot) => {
        state.snapshots[kind] = snapshot;
        enqueue();
      },
      { api, sleep, onFailure },
      signal,
    );
  await Promise.all([...KINDS.map(follow), run(signal)]);
}

type SyncState = {
  readonly logOnce: (message: string) => void;
  readonly snapshots: { [kind in WatchedKind]?: Snapshot };
  /** The release that made each rendered MachineConfig, which never changes; "" if it doesn't say. */
  readonly versions: Map<string, string>;
  writtenAt?: number;
};

async function sync(
  state: SyncState,
  dependencies: StatusControllerDependencies,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { configMap: snapshot, clusterVersion, operators, pools, nodes } = state.snapshots;
  if (!snapshot || !clusterVersion || !operators || !pools || !nodes) return undefined;
  const [version] = clusterVersion.objects;
  const [configMap] = snapshot.objects;
  state.logOnce(describeAbsence(version, configMap));
  if (version === undefined || configMap === undefined) return undefined;
  const wait = WRITE_INTERVAL_MS - (dependencies.clock() - (state.writtenAt ?? -WRITE_INTERVAL_MS));
  if (wait > 0) return wait;
  const isKnown = await readConfigVersions(state, nodes, dependencies, signal);
  const others = { operators: operators.objects, pools: pools.objects, nodes: nodes.objects };
  const findVersion = (config: string): string | undefined => state.versions.get(config) || undefined;
  const changes = findChanges(configMap, { version, ...others, findVersion }, dependencies.now());
  const retry = isKnown ? undefined : FAILURE_RETRY_MS;
  return Object.keys(changes).length === 0 ? retry : ((await write(changes, state, dependencies, signal)) ?? retry);
}

/** What a merge patch of the ConfigMap's data has to say; null removes an insight about something that is gone. */
type InsightChanges = Readonly<Record<string, string | null>>;

type ClusterState = Omit<Parameters<typeof buildInsights>[0], "clusterVersion" | "insight"> & {
  readonly version: JsonObject;
};

function findChanges(configMap: JsonObject, { version, ...others }: ClusterState, now: Date): InsightChanges {
  const data = objectAt(configMap, "data");
  const parse = (key: string): JsonObject | undefined => parseInsight(textAt(data, key));
  const insight = buildInsight(version, parse(INSIGHT_KEY));
  const insights = buildInsights({ clusterVersion: version, insight, ...others }, parse, formatTime(now));
  const texts = new Map([[INSIGHT_KEY, toYaml(insight)], ...[...insights].map(toEntry)]);
  const gone = Object.keys(data).filter(
    (key) => INSIGHT_PREFIXES.some((prefix) => key.startsWith(prefix)) && !texts.has(key),
  );
  return Object.fromEntries([
    ...[...texts].filter(([key, text]) => text !== textAt(data, key)),
    ...gone.map((key) => [key, null] as const),
  ]);
}

function toEntry([key, insight]: readonly [string, JsonObject]): readonly [string, string] {
  return [key, toYaml(insight)];
}

async function write(
  changes: InsightChanges,
  state: SyncState,
  { api, clock, log, onWrite }: StatusControllerDependencies,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { configMap: snapshot } = state.snapshots;
  const path = `${CONFIG_MAPS}/${INSIGHT_CONFIG_MAP}`;
  const type = "application/merge-patch+json";
  const response = await api.write({ method: "PATCH", path, body: { data: changes }, type }, signal);
  if (response.kind === "ok") {
    state.writtenAt = clock();
    onWrite(true);
    logChanges(changes, objectAt(snapshot?.objects[0], "data"), log);
    if (snapshot && state.snapshots.configMap === snapshot)
      state.snapshots.configMap = { ...snapshot, objects: [response.object] };
    return undefined;
  }
  // The ConfigMap was deleted in the meantime, which its watch reports.
  if (response.kind === "absent" || signal.aborted) return undefined;
  onWrite(false);
  log.error("could not write the status insights, retrying", { why: response.message });
  return FAILURE_RETRY_MS;
}

/** Nobody reads a diff of hundreds of nodes. */
const MAX_LOGGED = 10;

function logChanges(changes: InsightChanges, before: JsonObject, log: Logger): void {
  const keys = Object.keys(changes);
  for (const key of keys.slice(0, MAX_LOGGED)) {
    const changed = diffLines(textAt(before, key) ?? "", changes[key] ?? "");
    log.info("wrote a status insight", { configMap: CONFIG_MAP_TEXT, key, changed });
  }
  if (keys.length > MAX_LOGGED) log.info("wrote further status insights", { keys: keys.length - MAX_LOGGED });
}

/** Of the rendered configurations that nodes have or get, the metadata: the rest may hold what is secret. Resolves with whether all could be read. */
async function readConfigVersions(
  { versions }: SyncState,
  nodes: Snapshot,
  { api, log }: StatusControllerDependencies,
  signal: AbortSignal,
): Promise<boolean> {
  const names = new Set(
    nodes.objects.flatMap((node) => ["currentConfig", "desiredConfig"].map((key) => getMachineConfigText(node, key))),
  );
  let isKnown = true;
  for (const name of names) {
    if (!name || versions.has(name)) continue;
    const response = await api.read(`${MACHINE_CONFIGS}/${encodeURIComponent(name)}`, signal, "metadata");
    if (response.kind === "ok")
      versions.set(name, textAt(response.object, "metadata", "annotations", CONFIG_VERSION) ?? "");
    else {
      isKnown = false;
      if (response.kind !== "absent")
        log.warn("could not read a machine config, retrying", { machineConfig: name, why: response.message });
    }
  }
  for (const name of versions.keys()) if (!names.has(name)) versions.delete(name);
  return isKnown;
}

function describeAbsence(clusterVersion: JsonObject | undefined, configMap: JsonObject | undefined): string {
  if (!configMap) return `${CONFIG_MAP_TEXT} does not exist, so there is nothing to write`;
  return clusterVersion ? "" : "ClusterVersion version does not exist, so there is nothing to write";
}

/** Undefined if the key has none, or something else that somebody wrote. */
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
