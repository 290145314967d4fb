import { formatError } from "../../model/errors.ts";
import { type JsonObject, listAt, textAt } from "../../model/json.ts";
import { matchesSelector, parseLabels, parseLabelSelector, selectMetadata } from "../../model/object.ts";
import type {
  Absence,
  BeginList,
  HeldPart,
  ListPart,
  ListSummary,
  ReadFailure,
  Reader,
  NamespaceSelection,
  Visitor,
} from "../../model/reader.ts";
import type { Resource } from "../../model/resource.ts";
import { buildAbortFailure, buildFailure } from "../access/failures.ts";
import { type Archive, buildNotHeldFailure, findVersionMismatch } from "./archive.ts";
import { type ArchiveIndex, buildKindKey } from "./archive-index.ts";
import { readKind, UnusableFileError } from "./archive-objects.ts";
import { findObject } from "./find-object.ts";
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
