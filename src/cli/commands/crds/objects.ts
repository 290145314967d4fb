import { stat } from "node:fs/promises";
import { readManifests } from "../../../manifests/files/read-manifests.ts";
import { FailedError, failWith } from "../../../model/errors.ts";
import { type JsonObject, textAt, objectAt } from "../../../model/json.ts";
import { type UnreadManifest, leavesUnknown } from "../../../model/manifest.ts";
import { formatCount, summarizeNames, findNearestName } from "../../../model/text.ts";
import type { FilePlace, NotJudged } from "../../../model/crd-changes.ts";
import { type ObjectRef, type Resource, formatRef, refOf, getGroup } from "../../../model/resource.ts";
import { findCrdOf, getVersion, serves } from "./crds-report.ts";
import type { CrdSet } from "./crd-set.ts";
import { type Crd, buildDefinition } from "../../../model/crd.ts";
import type { ReadFailure, Reader } from "../../../model/reader.ts";

/** An object and where it stands, or what could not be read as one. */
export type GivenObject =
  | { readonly kind: "object"; readonly place: FilePlace; readonly object: JsonObject }
  | { readonly kind: "unread"; readonly unread: UnreadManifest };

/** Of all objects together, since they are held in memory. Samples have a few KiB. */
const MAX_OBJECTS = 100_000;

/** What a file, or a folder and its sub-folders, have. Throws a FailedError if it can't be used, or if it has no object. */
export async function readGivenObjects(path: string): Promise<readonly GivenObject[]> {
  await stat(path).catch(failWith(`--objects ${path} can't be read`));
  const given: GivenObject[] = [];
  for await (const one of readManifests([path])) {
    if ("object" in one) given.push({ kind: "object", place: toFilePlace(one.locate([])), object: one.object });
    else given.push({ kind: "unread", unread: one });
    if (given.length > MAX_OBJECTS) throw new FailedError(`--objects ${path} has more than ${MAX_OBJECTS} objects`);
  }
  requireObject(given, path);
  return given;
}

function toFilePlace({ file, line }: FilePlace): FilePlace {
  return { file, line };
}

/** What has no object at all is the wrong file, for which nothing is to be judged. */
function requireObject(given: readonly GivenObject[], path: string): void {
  const [first] = given;
  const isOne = given.length === 1 && first?.kind === "unread" && !isObjectLike(first.unread);
  if (isOne && leavesUnknown(first.unread)) {
    const { place, message } = first.unread;
    throw new FailedError(`--objects ${place.file}:${place.line} can't be used: ${message}`);
  }
  if (given.length === 0) throw new FailedError(`${path} has no object: --objects needs a file or a folder with some`);
}

function isObjectLike({ reason }: UnreadManifest): boolean {
  return reason === "NotAnObject" || reason === "OtherContent";
}

/** The objects that both sets of CRDs can judge, and what else was given. */
export type SortedObjects = {
  readonly judged: readonly JsonObject[];
  /** Where the judged ones stand, by `buildPlaceKey`. */
  readonly places: ReadonlyMap<string, FilePlace>;
  readonly unknowns: readonly NotJudged[];
  /** Objects of what only the new CRDs have: no change of a released CRD can break them. */
  readonly notices: readonly string[];
};

type Verdict =
  | { readonly kind: "judged"; readonly object: JsonObject; readonly place: FilePlace }
  | { readonly kind: "new"; readonly what: string; readonly ref: ObjectRef }
  | { readonly kind: "unknown"; readonly unknown: NotJudged };

/** `path`: the file or folder that they come from. */
export function sortObjects(given: readonly GivenObject[], path: string, from: CrdSet, to: CrdSet): SortedObjects {
  const verdicts = given.map((one) => judge(one, from, to));
  const added = verdicts.filter((verdict) => verdict.kind === "new");
  const judged = verdicts.filter((verdict) => verdict.kind === "judged");
  const message = "all of its objects are of new CRDs or versions";
  const nothing: NotJudged = { reason: "NothingJudged", where: path, message };
  return {
    judged: judged.map(({ object }) => object),
    places: new Map(judged.map(({ object, place }) => [buildPlaceKey(refOf(object)), place])),
    unknowns: [
      ...(added.length > 0 && added.length === given.length ? [nothing] : []),
      ...verdicts.flatMap((verdict) => (verdict.kind === "unknown" ? [verdict.unknown] : [])),
    ],
    notices: [...Map.groupBy(added, ({ what }) => what)].map(([what, own]) => {
      const count = formatCount(own.length, "object");
      const were = own.length === 1 ? "was" : "were";
      return `${count} ${were} not judged, since ${what} is new: ${summarizeNames(own.map(({ ref }) => formatRef(ref)))}.`;
    }),
  };
}

/** Without the version: an object may be judged in another one than it is given in. */
export function buildPlaceKey(ref: ObjectRef): string {
  return `${getGroup(ref.apiVersion)} ${formatRef(ref)}`;
}

function judge(given: GivenObject, from: CrdSet, to: CrdSet): Verdict {
  if (given.kind === "unread") return { kind: "unknown", unknown: buildNotRead(given.unread) };
  const { object, place } = given;
  const ref = refOf(object);
  const fail = (reason: NotJudged["reason"], message: string): Verdict => ({
    kind: "unknown",
    unknown: { reason, where: `${formatRef(ref)} (${ref.apiVersion})`, message, ...place },
  });
  const before = findCrdOf(ref, from.release.crds);
  const after = findCrdOf(ref, to.release.crds);
  const crd = after ?? before;
  if (crd === undefined) return fail(...describeMissing(ref, from, to));
  if (before === undefined && from.applying.has(crd.name))
    return fail("CrdNotUsable", `its released CRD ${crd.name} can't be used`);
  if (after === undefined && to.applying.has(crd.name))
    return fail("CrdNotUsable", `its new CRD ${crd.name} can't be used`);
  const version = getVersion(ref);
  if (before !== undefined && serves(before, version)) return { kind: "judged", object, place };
  if (after === undefined || !serves(after, version))
    return fail("VersionNotServed", `no given CRD ${crd.name} serves version ${version}`);
  return { kind: "new", what: before === undefined ? `CRD ${crd.name}` : `version ${version} of ${crd.name}`, ref };
}

/** In a folder of samples, a file without an object is a fault too. */
function buildNotRead({ reason, place: { file, line }, message }: UnreadManifest): NotJudged {
  return { reason: reason === "OtherContent" ? "NotAnObject" : reason, where: file, message, file, line };
}

function describeMissing(
  ref: ObjectRef,
  from: CrdSet,
  to: CrdSet,
): readonly [reason: "CrdNotJudged" | "NoCrd", message: string] {
  const leftOut = findCrdOf(
    ref,
    [...to.leftOut, ...from.leftOut].map(({ crd }) => crd),
  );
  if (leftOut !== undefined) return ["CrdNotJudged", `no variant of its CRD ${leftOut.name} is judged`];
  const kinds = [from, to].flatMap(({ release }) => release.crds.map(({ kind }) => kind));
  const nearest = findNearestName(ref.kind, kinds);
  const hint = nearest === undefined || nearest === ref.kind ? "" : ` (nearest: ${nearest})`;
  return ["NoCrd", `no given CRD defines this kind${hint}`];
}

/** A cluster that has the given CRDs and objects and nothing else. */
export function createCrdReader(crds: readonly Crd[], objects: readonly JsonObject[], kubernetes: string): Reader {
  const definitions = crds.map(buildInstalled);
  return {
    get: async () => ({ kind: "absent", what: "resource" }),
    list: async (resource, begin) => {
      const listed =
        resource.resource === "customresourcedefinitions" ? definitions : selectObjects(resource, crds, objects);
      if (!isFound(listed)) return listed;
      const visit = begin(undefined);
      for (const object of listed) visit(object);
      return { kind: "listed", objects: listed.length, bytes: 0 };
    },
    raw: async (path, begin) => {
      const text = RESPONSES[path]?.(kubernetes);
      if (text === undefined) return { kind: "absent", what: "resource" };
      begin()(text);
      return { kind: "read", bytes: text.length };
    },
  };
}

const RESPONSES: Readonly<Record<string, (kubernetes: string) => string>> = {
  "/version": (kubernetes) => JSON.stringify({ gitVersion: kubernetes }),
  "/apis": () => JSON.stringify({ kind: "APIGroupList", groups: [{ name: "apiextensions.k8s.io" }] }),
};

/** Wherever the CRD was applied, objects are stored in its storage version. */
function buildInstalled(crd: Crd): JsonObject {
  const storedVersions = crd.versions.filter(({ storage }) => storage).map(({ name }) => name);
  const definition = buildDefinition(crd);
  return { ...definition, status: { ...objectAt(definition, "status"), storedVersions } };
}

function isFound(listed: readonly JsonObject[] | ReadFailure): listed is readonly JsonObject[] {
  return Array.isArray(listed);
}

function selectObjects(
  { group, version, resource, kind }: Resource,
  crds: readonly Crd[],
  objects: readonly JsonObject[],
): readonly JsonObject[] | ReadFailure {
  const crd = crds.find((one) => one.group === group && one.plural === resource);
  // Services of conversion webhooks are no matter of the CRDs.
  if (crd === undefined) return { kind: "failed", reason: "NotRecorded", message: "" };
  const own = objects.filter(
    (object) => textAt(object, "kind") === kind && getGroup(textAt(object, "apiVersion") ?? "") === group,
  );
  const apiVersion = `${group}/${version}`;
  const other = own.find((object) => object["apiVersion"] !== apiVersion);
  if (other !== undefined && crd.conversion.strategy === "Webhook") {
    const message = `objects are given in ${textAt(other, "apiVersion")}, and how a webhook converts them to ${version} is not known`;
    return { kind: "failed", reason: "NotUnderstood", message };
  }
  // Without a webhook, conversion changes nothing else.
  return own.map((object) => ({ ...object, apiVersion }));
}
