import { findHolder } from "../../controller/leader/lease.ts";
import { CONTROLLER_LEASE, LEASES, RUNNER_NAME } from "../../controller/api/api-paths.ts";
import { NAMESPACE } from "../../lift/objects/preflight-request.ts";
import type { ClusterClient } from "./cluster-client.ts";

/** Whether a controller serves requests; unknown without the right to read its lease. */
export type ControllerPresence = "yes" | "no" | "unknown";

export async function readControllerPresence({ read }: ClusterClient, now: Date): Promise<ControllerPresence> {
  try {
    const lease = await read(`${LEASES}/${CONTROLLER_LEASE}`);
    return findHolder(lease, now) === undefined ? "no" : "yes";
  } catch {
    return "unknown";
  }
}

/** Does by hand what a controller does when a request ends. */
export const CLEANUP_COMMAND = `oc -n ${NAMESPACE} delete deployment ${RUNNER_NAME}`;
