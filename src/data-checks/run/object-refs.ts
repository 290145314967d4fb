import type { ObjectRef } from "../../model/resource.ts";
import { findMapValue, type CelValue, isMap, unwrapOptional } from "../../schema/cel/index.ts";

/** The reference to an object, or to what a map with apiVersion, kind, perhaps namespace, and name stands for. */
export function findRef(value: CelValue): ObjectRef | undefined {
  const object = unwrapOptional(value);
  const metadata = findMember(object, "metadata");
  const named = metadata === undefined ? object : metadata;
  const kind = findText(object, "kind");
  const name = findText(named, "name");
  if (!kind || !name) return undefined;
  const namespace = findText(named, "namespace") || undefined;
  return { apiVersion: findText(object, "apiVersion") ?? "", kind, namespace, name };
}

export function findMember(value: CelValue | undefined, name: string): CelValue | undefined {
  return value !== undefined && isMap(value) ? findMapValue(value, name) : undefined;
}

export function findText(value: CelValue | undefined, name: string): string | undefined {
  const text = findMember(value, name);
  return typeof text === "string" ? text : undefined;
}
