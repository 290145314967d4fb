import { defined } from "../../model/optional.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { findMapValue, type CelValue, isMap, unwrapOptional } from "../../schema/cel/index.ts";

/** The reference to an object, or to what a map with apiVersion, kind, perhaps namespace, and name stands for. */
export function findRef(value: CelValue): ObjectRef | undefined {
  const object = unwrapOptional(value);
  const metadata = findMember(object, "metadata");
  const named = metadata === undefined ? object : metadata;
  const [apiVersion, kind] = ["apiVersion", "kind"].map((name) => findText(object, name));
  const [name, namespace] = ["name", "namespace"].map((field) => findText(named, field));
  if (!kind || !name) return undefined;
  return { apiVersion: apiVersion ?? "", kind, ...defined({ namespace: namespace || undefined }), name };
}

function findMember(value: CelValue | undefined, name: string): CelValue | undefined {
  return value !== undefined && isMap(value) ? findMapValue(value, name) : undefined;
}

function findText(value: CelValue | undefined, name: string): string | undefined {
  const text = findMember(value, name);
  return typeof text === "string" ? text : undefined;
}
