import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../../src/cluster/writer/api-client.ts";
import { CLUSTER_VERSION, LEASES, OPERATOR_LEASE_PATH } from "../../../src/controller/api/api-paths.ts";
import { formatCanonicalJson, type JsonObject, listAt, objectAt, textAt } from "../../../src/model/json.ts";
import { formatTime } from "../../../src/model/time.ts";
import { readClusterVersion, readObject } from "./stage.ts";

/** Like the current operator, it treats any target in spec.desiredUpdate as an update, whatever the mode. */
export type FakeOperator = {
  /** The targets that it would have updated to. */
  readonly updates: readonly string[];
  /** The values of spec.desiredUpdate, one for each change. */
  readonly desiredUpdates: readonly string[];
  readonly syncs: () => number;
  readonly stop: () => Promise<void>;
};

const KEPT = ["availableUpdates", "conditionalUpdates", "conditionalUpdateRisks"];

/**
 * Holds the operator's lease and, like the real operator, overwrites the lists of updates and risks with its own at every sync. With
 * `renewsTimes` it evaluates the risks anew each time, as the real one does whenever it has fetched the updates.
 */
export async function startOperator(api: ApiClient, { renewsTimes = false } = {}): Promise<FakeOperator> {
  const stopping = new AbortController();
  const first = await readClusterVersion(api);
  const own = Object.fromEntries(Object.entries(objectAt(first, "status")).filter(([key]) => KEPT.includes(key)));
  const [updates, desiredUpdates]: [string[], string[]] = [[], []];
  let [last, syncs] = ["{}", 0];
  const sync = async (): Promise<void> => {
    await holdLease(api, "operator");
    const now = await readClusterVersion(api);
    const desired = objectAt(now, "spec", "desiredUpdate");
    if (formatCanonicalJson(desired) !== last) desiredUpdates.push(formatCanonicalJson(desired));
    last = formatCanonicalJson(desired);
    const to = textAt(desired, "version") ?? textAt(desired, "image") ?? textAt(desired, "architecture");
    if (to !== undefined) updates.push(to);
    await writeStatus(api, now, renewsTimes ? renewTimes(own) : own, syncs);
    syncs += 1;
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await sync();
      await sleep(200, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const looping = loop();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await looping;
  };
  return { updates, desiredUpdates, syncs: () => syncs, stop };
}

function renewTimes(lists: JsonObject): JsonObject {
  const time = formatTime(new Date());
  return JSON.parse(JSON.stringify(lists, (key, value) => (key === "lastTransitionTime" ? time : value)));
}

/** Changes its own condition at every sync, so that every sync writes. */
async function writeStatus(api: ApiClient, now: JsonObject, own: JsonObject, syncs: number): Promise<void> {
  const status = objectAt(now, "status");
  const conditions = listAt(status, "conditions").map((one) =>
    textAt(one, "type") === "Progressing" ? { ...objectAt(one), message: `sync ${syncs}` } : one,
  );
  const lists = Object.fromEntries(Object.entries(status).filter(([key]) => !KEPT.includes(key)));
  const body = { ...now, status: { ...lists, ...own, conditions } };
  // After a conflict, the next sync writes.
  await api.write({ method: "PUT", path: `${CLUSTER_VERSION}/status`, body }, AbortSignal.timeout(10_000));
}

/** Acquires or renews the operator's lease for `seconds`. */
export async function holdLease(api: ApiClient, holder: string, seconds = 137, renewed = new Date()): Promise<void> {
  const present = await readObject(api, OPERATOR_LEASE_PATH);
  const renewTime = renewed.toISOString().replace("Z", "000Z");
  const spec = { holderIdentity: holder, leaseDurationSeconds: seconds, acquireTime: renewTime, renewTime };
  const metadata = present
    ? objectAt(present, "metadata")
    : { name: "version", namespace: "openshift-cluster-version" };
  const body = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
  const [method, path] = present ? (["PUT", OPERATOR_LEASE_PATH] as const) : (["POST", LEASES] as const);
  const signal = AbortSignal.timeout(10_000);
  const answer = await api.write({ method, path, body }, signal);
  if (answer.kind !== "ok") throw new Error(answer.message);
}
