import { type JsonObject, isObject, objectAt } from "../../model/json.ts";
import { type GetResult, get } from "../../model/read.ts";
import type { ObjectRef } from "../../model/resource.ts";

/** The data of a ConfigMap. */
export type ConfigMapData = ReadonlyMap<string, string>;

export const ADMIN_GATES = "openshift-config-managed/admin-gates";
const ADMIN_ACKS = "openshift-config/admin-acks";

export const gatesRef: ObjectRef = buildConfigMapRef("openshift-config-managed", "admin-gates");
export const acksRef: ObjectRef = buildConfigMapRef("openshift-config", "admin-acks");

function buildConfigMapRef(namespace: string, name: string): ObjectRef {
  return { apiVersion: "v1", kind: "ConfigMap", namespace, name };
}

export const configMapReads = {
  gates: get("v1/configmaps", ADMIN_GATES, keepData),
  acks: get("v1/configmaps", ADMIN_ACKS, keepData),
};

export function keepData(configMap: JsonObject): ConfigMapData {
  const data = configMap["data"];
  if (data !== undefined && data !== null && !isObject(data)) throw new Error("its data is no object");
  return new Map(Object.entries(objectAt(configMap, "data")).flatMap(([key, value]) => selectTextEntry(key, value)));
}

function selectTextEntry(key: string, value: unknown): readonly (readonly [string, string])[] {
  return typeof value === "string" ? [[key, value]] : [];
}

/** An absent ConfigMap holds nothing. */
export function getData(got: GetResult<ConfigMapData>): ConfigMapData {
  return got.kind === "found" ? got.value : new Map();
}

/** The cluster-version operator takes nothing but this text. */
export function isAcknowledged(acks: ConfigMapData, gate: string): boolean {
  return acks.get(gate) === "true";
}
