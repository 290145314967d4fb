import { join } from "node:path";
import { type ControlPlane, startCluster } from "../../../verify/api-server/control-plane.ts";

const STAND_INS = join(import.meta.dirname, "stand-ins.yaml");
/** The namespace of the update status controller. */
export const INSIGHTS = "openshift-update-status-controller";

/** Where HyperShift would run the control plane of HostedCluster clusters/guest. */
const HOSTED_CONTROL_PLANE = "clusters-guest";

/** A control plane that takes every object of deploy/. */
export async function startDeployCluster(): Promise<ControlPlane> {
  const cluster = await startCluster("4.20", "--network", "single");
  await cluster.kubectl(["apply", "-f", STAND_INS]);
  await cluster.kubectl(["create", "namespace", HOSTED_CONTROL_PLANE]);
  await cluster.kubectl(["wait", "--for=condition=Established", "-f", STAND_INS]);
  return cluster;
}
