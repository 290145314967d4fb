import { rm, truncate } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { type JsonObject, isObject, listAt, textAt } from "../../src/model/json.ts";
import { eventually } from "../shared/eventually.ts";
import { type AdminApi, connectAdminApi } from "./admin-api.ts";
import type { Env } from "./envtest.ts";
import { createGateway, type EtcdGateway, type EtcdWrite } from "./etcd-gateway.ts";
import { type EtcdWatch, watchEtcd } from "./etcd-watch.ts";
import { waitUntilAuthorized } from "./rbac-sentinel.ts";
import { plantSentinel, removeSentinel, waitUntilServed } from "./sentinel.ts";

/** All that etcd holds of a control plane on which nobody has worked yet, and the kinds that it serves. `watch`: what is written later. */
export type SeededState = {
  readonly values: ReadonlyMap<string, string>;
  readonly kinds: readonly JsonObject[];
  readonly watch: EtcdWatch;
};

export async function readSeeded(env: Env): Promise<SeededState> {
  const url = getEtcdUrl(env);
  const gateway = createGateway(url);
  const watch = await watchEtcd(url, gateway);
  const values = new Map((await gateway.read()).map(({ key, value }) => [key, value]));
  return withAdminApi(env, async (api) => ({ values, kinds: await readKinds(api), watch }));
}

const MAX_ROUNDS = 5;

/**
 * Writes what differs from the seeded state straight into etcd, whose watches tell the API server, and waits until
 * it acts accordingly. Returns why that can't be done, or undefined.
 */
export async function putBack(env: Env, seeded: SeededState): Promise<string | undefined> {
  const gateway = createGateway(getEtcdUrl(env));
  const listChanges = () => findChanges(seeded);
  const first = await listChanges();
  const cached = first.find(({ key }) => CACHED.test(key) || (SERVED.test(key) && seeded.values.has(key)));
  if (cached) return `the API server may go on with ${cached.key}`;
  const left = await withAdminApi(env, async (api) => {
    // The API server's own controllers may answer a change with another one.
    let changes = first;
    for (let round = 0; round === 0 || (changes.length > 0 && round < MAX_ROUNDS); round += 1) {
      await gateway.write(changes);
      await waitUntilTaken(api, gateway, seeded);
      changes = await listChanges();
    }
    return changes;
  });
  await rm(env["KUBECACHEDIR"] ?? "", { recursive: true, force: true });
  await truncate(env["AUDIT_LOG"] ?? "");
  return left.length === 0 ? undefined : `${left.length} keys such as ${left[0]?.key} differ`;
}

/** Kinds that the API server keeps for a while, so that a request can't show whether it has seen their last state. */
const CACHED =
  /^\/registry\/(?:validating|mutating|flowschemas|prioritylevelconfigurations|resourcequotas|limitranges|servicecidrs)/;

/** The API server goes on calling a seeded group stale that an APIService of a test has led elsewhere. */
const SERVED = /^\/registry\/apiregistration\.k8s\.io\/apiservices\//;

/** Keys that the API server renews all the time. */
const OF_SERVER = /^\/registry\/(?:leases\/kube-system\/apiserver-|peerserverleases\/)/;

/** What undoes all that was written. */
async function findChanges({ values, watch }: SeededState): Promise<readonly EtcdWrite[]> {
  const written = [...(await watch.readWritten())].filter(([key]) => !OF_SERVER.test(key));
  return written.filter(([key, value]) => values.get(key) !== value).map(([key]) => ({ key, value: values.get(key) }));
}

/** The API server takes up changes of one kind in their order, so it has seen all of them when it shows the last one. */
async function waitUntilTaken(api: AdminApi, etcd: EtcdGateway, seeded: SeededState): Promise<void> {
  await plantSentinel(api, etcd);
  await waitUntilServed(api);
  await removeSentinel(api);
  await waitUntilAuthorized(api);
  await eventually(async () => {
    if (!isDeepStrictEqual(await readKinds(api), seeded.kinds)) throw new Error("other kinds are served");
  }, PAUSE_MS);
}

const PAUSE_MS = 20;

/** Every kind of every group and version, in an order of our own. */
async function readKinds(api: AdminApi): Promise<readonly JsonObject[]> {
  const { body } = await api.discover("/apis");
  const nameOf = (group: JsonObject): string => textAt(group, "metadata", "name") ?? "";
  return listAt(body, "items")
    .filter(isObject)
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

async function withAdminApi<T>(env: Env, work: (api: AdminApi) => Promise<T>): Promise<T> {
  const api = await connectAdminApi({ env });
  try {
    return await work(api);
  } finally {
    api.close();
  }
}

function getEtcdUrl(env: Env): string {
  return env["ETCD_URL"] ?? "";
}
