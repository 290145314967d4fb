import { type Json, type JsonObject, at, flagAt, isList, textAt } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";
import type { ObjectRef } from "../../model/resource.ts";

/** An entry of ClusterVersion's spec.overrides. `unreadable`: `unmanaged` is neither true nor false. */
export type Override = {
  readonly path: string;
  readonly object: ObjectRef;
  readonly managed: "yes" | "no" | "unreadable";
};
export type Overrides =
  | { readonly kind: "entries"; readonly entries: readonly Override[] }
  | { readonly kind: "unreadable" };

export function keepOverrides(clusterVersion: JsonObject): Overrides {
  const value = at(clusterVersion, "spec", "overrides") ?? null;
  if (value === null) return { kind: "entries", entries: [] };
  if (!isList(value)) return { kind: "unreadable" };
  return { kind: "entries", entries: value.map(parseOverride) };
}

function parseOverride(entry: Json, i: number): Override {
  return { path: `spec.overrides[${i}]`, object: parseObjectRef(entry), managed: parseManaged(entry) };
}

/** An override names only a group, without a version. */
function parseObjectRef(entry: Json): ObjectRef {
  const namespace = textAt(entry, "namespace");
  return {
    apiVersion: textAt(entry, "group") || "v1",
    kind: textAt(entry, "kind") ?? "",
    ...defined({ namespace: namespace || undefined }),
    name: textAt(entry, "name") ?? "",
  };
}

function parseManaged(entry: Json): Override["managed"] {
  const unmanaged = flagAt(entry, "unmanaged");
  if (unmanaged === undefined) return "unreadable";
  return unmanaged ? "no" : "yes";
}
