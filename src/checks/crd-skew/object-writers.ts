import type { Crd } from "../../model/crd.ts";
import { compareText, type JsonObject, listAt, textAt } from "../../model/json.ts";
import { summarizeNames } from "../../model/names.ts";
import { type Each, each, soundInPart, withManagedFields } from "../../model/read.ts";
import { type ObjectRef, refOf, formatRef } from "../../model/resource.ts";
import { type CrdPair, findRemovedVersions, findUnservedVersions } from "./crd-pair.ts";
import { findVersionPair } from "./version-pair.ts";

/** The managers that, by its managedFields, wrote an object in versions that the target no longer has or serves. */
export type ObjectWriters = {
  readonly object: ObjectRef;
  readonly by: readonly { readonly version: string; readonly manager: string }[];
};

/** The API server's own manager, and tools that rewrite objects in any served version. */
const IGNORED_MANAGERS = new Set(["before-first-apply", "kube-apiserver", "storage-version-migrator", "migrator"]);

/** Reads the objects of a kind that loses a version, in the version that the check reads anyway. */
export function buildWritersRead(pair: CrdPair): Each<ObjectWriters> | undefined {
  const { group, plural, kind, listKind } = pair.installed;
  const removed = new Set(findRemovedVersions(pair));
  const names = new Set([...removed, ...findUnservedVersions(pair)]);
  const version = findVersionPair(pair)?.before.name ?? findServedVersion(pair.installed);
  if (names.size === 0 || version === undefined) return undefined;
  const versions = new Map([...names].map((name) => [`${group}/${name}`, name]));
  const resource = { group, version, resource: plural, kind, listKind };
  const read = each(resource, (object) => keepObjectWriters(object, versions, removed));
  return withManagedFields(soundInPart("object", read));
}

export function findServedVersion(crd: Crd): string | undefined {
  const served = crd.versions.filter((version) => version.served);
  return (served.find((version) => version.storage) ?? served[0])?.name;
}

/** The managers that are otherwise ignored count for a removed version, because its managed fields fail server-side apply. */
function keepObjectWriters(
  object: JsonObject,
  versions: ReadonlyMap<string, string>,
  removed: ReadonlySet<string>,
): ObjectWriters | undefined {
  const by = listAt(object, "metadata", "managedFields").flatMap((entry) => {
    const [version, manager] = [versions.get(textAt(entry, "apiVersion") ?? ""), textAt(entry, "manager") ?? ""];
    const isIgnored = version === undefined || (IGNORED_MANAGERS.has(manager) && !removed.has(version));
    return isIgnored ? [] : [{ version, manager }];
  });
  return by.length === 0 ? undefined : { object: refOf(object), by };
}

/** "backup wrote Report demo-a/x in it", or undefined if no object was written in this version. */
export function describeWriters(version: string, objectWriters: readonly ObjectWriters[]): string | undefined {
  const isUse = (one: ObjectWriters["by"][number]): boolean =>
    one.version === version && !IGNORED_MANAGERS.has(one.manager);
  const objects = objectWriters.filter(({ by }) => by.some(isUse));
  if (objects.length === 0) return undefined;
  const managers = new Set(objects.flatMap(({ by }) => by.filter(isUse).map(({ manager }) => manager)));
  return `${summarizeNames([...managers].toSorted(compareText))} wrote ${describeObjects(objects)} in it`;
}

/** "Report demo-a/x and 2 more": the objects with managed fields in a version, whoever wrote them; undefined if there are none. */
export function describeManagedObjects(version: string, objectWriters: readonly ObjectWriters[]): string | undefined {
  const objects = objectWriters.filter(({ by }) => by.some((one) => one.version === version));
  return objects.length === 0 ? undefined : describeObjects(objects);
}

function describeObjects(objects: readonly ObjectWriters[]): string {
  const [first] = objects;
  const more = objects.length === 1 ? "" : ` and ${objects.length - 1} more`;
  return first === undefined ? "" : `${formatRef(first.object)}${more}`;
}
