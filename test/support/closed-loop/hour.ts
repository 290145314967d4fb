import { CLUSTER_VERSION, OPERATOR_LEASE_PATH, PODS, REQUEST, RUNNER } from "../../../src/controller/api/api-paths.ts";
import { getClusterUpdates } from "../../../src/lift/objects/cluster-version.ts";
import { isPreflightCondition } from "../../../src/lift/progress/preflight-conditions.ts";
import type { PreflightDocument } from "../../../src/model/document.ts";
import { isObject, type JsonObject, listAt, objectAt } from "../../../src/model/json.ts";
import { formatTime } from "../../../src/model/time.ts";
import type { OperatorRisks } from "../../../src/runner/updates/update.ts";
import type { MemoryApi } from "../controller/memory-api.ts";
import { createStore, reconcileUntilStable, requestFor } from "../controller/reconcile.ts";
import { clusterVersion, NOW } from "../../../verify/operator/status-sample.ts";
import {
  buildOffers,
  buildUpdateLists,
  type FiringAlert,
  listPlatformAlerts,
  listUpgradeableRisks,
  SOURCE,
  TARGET,
  type Trouble,
} from "../../../verify/operator/operator-model.ts";
import { buildNextDocument, buildStatus, findAlert } from "./world.ts";

/** How a virtual minute looks once everybody has acted in it. */
export type Minute = {
  readonly minute: number;
  readonly document: readonly string[];
  readonly alerts: readonly string[];
  readonly status: JsonObject;
};

export type HourPlan = {
  readonly lifted: OperatorRisks;
  /** What is wrong with the cluster in a minute. */
  readonly findTrouble: (minute: number) => Trouble;
  /** From when on nobody requests the preflight any more. */
  readonly cancelledAt?: number;
};

/** In minutes: the runner's interval, an operator's refresh, and for how long an alert on a risk fires on. */
const CYCLE = 5;
const REFRESH = 3;
const KEEP_FIRING = 10;

/** Plays an hour of virtual time: the checks, the alerts on their risks, the operator that makes risks of alerts, and our controller. */
export async function playHour({ lifted, findTrouble, cancelledAt = Infinity }: HourPlan): Promise<readonly Minute[]> {
  const store = createStore(requestFor({ to: TARGET, lifted }), {
    ...clusterVersion({ source: SOURCE }),
    status: buildStatus({}),
  });
  const lastSeen = new Map<string, number>();
  const minutes: Minute[] = [];
  let document: PreflightDocument | undefined;
  for (let minute = 0; minute <= 60; minute += 1) {
    const now = new Date(NOW.getTime() + minute * 60_000);
    const trouble = findTrouble(minute);
    if (minute >= cancelledAt) store.objects.delete(REQUEST);
    holdLease(store, now);
    if (minute % REFRESH === 0) syncOperator(store, trouble, [...lastSeen.keys()].flatMap(findAlert), now);
    await reconcileUntilStable(store, { now, document: document ? { kind: "read", document } : { kind: "missing" } });
    const isRunning = startPod(store, now);
    if (isRunning && minute % CYCLE === 0) {
      const world = { status: readStatus(store), ...(document ? { document } : {}) };
      document = await buildNextDocument(world, trouble, lifted, now);
    }
    const names = (document?.risks ?? []).map(({ name }) => name);
    for (const name of isRunning ? names : []) lastSeen.set(name, minute);
    for (const [name, at] of lastSeen) if (minute - at >= KEEP_FIRING) lastSeen.delete(name);
    minutes.push({ minute, document: isRunning ? names : [], alerts: [...lastSeen.keys()], status: readStatus(store) });
  }
  return minutes;
}

function readStatus({ objects }: MemoryApi): JsonObject {
  return objectAt(objects.get(CLUSTER_VERSION), "status");
}

function holdLease({ objects }: MemoryApi, now: Date): void {
  const spec = { holderIdentity: "operator", leaseDurationSeconds: 137, renewTime: now.toISOString() };
  objects.set(OPERATOR_LEASE_PATH, { spec });
}

/** The operator replaces its lists and conditions, and leaves ours alone. */
function syncOperator({ objects }: MemoryApi, trouble: Trouble, ours: readonly FiringAlert[], now: Date): void {
  const present = objects.get(CLUSTER_VERSION) ?? {};
  const sources = {
    source: SOURCE,
    offers: buildOffers(trouble),
    alerts: [...listPlatformAlerts(trouble), ...ours],
    upgradeable: listUpgradeableRisks(trouble),
    accepted: [],
  };
  const status = buildStatus(trouble);
  const kept = listAt(present, "status", "conditions").filter((one) => isObject(one) && isPreflightCondition(one));
  const own = listAt(status, "conditions").map((one) => ({ lastTransitionTime: formatTime(NOW), ...objectAt(one) }));
  const conditions = [...own, ...kept];
  const lists = buildUpdateLists(sources, getClusterUpdates(present), now);
  objects.set(CLUSTER_VERSION, { ...present, status: { ...status, ...lists, conditions } });
}

/** The runner's pod runs as long as its Deployment exists. */
function startPod({ objects }: MemoryApi, now: Date): boolean {
  const path = `${PODS.split("?")[0]}/runner-1`;
  const template = objectAt(objects.get(RUNNER), "spec", "template");
  if (!objects.has(RUNNER)) {
    objects.delete(path);
    return false;
  }
  if (objects.has(path)) return true;
  const time = formatTime(now);
  const metadata = { ...objectAt(template, "metadata"), name: "runner-1", creationTimestamp: time };
  const containerStatuses = [{ name: "preflight", ready: true, state: { running: { startedAt: time } } }];
  objects.set(path, { metadata, status: { phase: "Running", containerStatuses } });
  return true;
}
