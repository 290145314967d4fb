import type { AuditLine } from "../api-server/audit-lines.ts";
import type { ControlPlane } from "../api-server/control-plane.ts";

const ACCOUNT = "system:serviceaccount:openshift-cluster-version:preflight-controller";
const READS = ["get", "list", "watch"];
/** A ConfigMap that is made has no name in the path. */
const COUNTED = /\/clusterversions\/version\b|\/configmaps(?:\/preflight-result)?(?:\?|$)/;

/** Counts the controller's successful writes of ClusterVersion and preflight-result. */
export function createWriteCounter({ audit }: ControlPlane): () => Promise<number> {
  return async () => (await audit()).filter(isCounted).length;
}

function isCounted({ user, verb, uri, code }: AuditLine): boolean {
  return user === ACCOUNT && !READS.includes(verb) && code < 300 && COUNTED.test(uri);
}
