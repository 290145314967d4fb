import { findHolder } from "../../controller/leader/lease.ts";
import { CONTROLLER_LEASE, LEASES, RUNNER_NAME } from "../../controller/api/api-paths.ts";
import { NAMESPACE } from "../../lift/objects/preflight-request.ts";
import type { ClusterClient } from "./cluster-client.ts";

/** Does a controller serve requests? Without the right to read its lease that is not known. */
export type ControllerPresence = "yes" | "no" | "unknown";

export async function readControllerPresence({ read }: ClusterClient, now: Date): Promise<ControllerPresence> {
  try {
    const lease = await read(`${LEASES}/${CONTROLLER_LEASE}`);
    return findHolder(lease, now) === undefined ? "no" : "yes";
  } catch {
    return "unknown";
  }
}

/** What a controller would do, were there one. */
export const CLEANUP_COMMAND = `oc -n ${NAMESPACE} delete deployment ${RUNNER_NAME}`;
