import type { Check, Context, Judgement, Unknown } from "../../model/check.ts";
import type { Crd } from "../../model/crd.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { selectMetadata } from "../../model/object.ts";
import type { Each, ListResult, Read } from "../../model/read.ts";
import { compareRefs, formatRef, formatResource, refOf } from "../../model/resource.ts";
import { createResourceMatcher, isOfVersion } from "./objects-of-resource.ts";

/** What a check that has `onManifests` says of objects as if they were all that a cluster holds. */
export function evaluateOnFiles(
  check: Check,
  objects: readonly JsonObject[],
  crds: readonly Crd[],
  context: Context,
): Pick<Judgement, "findings" | "unknowns"> {
  const reads = Object.entries({ ...check.reads(), ...check.follow?.({}, context) });
  const files = reads.flatMap(([key, read]) =>
    read === undefined ? [] : [{ key, ...readFiles(read, objects, crds, context) }],
  );
  const results = Object.fromEntries(files.map(({ key, result }) => [key, result]));
  const { findings, unknowns = [] } = check.evaluate({}, context, results);
  return { findings, unknowns: [...files.flatMap((one) => one.unknowns), ...unknowns] };
}

type FilesOfRead = { readonly result: ListResult<unknown>; readonly unknowns: readonly Unknown[] };

function readFiles(read: Read, objects: readonly JsonObject[], crds: readonly Crd[], context: Context): FilesOfRead {
  const isElsewhere = read.only !== undefined && read.only !== context.platform;
  // Lists alone are read from files.
  if (read.kind !== "each" || isElsewhere) return { result: { kind: "absent", what: "resource" }, unknowns: [] };
  const all = objects.filter(createResourceMatcher(read.resource, crds));
  const own = all.filter((object) => isOfVersion(object, read.resource));
  const others = all.filter((object) => !isOfVersion(object, read.resource));
  return { result: listFiles(read, own), unknowns: others.map((object) => buildOtherVersion(object, read)) };
}

/** In the order of a cluster's objects. */
function listFiles({ begin, keep, done, isMetadataOnly }: Each, own: readonly JsonObject[]): ListResult<unknown> {
  const sorted = own.toSorted((a, b) => compareRefs(refOf(a), refOf(b)));
  begin?.();
  const values = sorted.flatMap((object) => keep(isMetadataOnly === true ? selectMetadata(object) : object) ?? []);
  done?.();
  return { kind: "found", values };
}

/** It is left out, so that the others are judged all the same. */
function buildOtherVersion(object: JsonObject, { resource }: Each): Unknown {
  const written = textAt(object, "apiVersion") ?? "";
  const message = `it is written in ${written}, and the check reads ${formatResource(resource)}`;
  return { reason: "NotUnderstood", where: formatRef(refOf(object)), message };
}
