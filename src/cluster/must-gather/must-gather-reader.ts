import { formatError } from "../../model/errors.ts";
import { type JsonObject, listAt, textAt } from "../../model/json.ts";
import { matchesSelector, parseLabelSelector, parseLabels, selectMetadata } from "../../model/object.ts";
import type {
  Absence,
  BeginList,
  FoundObject,
  HeldPart,
  ListPart,
  ListSummary,
  NamespaceSelection,
  ObjectLocation,
  ReadFailure,
  Reader,
  Visitor,
} from "../../model/reader.ts";
import { type Resource, getGroup } from "../../model/resource.ts";
import { buildAbortFailure, buildFailure } from "../access/failures.ts";
import { findKindMismatch } from "../access/response-identity.ts";
import { type ArchiveIndex, type KindFiles, buildKindKey } from "./archive-index.ts";
import { UnusableFileError, readFile, readKind, requireNoLinks } from "./archive-objects.ts";
import { type HeldFacts, findHeld } from "./held-kinds.ts";
import { type ServedFacts, buildGroupList, isUnserved, listCustomKinds } from "./served-kinds.ts";

/** Reads from an archive. What it does not hold, and does not show to be absent, is a failed read. */
export function createMustGatherReader(index: ArchiveIndex, held: HeldFacts): Reader {
  let served: Promise<ServedFacts> | undefined;
  const readServed = (signal: AbortSignal): Promise<ServedFacts> => (served ??= readServedFacts(index, held, signal));
  const archive: Archive = { index, held, readServed };
  return {
    get: (location, signal) => guard(signal, location.name, () => findObject(archive, location, signal)),
    list: (resource, begin, signal, part) =>
      guard(signal, buildKindKey(resource), () => listKind(archive, resource, begin, signal, part)),
    listSelected: (resource, selection, begin, signal) =>
      guard(signal, buildKindKey(resource), () => listSelection(archive, resource, selection, begin, signal)),
    raw: (path, begin, signal) =>
      guard(signal, path, async () => {
        const text = path === "/apis" ? await readGroupList(archive, signal) : undefined;
        if (text === undefined) return buildNotHeldFailure("the must-gather does not hold the API server's answer");
        begin()(text);
        return { kind: "read", bytes: Buffer.byteLength(text) };
      }),
  };
}

/** Every file may be damaged, or not what its name says: then nothing is known about its objects. */
async function guard<T>(signal: AbortSignal, where: string, read: () => Promise<T>): Promise<T | ReadFailure> {
  if (signal.aborted) return buildAbortFailure(signal, where);
  try {
    return await read();
  } catch (thrown) {
    if (signal.aborted) return buildAbortFailure(signal, where);
    const reason = thrown instanceof UnusableFileError ? thrown.failure.reason : "NotUnderstood";
    return buildFailure(reason, `the must-gather can't be read in full: ${formatError(thrown)}`);
  }
}

async function listKind(
  { index, held: facts, readServed }: Archive,
  resource: Resource,
  begin: BeginList,
  signal: AbortSignal,
  part?: ListPart,
): Promise<ListSummary | Absence | ReadFailure> {
  const key = buildKindKey(resource);
  const files = index.kinds.get(key);
  const held = findHeld(key, files, facts);
  if (files === undefined || held.kind === "unknown" || held.kind === "none") {
    if (isUnserved(resource, await readServed(signal))) return { kind: "absent", what: "resource" };
    if (held.kind === "unknown") return buildNotHeldFailure(held.message);
    begin(undefined);
    return { kind: "listed", objects: 0, bytes: 0 };
  }
  const visit = begin(held.kind === "part" ? held.part : undefined);
  let objects = 0;
  let managed = 0;
  for await (const object of readKind(files, signal, resource)) {
    const mismatch = findVersionMismatch(resource, object);
    if (mismatch !== undefined) return mismatch;
    objects += 1;
    managed += listAt(object, "metadata", "managedFields").length;
    visit(part === "metadata" ? selectMetadata(object) : object);
  }
  const bytes = [...files.lists, ...files.objects].reduce((sum, { file }) => sum + file.size, 0);
  return { kind: "listed", objects, bytes, lacksManagedFields: objects > 0 && managed === 0 ? true : undefined };
}

async function listSelection(
  archive: Archive,
  resource: Resource,
  { namespace, labelSelector }: NamespaceSelection,
  begin: () => Visitor,
  signal: AbortSignal,
): Promise<ListSummary | Absence | ReadFailure> {
  const selector = parseLabelSelector(labelSelector);
  let part: HeldPart | undefined;
  const beginAll: BeginList = (held) => {
    part = held;
    const visit = begin();
    return (object) => {
      const isInside = textAt(object, "metadata", "namespace") === namespace;
      if (isInside && matchesSelector(selector, parseLabels(object, "metadata", "labels"))) visit(object);
    };
  };
  const result = await listKind(archive, resource, beginAll, signal);
  const isHeld = part === undefined || part.wholeNamespaces.has(namespace);
  return isHeld || result.kind !== "listed" ? result : buildNotHeldFailure(part?.message ?? "");
}

const CRDS = "customresourcedefinitions.apiextensions.k8s.io";
const API_SERVICES = "apiservices.apiregistration.k8s.io";

/** A list without what every such cluster has is not the whole list, and then shows nothing to be absent. */
async function readServedFacts(index: ArchiveIndex, held: HeldFacts, signal: AbortSignal): Promise<ServedFacts> {
  const customKinds = await collectWhole(index, held, CRDS, signal, listCustomKinds);
  const groupVersions = await collectGroupVersions(index, held, signal);
  return {
    customKinds: customKinds && listsHeldKinds(customKinds, index) ? new Set(customKinds) : undefined,
    groupVersions: groupVersions ? new Set(groupVersions.map(({ groupVersion }) => groupVersion)) : undefined,
  };
}

/** Whether the kinds that CRDs serve include all of this group that the archive has: only CRDs define them. */
function listsHeldKinds(customKinds: readonly string[], { kinds }: ArchiveIndex): boolean {
  const listed = new Set(customKinds.map((kind) => kind.replace(/^([^/]*)\/[^/]*\/(.*)$/, "$2.$1")));
  return [...kinds.keys()].every((key) => !key.endsWith(".config.openshift.io") || listed.has(key));
}

/** What is collected from each object of a kind; undefined unless the archive holds every one. */
async function collectWhole<T>(
  index: ArchiveIndex,
  held: HeldFacts,
  key: string,
  signal: AbortSignal,
  collect: (object: JsonObject) => readonly T[],
): Promise<readonly T[] | undefined> {
  const files = index.kinds.get(key);
  if (files === undefined || findHeld(key, files, held).kind !== "whole") return undefined;
  const collected: T[] = [];
  for await (const object of readKind(files, signal)) collected.push(...collect(object));
  return collected;
}

async function readGroupList({ index, held }: Archive, signal: AbortSignal): Promise<string | undefined> {
  const services = await collectGroupVersions(index, held, signal);
  return services && JSON.stringify(buildGroupList(services.map(({ service }) => service)));
}

type GroupVersion = { readonly groupVersion: string; readonly service: JsonObject };

/** The APIServices of an archive; undefined unless it holds every one. */
async function collectGroupVersions(
  index: ArchiveIndex,
  held: HeldFacts,
  signal: AbortSignal,
): Promise<readonly GroupVersion[] | undefined> {
  const services = await collectWhole(index, held, API_SERVICES, signal, (service) => [
    { service, groupVersion: `${textAt(service, "spec", "group") ?? ""}/${textAt(service, "spec", "version") ?? ""}` },
  ]);
  return services?.some(({ groupVersion }) => groupVersion === "apps/v1") === true ? services : undefined;
}

/** One object: found, shown to be absent, or not held. */
async function findObject(
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

/** What one archive holds, and what follows from it. */
type Archive = {
  readonly index: ArchiveIndex;
  readonly held: HeldFacts;
  /** Read when the first kind is asked for that the archive does not hold. */
  readonly readServed: (signal: AbortSignal) => Promise<ServedFacts>;
};

function buildNotHeldFailure(message: string): ReadFailure {
  return buildFailure("NotRecorded", message);
}

/** `oc adm inspect` writes objects in the version that the API server prefers, which may not be the one that a check reads. */
function findVersionMismatch(resource: Resource, object: JsonObject): ReadFailure | undefined {
  const mismatch = findKindMismatch(resource, object);
  if (mismatch === undefined) return undefined;
  const apiVersion = textAt(object, "apiVersion") ?? "";
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  if (getGroup(apiVersion) === resource.group && version !== resource.version)
    return buildNotHeldFailure(`the must-gather holds it in version ${version}, not in ${resource.version}`);
  return buildFailure("NotUnderstood", `the must-gather answers ${mismatch}`);
}
