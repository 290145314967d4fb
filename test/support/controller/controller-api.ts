import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { CONTROLLER_LEASE, LEASES, RUNNER } from "../../../src/controller/api/api-paths.ts";
import { objectAt, parseObject } from "../../../src/model/json.ts";
import { buildPage, sendJson } from "../../../verify/api-server/api-responses.ts";
import { clusterVersion } from "../../../verify/operator/status-sample.ts";
import { listen } from "../../../verify/shared/loopback.ts";
import type { MemoryApi } from "./memory-api.ts";
import { createStore, requestFor } from "./reconcile.ts";

export const LEASE = `${LEASES}/${CONTROLLER_LEASE}`;

export type ControllerApi = {
  readonly url: string;
  readonly store: MemoryApi;
  /** Monotonic milliseconds of each write: of the lease, and of anything else. */
  readonly renewals: readonly number[];
  readonly writes: readonly number[];
  /** What the API server does with requests for the lease. */
  readonly state: { lease: "served" | "refused" | "hanging" | "broken"; leaseRequests: number };
  readonly close: () => void;
};

/** An API server whose objects never become what a controller wants, so that a leader writes at every poll. */
export async function startControllerApi(): Promise<ControllerApi> {
  const store = createStore(requestFor({ to: "5.2.0", "allow-unverified": "true" }), clusterVersion());
  const renewals: number[] = [];
  const writes: number[] = [];
  const state: ControllerApi["state"] = { lease: "served", leaseRequests: 0 };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = request.url ?? "";
    const method = request.method ?? "GET";
    const body = parseObject(await text(request));
    const isLease = url === LEASES || url.startsWith(LEASE);
    if (isLease) state.leaseRequests += 1;
    if (isLease && state.lease === "hanging") return;
    if (isLease && state.lease === "broken") return void request.socket.destroy();
    if (isLease && state.lease === "refused") return sendStatus(response, 403);
    if (url.includes("watch=1")) return response.writeHead(200).flushHeaders();
    if (method === "GET") return sendRead(response, store, url);
    (isLease ? renewals : writes).push(performance.now());
    if (!isLease) return sendJson(response, body ?? {});
    const answer = await store.write(
      { method: method === "POST" ? "POST" : "PUT", path: url, body: body ?? {} },
      AbortSignal.timeout(1_000),
    );
    return answer.kind === "ok" ? sendJson(response, answer.object) : sendStatus(response, 409);
  };
  const server = createServer((request, response) => void respond(request, response));
  const port = await listen(server);
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, store, renewals, writes, state, close };
}

function sendRead(response: ServerResponse, { objects }: MemoryApi, url: string): void {
  const [path = "", query] = url.split("?");
  if (query !== undefined) {
    const name = /metadata\.name%3D([^&]+)/.exec(query)?.[1];
    const isSelected = (one: string): boolean =>
      name === undefined ? one.startsWith(`${path}/`) : one === `${path}/${name}`;
    const items = [...objects].filter(([one]) => isSelected(one)).map(([, object]) => object);
    // Like a real list's, at least as high as that of any object.
    return sendJson(response, { ...buildPage(path, { items }), metadata: { resourceVersion: "1000000" } });
  }
  const object = path === RUNNER ? undefined : objects.get(path);
  const kind = path === LEASE ? { apiVersion: "coordination.k8s.io/v1", kind: "Lease" } : {};
  return object ? sendJson(response, { ...kind, ...object }) : sendStatus(response, 404, path.split("/").at(-1));
}

function sendStatus(response: ServerResponse, code: number, name?: string): void {
  const missing = name === undefined ? {} : { reason: "NotFound", details: { name } };
  sendJson(
    response,
    { apiVersion: "v1", kind: "Status", status: "Failure", code, message: `${code}`, ...missing },
    code,
  );
}

/** Another controller takes the lease, as if its holder had been silent for too long. */
export function stealLease({ store }: ControllerApi): void {
  const lease = objectAt(store.objects.get(LEASE));
  const spec = { ...objectAt(lease, "spec"), holderIdentity: "another", renewTime: new Date().toISOString() };
  const metadata = { ...objectAt(lease, "metadata"), resourceVersion: "stolen" };
  store.objects.set(LEASE, { ...lease, spec, metadata });
}
