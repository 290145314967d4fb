import { type ControlPlane, startKubernetes } from "../../../verify/api-server/control-plane.ts";

/** Of the API server itself. */
const OWN_MINOR = 36;

/** An API server of 1.`minor`. Its own minor takes no option, so that the control plane is one that others use too. */
export function startMinor(minor: number): Promise<ControlPlane> {
  return minor === OWN_MINOR ? startKubernetes() : startKubernetes("--emulate", `1.${minor}`);
}
