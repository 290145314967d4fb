import { holderOf } from "../controller/lease.ts";
import { CONTROLLER_LEASE, LEASES, RUNNER_NAME } from "../controller/places.ts";
import { NAMESPACE } from "../lift/request.ts";
import type { ClusterAccess } from "./cluster-access.ts";

/** Does a controller serve requests? Without the right to read its lease that is not known. */
export type Served = "yes" | "no" | "unknown";

export async function servedIn({ read }: ClusterAccess, now: Date): Promise<Served> {
  try {
    const lease = await read(`${LEASES}/${CONTROLLER_LEASE}`);
    return holderOf(lease, now) === undefined ? "no" : "yes";
  } catch {
    return "unknown";
  }
}

/** What a controller would do, were there one. */
export const TAKE_AWAY = `oc -n ${NAMESPACE} delete deployment ${RUNNER_NAME}`;
