import type { Crd } from "../../model/crd.ts";
import { byText, type JsonObject, listAt, textAt } from "../../model/json.ts";
import { joinSome } from "../../model/names.ts";
import { type Each, each } from "../../model/read.ts";
import { type ObjectRef, refOf, refText } from "../../model/resource.ts";
import { type Pair, unservedVersions } from "./definitions.ts";
import { readingOf } from "./reading.ts";

/** Who wrote an object in versions that the target no longer serves, as its managed fields say. */
export type Written = {
  readonly object: ObjectRef;
  readonly by: readonly { readonly version: string; readonly manager: string }[];
};

/** The API server's own, for what was there before fields were managed, and tools that rewrite objects in whatever is served. */
const FOLLOWING = new Set(["before-first-apply", "kube-apiserver", "storage-version-migrator", "migrator"]);

/** Reads the objects of a kind that loses a version, in the version in which they are read anyway. */
export function writersRead(pair: Pair): Each<Written> | undefined {
  const { group, plural } = pair.installed;
  const removed = unservedVersions(pair);
  const version = readingOf(pair)?.before.name ?? servedVersion(pair.installed);
  if (removed.length === 0 || version === undefined) return undefined;
  const versions = new Map(removed.map((name) => [`${group}/${name}`, name]));
  return each({ group, version, resource: plural }, (object) => keepWritten(object, versions));
}

export function servedVersion(crd: Crd): string | undefined {
  const served = crd.versions.filter((version) => version.served);
  return (served.find((version) => version.storage) ?? served[0])?.name;
}

function keepWritten(object: JsonObject, versions: ReadonlyMap<string, string>): Written | undefined {
  const by = listAt(object, "metadata", "managedFields").flatMap((entry) => {
    const [version, manager] = [versions.get(textAt(entry, "apiVersion") ?? ""), textAt(entry, "manager") ?? ""];
    return version === undefined || FOLLOWING.has(manager) ? [] : [{ version, manager }];
  });
  return by.length === 0 ? undefined : { object: refOf(object), by };
}

/** "backup writes Report demo-a/x in it", or undefined where no object was written so. */
export function writersText(version: string, written: readonly Written[]): string | undefined {
  const objects = written.filter(({ by }) => by.some((one) => one.version === version));
  const [first] = objects;
  if (first === undefined) return undefined;
  const managers = new Set(
    objects.flatMap(({ by }) => by.filter((one) => one.version === version).map(({ manager }) => manager)),
  );
  const more = objects.length === 1 ? "" : ` and ${objects.length - 1} more`;
  return `${joinSome([...managers].toSorted(byText))} wrote ${refText(first.object)}${more} in it`;
}
