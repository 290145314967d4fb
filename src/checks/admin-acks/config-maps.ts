import { type JsonObject, isObject, objectAt } from "../../model/json.ts";
import { type Got, get } from "../../model/read.ts";
import type { ObjectRef } from "../../model/resource.ts";

/** The data of a ConfigMap. */
export type Data = ReadonlyMap<string, string>;

export const ADMIN_GATES = "openshift-config-managed/admin-gates";
const ADMIN_ACKS = "openshift-config/admin-acks";

export const gatesRef: ObjectRef = configMapRef("openshift-config-managed", "admin-gates");
export const acksRef: ObjectRef = configMapRef("openshift-config", "admin-acks");

function configMapRef(namespace: string, name: string): ObjectRef {
  return { apiVersion: "v1", kind: "ConfigMap", namespace, name };
}

export const configMapReads = {
  gates: get("v1/configmaps", ADMIN_GATES, keepData),
  acks: get("v1/configmaps", ADMIN_ACKS, keepData),
};

export function keepData(configMap: JsonObject): Data {
  const data = configMap["data"];
  if (data !== undefined && data !== null && !isObject(data)) throw new Error("its data is no object");
  return new Map(Object.entries(objectAt(configMap, "data")).flatMap(([key, value]) => pair(key, value)));
}

function pair(key: string, value: unknown): readonly (readonly [string, string])[] {
  return typeof value === "string" ? [[key, value]] : [];
}

/** An absent ConfigMap holds nothing. */
export function dataOf(got: Got<Data>): Data {
  return got.kind === "found" ? got.value : new Map();
}

/** The cluster-version operator takes nothing but this text. */
export function isAcknowledged(acks: Data, gate: string): boolean {
  return acks.get(gate) === "true";
}
