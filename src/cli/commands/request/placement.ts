import { CONTROLLER_LEASE, LEASES, NAMESPACE_PODS } from "../../../controller/api/api-paths.ts";
import { findHolder } from "../../../controller/leader/lease.ts";
import { findMisplacement } from "../../../controller/runner/placement.ts";
import type { PreflightRequest } from "../../../lift/objects/preflight-request.ts";
import { type JsonObject, textAt } from "../../../model/json.ts";
import type { ClusterClient } from "../../client/cluster-client.ts";

/**
 * Why the controller would refuse the request's node selector. Undefined if it would not, or if that can't be told: without the right to
 * read its lease, pod and node, or without a controller in a pod. The controller then reports it.
 */
export async function findRefusedSelector(
  request: PreflightRequest,
  cluster: ClusterClient,
  now: Date,
): Promise<string | undefined> {
  if (request.runner?.["node-selector"] === undefined) return undefined;
  const read = async (path: string): Promise<JsonObject | undefined> => cluster.read(path).catch(() => undefined);
  const holder = findHolder(await read(`${LEASES}/${CONTROLLER_LEASE}`), now);
  if (holder === undefined) return undefined;
  const pod = await read(`${NAMESPACE_PODS}/${encodeURIComponent(holder)}`);
  return findMisplacement(request, textAt(pod, "spec", "nodeName"), read);
}
