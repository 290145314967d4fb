import { type JsonObject, listAt, textAt } from "../../model/json.ts";
import type { Absence, FoundObject, ObjectLocation, ReadFailure } from "../../model/reader.ts";
import { type Archive, buildNotHeldFailure, findVersionMismatch } from "./archive.ts";
import { type KindFiles, buildKindKey } from "./archive-index.ts";
import { readFile, requireNoLinks } from "./archive-objects.ts";
import { findHeld } from "./held-kinds.ts";
import { isUnserved } from "./served-kinds.ts";

/** One object: found, shown to be absent, or not held. */
export async function findObject(
  archive: Archive,
  location: ObjectLocation,
  signal: AbortSignal,
): Promise<FoundObject | Absence | ReadFailure> {
  const key = buildKindKey(location.resource);
  const files = archive.index.kinds.get(key);
  const object = files === undefined ? undefined : await searchFiles(files, location, signal);
  if (object !== undefined) {
    const mismatch = findVersionMismatch(location.resource, object);
    const lacksManagedFields = listAt(object, "metadata", "managedFields").length === 0 || undefined;
    return mismatch ?? { kind: "found", object, bytes: Buffer.byteLength(JSON.stringify(object)), lacksManagedFields };
  }
  if (isShownAbsent(archive, key, files, location)) return { kind: "absent", what: "object" };
  if (isUnserved(location.resource, await archive.readServed(signal))) return { kind: "absent", what: "resource" };
  return buildNotHeldFailure("the must-gather does not hold it, and does not show whether it exists");
}

async function searchFiles(
  files: KindFiles,
  { resource, namespace, name }: ObjectLocation,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const own = files.objects.filter((one) => one.name === name && one.namespace === namespace);
  const lists = files.lists.filter((one) => one.namespace === undefined || one.namespace === namespace);
  requireNoLinks(files.links.filter((link) => link.includes(name) || lists.length === 0));
  for (const file of [...own, ...lists]) {
    for await (const object of readFile(file, signal, resource)) {
      const found = textAt(object, "metadata", "name") === name;
      if (found && (textAt(object, "metadata", "namespace") ?? "") === (namespace ?? "")) return object;
    }
  }
  return undefined;
}

function isShownAbsent(
  { held: facts }: Archive,
  key: string,
  files: KindFiles | undefined,
  { namespace }: ObjectLocation,
): boolean {
  const held = findHeld(key, files, facts);
  if (held.kind === "whole" || held.kind === "none") return true;
  return held.kind === "part" && namespace !== undefined && held.part.wholeNamespaces.has(namespace);
}
