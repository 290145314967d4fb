import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../src/cluster/writer/api-client.ts";
import { CLUSTER_VERSION, LEASES, OPERATOR_LEASE_PATH } from "../../src/controller/api/api-paths.ts";
import { formatCanonicalJson, type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { formatTime } from "../../src/model/time.ts";
import { readClusterVersion, readObject } from "./stage.ts";

/** Like the current operator, it treats any target in spec.desiredUpdate as an update, whatever the mode. */
export type FakeOperator = {
  /** The targets that it would have updated to. */
  readonly updates: readonly string[];
  /** The values of spec.desiredUpdate, one for each change. */
  readonly desiredUpdates: readonly string[];
  readonly syncs: () => number;
  /** Syncs now, whenever the next one is due. */
  readonly sync: () => Promise<void>;
  /** Ends as the operator does that is asked to: it releases its lease. */
  readonly stop: () => Promise<void>;
  /** Ends at once, and leaves its lease to expire. */
  readonly kill: () => Promise<void>;
};

export type OperatorSettings = {
  /** ClusterVersion's status as the operator wants it, which it writes if the present one differs. By default its own of the start. */
  readonly buildStatus?: (clusterVersion: JsonObject) => JsonObject | Promise<JsonObject>;
  /** Whether its own status has new transition times at every sync, as the operator's has whenever it evaluates the risks again. */
  readonly renewsTimes?: boolean;
  readonly intervalMs?: number;
  readonly leaseSeconds?: number;
};

const INTERVAL_MS = 200;
/** Source: pkg/start of the cluster-version operator. */
const LEASE_SECONDS = 137;
const LISTS = ["availableUpdates", "conditionalUpdates", "conditionalUpdateRisks"];

/** Holds the operator's lease and, like the real operator, overwrites the lists of updates and risks with its own at every sync. */
export async function startOperator(api: ApiClient, settings: OperatorSettings = {}): Promise<FakeOperator> {
  const { intervalMs = INTERVAL_MS, leaseSeconds = LEASE_SECONDS } = settings;
  const stopping = new AbortController();
  const updates: string[] = [];
  const desiredUpdates: string[] = [];
  let last = "{}";
  let syncs = 0;
  const buildStatus = settings.buildStatus ?? restoreLists(await readClusterVersion(api), () => syncs, settings);
  const sync = async (): Promise<void> => {
    await holdLease(api, "operator", leaseSeconds);
    while (!(await syncStatus()));
    syncs += 1;
  };
  const syncStatus = async (): Promise<boolean> => {
    const now = await readClusterVersion(api);
    const desired = objectAt(now, "spec", "desiredUpdate");
    if (formatCanonicalJson(desired) !== last) desiredUpdates.push(formatCanonicalJson(desired));
    last = formatCanonicalJson(desired);
    const to = textAt(desired, "version") ?? textAt(desired, "image") ?? textAt(desired, "architecture");
    if (to !== undefined) updates.push(to);
    return writeStatus(api, now, await buildStatus(now));
  };
  let running = Promise.resolve();
  /** One after the other, whoever asks. */
  const enqueue = (): Promise<void> => (running = running.then(sync));
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await enqueue();
      await sleep(intervalMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const looping = loop();
  const kill = async (): Promise<void> => {
    stopping.abort();
    await looping;
  };
  const stop = async (): Promise<void> => {
    await kill();
    await holdLease(api, "", 1);
  };
  return { updates, desiredUpdates, syncs: () => syncs, sync: enqueue, stop, kill };
}

/** The present status with the lists of the start. A condition changes at every sync, so that every sync writes. */
function restoreLists(
  first: JsonObject,
  syncs: () => number,
  { renewsTimes = false }: OperatorSettings,
): (clusterVersion: JsonObject) => JsonObject {
  const own = Object.fromEntries(Object.entries(objectAt(first, "status")).filter(([key]) => LISTS.includes(key)));
  return (clusterVersion) => {
    const status = objectAt(clusterVersion, "status");
    const conditions = listAt(status, "conditions").map((one) =>
      textAt(one, "type") === "Progressing" ? { ...objectAt(one), message: `sync ${syncs()}` } : one,
    );
    return { ...replaceLists(status, renewsTimes ? renewTimes(own) : own), conditions };
  };
}

function renewTimes(lists: JsonObject): JsonObject {
  const time = formatTime(new Date());
  return JSON.parse(JSON.stringify(lists, (key, value) => (key === "lastTransitionTime" ? time : value)));
}

/** The status with the operator's own lists instead of the present ones. */
export function replaceLists(status: JsonObject, own: JsonObject): JsonObject {
  return { ...Object.fromEntries(Object.entries(status).filter(([key]) => !LISTS.includes(key))), ...own };
}

/** False after a conflict. */
async function writeStatus(api: ApiClient, now: JsonObject, status: JsonObject): Promise<boolean> {
  if (formatCanonicalJson(status) === formatCanonicalJson(objectAt(now, "status"))) return true;
  const body = { ...now, status };
  const write = { method: "PUT", path: `${CLUSTER_VERSION}/status`, body } as const;
  return (await api.write(write, AbortSignal.timeout(60_000))).kind !== "conflict";
}

/** Acquires or renews the operator's lease for `seconds`; without a holder, releases it. */
export async function holdLease(
  api: ApiClient,
  holder: string,
  seconds = LEASE_SECONDS,
  renewed = new Date(),
): Promise<void> {
  const present = await readObject(api, OPERATOR_LEASE_PATH);
  const renewTime = renewed.toISOString().replace("Z", "000Z");
  const spec = { holderIdentity: holder, leaseDurationSeconds: seconds, acquireTime: renewTime, renewTime };
  const metadata = present
    ? objectAt(present, "metadata")
    : { name: "version", namespace: "openshift-cluster-version" };
  const body = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
  const [method, path] = present ? (["PUT", OPERATOR_LEASE_PATH] as const) : (["POST", LEASES] as const);
  const signal = AbortSignal.timeout(60_000);
  const answer = await api.write({ method, path, body }, signal);
  if (answer.kind !== "ok") throw new Error(answer.message);
}
