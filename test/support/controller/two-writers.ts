import assert from "node:assert/strict";
import type { ApiClient, ApiWrite } from "../../../src/cluster/writer/api-client.ts";
import {
  CLUSTER_VERSION,
  CONFIG_MAPS,
  LEASES,
  OPERATOR_LEASE_PATH,
  REQUEST,
} from "../../../src/controller/api/api-paths.ts";
import { formatTime } from "../../../src/model/time.ts";
import { isPreflightCondition } from "../../../src/lift/progress/preflight-conditions.ts";
import type { DocumentState } from "../../../src/lift/progress/runner-state.ts";
import { formatCanonicalJson, isObject, type JsonObject, listAt, objectAt, textAt } from "../../../src/model/json.ts";
import { buildSampleDocument, risk } from "../../../verify/operator/status-sample.ts";
import type { Random } from "../../../verify/schema/random/random.ts";
import { reconcileOnce, reconcileUntilStable, requestFor, type Scene } from "./reconcile.ts";

const STATUS = `${CLUSTER_VERSION}/status?fieldManager=cluster-version-operator`;
const REASONS = ["Done", "Waiting", "Failing"] as const;
const THEIR_TYPES = ["Available", "Progressing", "Upgradeable"] as const;
const OUR_TYPES = ["PreflightRunning", "PreflightCompleted", "PreflightFailed"] as const;

export type Schedule = {
  readonly steps: number;
  readonly random: Random;
  readonly source: string;
  readonly targets: readonly [string, ...string[]];
  readonly start: Date;
};

export type Coverage = { readonly shown: number; readonly conflicts: number };

/**
 * Runs a controller with --write-status against an operator that starts, stops, and changes, adds or removes any condition or list of
 * the status, also between the controller's read and its write. Checks after every few steps that both converge.
 */
export async function playTwoWriters(
  api: ApiClient,
  { steps, random, source, targets, start }: Schedule,
): Promise<Coverage> {
  const offered = objectAt(await read(api, CLUSTER_VERSION), "status");
  const theirs = new Map<string, string>();
  let now = start.getTime();
  let document: DocumentState = { kind: "missing" };
  const scene = (): Scene => ({ document, now: new Date(now), settings: { writeStatus: true } });
  let shown = 0;
  let conflicts = 0;
  for (const one of listAt(offered, "conditions")) theirs.set(textAt(one, "type") ?? "", formatCanonicalJson(one));

  for (let step = 0; step < steps; step += 1) {
    now += 1_000 * random.below(30);
    if (random.chance(0.3)) document = pickDocument(random, source, targets[0], new Date(now));
    const other = random.pick([changeRequest, changeLease, syncLists, changeCondition, changeCondition]);
    const act = (): Promise<void> => other(api, { random, theirs, offered, targets, now: new Date(now) });
    if (random.chance(0.5)) await act();
    else
      await reconcileOnce(
        interleave(api, random, act, () => (conflicts += 1)),
        scene(),
      );
    if (step % 5 !== 4) continue;
    if (await isLeaseHeld(api, new Date(now)))
      await syncLists(api, { random, theirs, offered, targets, now: new Date(now) });
    await reconcileUntilStable(api, scene());
    if (await assertConverged(api, theirs, new Date(now), `step ${step}`)) shown += 1;
  }
  return { shown, conflicts };
}

/** What the runner may have written: nothing, garbage, or a current result. */
function pickDocument(random: Random, sourceVersion: string, targetVersion: string, now: Date): DocumentState {
  const times = { observedAt: formatTime(now), validUntil: formatTime(new Date(now.getTime() + 3_600_000)) };
  const names = random.pick([[], ["A", "B"], ["B", "C"]]);
  const risks = names.map((name) => ({ ...risk(name), targetVersion }));
  const complete = random.chance(0.7);
  return random.pick<DocumentState>([
    { kind: "missing" },
    { kind: "invalid", problems: ["document: is empty"] },
    { kind: "read", document: buildSampleDocument(risks, { ...times, sourceVersion, targetVersion, complete }) },
  ]);
}

type Context = {
  readonly random: Random;
  /** The operator's conditions, by type. */
  readonly theirs: Map<string, string>;
  readonly offered: JsonObject;
  readonly targets: readonly [string, ...string[]];
  readonly now: Date;
};

/** The controller's client; the other writer acts before a random write. */
function interleave(api: ApiClient, random: Random, act: () => Promise<void>, onConflict: () => void): ApiClient {
  let before = random.below(4);
  const write: ApiClient["write"] = async (change, signal) => {
    if (before === 0) await act();
    before -= 1;
    const response = await api.write(change, signal);
    if (response.kind === "conflict") onConflict();
    return response;
  };
  return { ...api, write };
}

async function changeRequest(api: ApiClient, { random, targets }: Context): Promise<void> {
  const request = await read(api, REQUEST);
  if (random.chance(0.4) && isObject(request["metadata"])) return send(api, { method: "DELETE", path: REQUEST });
  const desired = requestFor({ to: random.chance(0.1) ? "?" : random.pick(targets) });
  if (!isObject(request["metadata"])) return send(api, { method: "POST", path: CONFIG_MAPS, body: desired });
  return send(api, { method: "PATCH", path: REQUEST, type: MERGE, body: { data: desired["data"] ?? {} } });
}

async function changeLease(api: ApiClient, { random, now }: Context): Promise<void> {
  const present = await read(api, OPERATOR_LEASE_PATH);
  const spec = {
    holderIdentity: random.chance(0.5) ? "operator" : "",
    leaseDurationSeconds: 3_600,
    renewTime: now.toISOString().replace("Z", "000Z"),
  };
  if (isObject(present["metadata"]))
    return send(api, { method: "PATCH", path: OPERATOR_LEASE_PATH, type: MERGE, body: { spec } });
  const metadata = { name: "version", namespace: "openshift-cluster-version" };
  const body = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
  return send(api, { method: "POST", path: LEASES, body });
}

/** An operator's sync: writes its own lists, which contain no Preflight risks. */
async function syncLists(api: ApiClient, { offered }: Context): Promise<void> {
  const { availableUpdates = null, conditionalUpdates = null, conditionalUpdateRisks = null } = offered;
  await send(api, {
    method: "PATCH",
    path: STATUS,
    type: MERGE,
    body: { status: { availableUpdates, conditionalUpdates, conditionalUpdateRisks } },
  });
}

/** Changes, adds or removes one condition of the operator or of the controller. */
async function changeCondition(api: ApiClient, { random, theirs, now }: Context): Promise<void> {
  const clusterVersion = await read(api, CLUSTER_VERSION);
  const all = listAt(clusterVersion, "status", "conditions");
  const type: string = random.chance(0.5) ? random.pick(THEIR_TYPES) : random.pick(OUR_TYPES);
  const others = all.filter((one) => textAt(one, "type") !== type);
  const condition = {
    type,
    status: random.chance(0.5) ? "True" : "False",
    reason: random.pick(REASONS),
    message: random.chance(0.5) ? "Something is so." : "Something else is so.",
    lastTransitionTime: formatTime(now),
  };
  const conditions = random.chance(0.3) ? others : [...others, condition];
  const resourceVersion = textAt(clusterVersion, "metadata", "resourceVersion") ?? "";
  const body = { metadata: { resourceVersion }, status: { conditions } };
  await send(api, { method: "PATCH", path: STATUS, type: MERGE, body });
  if (isPreflightCondition({ type })) return;
  if (conditions === others) theirs.delete(type);
  else theirs.set(type, formatCanonicalJson(condition));
}

async function assertConverged(
  api: ApiClient,
  theirs: ReadonlyMap<string, string>,
  now: Date,
  step: string,
): Promise<boolean> {
  const clusterVersion = await read(api, CLUSTER_VERSION);
  const all = listAt(clusterVersion, "status", "conditions").filter(isObject);
  const foreign = all.filter((one) => !isPreflightCondition(one)).map((one) => formatCanonicalJson(one));
  assert.deepEqual(foreign.toSorted(), [...theirs.values()].toSorted(), `${step}: others' conditions`);
  const ours = all.filter(isPreflightCondition).map((one) => textAt(one, "type") ?? "");
  const hasRequest = isObject((await read(api, REQUEST))["metadata"]);
  assert.deepEqual(ours.toSorted(), hasRequest ? OUR_TYPES.toSorted() : [], `${step}: our conditions`);
  const isShown = formatCanonicalJson(listAt(clusterVersion, "status", "conditionalUpdates")).includes(" -> ");
  if (!hasRequest || (await isLeaseHeld(api, now))) assert.ok(!isShown, `${step}: no risk is shown`);
  assert.equal(objectAt(clusterVersion, "spec")["desiredUpdate"], undefined, `${step}: nothing is started`);
  return isShown;
}

async function isLeaseHeld(api: ApiClient, now: Date): Promise<boolean> {
  const lease = await read(api, OPERATOR_LEASE_PATH);
  const renewed = new Date(textAt(lease, "spec", "renewTime") ?? 0);
  return textAt(lease, "spec", "holderIdentity") === "operator" && now.getTime() - renewed.getTime() <= 3_600_000;
}

const MERGE = "application/merge-patch+json";

async function read(api: ApiClient, path: string): Promise<JsonObject> {
  const response = await api.read(path, new AbortController().signal);
  return response.kind === "ok" ? response.object : {};
}

async function send(api: ApiClient, write: ApiWrite): Promise<void> {
  const response = await api.write(write, new AbortController().signal);
  assert.ok(response.kind === "ok" || response.kind === "absent", JSON.stringify(response));
}
