import { at, type JsonObject, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";

const API_VERSION = "machineconfiguration.openshift.io/v1";
export const MACHINE_CONFIG_POOLS = `${API_VERSION}/machineconfigpools`;

export function buildPoolRef(name: string): ObjectRef {
  return { apiVersion: API_VERSION, kind: "MachineConfigPool", name };
}

const REQUIRED_LABEL = "operator.machineconfiguration.openshift.io/required-for-upgrade";

/** The machine-config operator waits for the pool of the control plane and for those with this label. */
export function isRequiredPool(pool: JsonObject): boolean {
  return textAt(pool, "metadata", "name") === "master" || at(pool, "metadata", "labels", REQUIRED_LABEL) !== undefined;
}
