import { type JsonObject, isObject, objectAt } from "../../model/json.ts";
import { type GetResult, get } from "../../model/read.ts";
import { type ObjectRef, buildConfigMapRef } from "../../model/resource.ts";

/** The data of a ConfigMap. */
export type ConfigMapData = ReadonlyMap<string, string>;

export const ADMIN_GATES = "openshift-config-managed/admin-gates";
const ADMIN_ACKS = "openshift-config/admin-acks";

export const gatesRef: ObjectRef = buildConfigMapRef("openshift-config-managed", "admin-gates");
export const acksRef: ObjectRef = buildConfigMapRef("openshift-config", "admin-acks");

export const configMapReads = {
  gates: get("v1/configmaps", ADMIN_GATES, keepData),
  acks: get("v1/configmaps", ADMIN_ACKS, keepData),
};

export function keepData(configMap: JsonObject): ConfigMapData {
  const data = configMap["data"];
  if (data !== undefined && data !== null && !isObject(data)) throw new Error("its data is not an object");
  return new Map(
    Object.entries(objectAt(configMap, "data")).flatMap(([key, value]) =>
      typeof value === "string" ? [[key, value]] : [],
    ),
  );
}

/** An absent ConfigMap is an empty one. */
export function getData(result: GetResult<ConfigMapData>): ConfigMapData {
  return result.kind === "found" ? result.value : new Map();
}

/** The cluster-version operator accepts no other value. */
export function isAcknowledged(acks: ConfigMapData, gate: string): boolean {
  return acks.get(gate) === "true";
}
