import type { Crd } from "../../model/crd.ts";
import { compareText, type JsonObject, listAt, textAt } from "../../model/json.ts";
import { summarizeNames } from "../../model/names.ts";
import { type Each, each } from "../../model/read.ts";
import { type ObjectRef, refOf, formatRef } from "../../model/resource.ts";
import { type CrdPair, findUnservedVersions } from "./crd-pair.ts";
import { findVersionPair } from "./version-pair.ts";

/** The managers that, by its managedFields, wrote an object in versions that the target no longer serves. */
export type ObjectWriters = {
  readonly object: ObjectRef;
  readonly by: readonly { readonly version: string; readonly manager: string }[];
};

/** The API server's own manager, and tools that rewrite objects in any served version. */
const IGNORED_MANAGERS = new Set(["before-first-apply", "kube-apiserver", "storage-version-migrator", "migrator"]);

/** Reads the objects of a kind that loses a version, in the version that the check reads anyway. */
export function buildWritersRead(pair: CrdPair): Each<ObjectWriters> | undefined {
  const { group, plural, kind, listKind } = pair.installed;
  const unserved = findUnservedVersions(pair);
  const version = findVersionPair(pair)?.before.name ?? findServedVersion(pair.installed);
  if (unserved.length === 0 || version === undefined) return undefined;
  const versions = new Map(unserved.map((name) => [`${group}/${name}`, name]));
  return each({ group, version, resource: plural, kind, listKind }, (object) => keepObjectWriters(object, versions));
}

export function findServedVersion(crd: Crd): string | undefined {
  const served = crd.versions.filter((version) => version.served);
  return (served.find((version) => version.storage) ?? served[0])?.name;
}

function keepObjectWriters(object: JsonObject, versions: ReadonlyMap<string, string>): ObjectWriters | undefined {
  const by = listAt(object, "metadata", "managedFields").flatMap((entry) => {
    const [version, manager] = [versions.get(textAt(entry, "apiVersion") ?? ""), textAt(entry, "manager") ?? ""];
    return version === undefined || IGNORED_MANAGERS.has(manager) ? [] : [{ version, manager }];
  });
  return by.length === 0 ? undefined : { object: refOf(object), by };
}

/** "backup wrote Report demo-a/x in it", or undefined if no object was written in this version. */
export function describeWriters(version: string, objectWriters: readonly ObjectWriters[]): string | undefined {
  const objects = objectWriters.filter(({ by }) => by.some((one) => one.version === version));
  const [first] = objects;
  if (first === undefined) return undefined;
  const managers = new Set(
    objects.flatMap(({ by }) => by.filter((one) => one.version === version).map(({ manager }) => manager)),
  );
  const more = objects.length === 1 ? "" : ` and ${objects.length - 1} more`;
  return `${summarizeNames([...managers].toSorted(compareText))} wrote ${formatRef(first.object)}${more} in it`;
}
