import { type JsonObject, at, isObject, listAt, objectAt, textAt } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { FIELDS } from "./plugin-changes.ts";

/** A PersistentVolume of one of the plugins that ended. */
export type Volume = { readonly object: ObjectRef; readonly field: string; readonly isBound: boolean };

export function keepVolume(object: JsonObject): Volume | undefined {
  const spec = objectAt(object, "spec");
  const field = FIELDS.find((name) => isObject(at(spec, name)));
  if (field === undefined) return undefined;
  return { object: refOf(object), field, isBound: textAt(object, "status", "phase") === "Bound" };
}

export type StorageClass = { readonly name: string; readonly provisioner: string };

export function keepStorageClass(object: JsonObject): StorageClass | undefined {
  const provisioner = textAt(object, "provisioner") ?? "";
  return provisioner.startsWith("kubernetes.io/") ? { name: refOf(object).name, provisioner } : undefined;
}

/** The drivers that are registered on a node. */
export function keepNodeDrivers(object: JsonObject): readonly string[] {
  return listAt(object, "spec", "drivers").flatMap((driver) => textAt(driver, "name") ?? []);
}

export function keepDriver(object: JsonObject): string {
  return refOf(object).name;
}
