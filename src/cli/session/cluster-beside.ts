import type { CrdCatalog } from "../../manifests/custom-resources/crd-catalog.ts";
import type { LiveObjects } from "../../manifests/custom-resources/custom-resource-judge.ts";
import { type Crd, parseCrd } from "../../model/crd.ts";
import { CRD_RESOURCE } from "../../model/custom-kind.ts";
import { FailedError } from "../../model/errors.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import type { ManifestUnknown } from "../../model/manifest.ts";
import type { ClusterFacts } from "../../model/release.ts";
import type { ObjectLocation, ReadFailure } from "../../model/reader.ts";
import { getGroup, parseApiGroups } from "../../model/resource.ts";
import { readFacts } from "../../runner/facts/cluster-facts.ts";
import { gatherReads } from "../../runner/gather/gathering.ts";
import { collectObjects, requireRead } from "../checks/custom-kinds.ts";
import type { ClusterSession } from "../client/connection.ts";
import { readText } from "../client/read-text.ts";

const LIMITS = { concurrency: 16, checkTimeout: 60_000, cycleTimeout: 300_000 };

/** What decides on the manifests of a release that apply to the cluster. Throws a FailedError if it can't be read. */
export async function readClusterFacts({ reader, io }: ClusterSession): Promise<ClusterFacts> {
  const input = { reader, limits: LIMITS, signal: io.stopSignal };
  const result = await readFacts((reads) => gatherReads(reads, input));
  if (result.kind === "failed") throw new FailedError(result.failure.message);
  return result.facts;
}

/** What a cluster beside the manifests serves. */
export type ClusterBeside = {
  readonly session: ClusterSession;
  readonly crds: readonly Crd[];
  readonly groups: ReadonlySet<string>;
};

/** Throws a FailedError if it can't be read. */
export async function openBeside(session: ClusterSession): Promise<ClusterBeside> {
  return { session, crds: await readClusterCrds(session), groups: await readServedGroups(session) };
}

async function readClusterCrds({ reader, io }: ClusterSession): Promise<readonly Crd[]> {
  const { found, unknowns } = await collectObjects(CRD_RESOURCE, parseCrd, reader, io.stopSignal);
  requireRead(unknowns);
  return found;
}

type ReadLive = {
  readonly live: LiveObjects;
  /** Objects of which nobody knows what they are in the cluster. */
  readonly unknowns: ReadonlyMap<JsonObject, ManifestUnknown>;
};

/** The custom resources that live, read with a few requests at a time. What is not in the cluster is about to be created. */
export async function readLiveObjects(
  objects: readonly JsonObject[],
  catalog: CrdCatalog,
  { crds, session: { reader, io } }: ClusterBeside,
): Promise<ReadLive> {
  const live = new Map<JsonObject, JsonObject>();
  const unknowns = new Map<JsonObject, ManifestUnknown>();
  const open = objects.flatMap((object) => {
    const location = locate(object, catalog, crds);
    return location === undefined ? [] : [{ object, location }];
  });
  const next = open.values();
  const work = async (): Promise<void> => {
    for (const { object, location } of next) {
      const read = await reader.get(location, io.stopSignal);
      if (read.kind === "found") live.set(object, read.object);
      if (read.kind === "failed") unknowns.set(object, buildUnread(read));
    }
  };
  await Promise.all(Array.from({ length: LIMITS.concurrency }, work));
  return { live, unknowns };
}

function buildUnread({ reason, message }: ReadFailure): ManifestUnknown {
  return {
    reason,
    path: [],
    message: `The object in the cluster could not be read, so only its create was judged: ${message}.`,
  };
}

/** Undefined for what the cluster doesn't have in this version, and for an object of which no namespace is known. */
function locate(object: JsonObject, catalog: CrdCatalog, crds: readonly Crd[]): ObjectLocation | undefined {
  const apiVersion = textAt(object, "apiVersion") ?? "";
  const name = textAt(object, "metadata", "name") ?? "";
  const found = catalog.find(apiVersion, textAt(object, "kind") ?? "");
  const installed = found && crds.find((crd) => crd.name === found.crd.name);
  const version = apiVersion.slice(apiVersion.lastIndexOf("/") + 1);
  if (installed?.versions.some((one) => one.served && one.name === version) !== true || name === "") return undefined;
  const namespace = textAt(object, "metadata", "namespace");
  const isNamespaced = installed.scope === "Namespaced";
  if (isNamespaced && namespace === undefined) return undefined;
  const resource = { group: installed.group, version, resource: installed.plural, kind: installed.kind };
  return { resource, name, ...(isNamespaced ? { namespace } : {}) };
}

async function readServedGroups({ reader, io }: ClusterSession): Promise<ReadonlySet<string>> {
  const read = await readText("/apis", reader, io.stopSignal);
  const groups = read.kind === "read" ? parseApiGroups(read.text) : undefined;
  if (groups === undefined) throw new FailedError("/apis of the cluster can't be read");
  return new Set(groups.flatMap((group) => textAt(group, "name") ?? []));
}

/** Whether nothing serves a group's kinds but CRDs: what no CRD defines is then served by nobody. */
export function isOfCrds(apiVersion: string, { crds, groups }: ClusterBeside): boolean {
  const group = getGroup(apiVersion);
  return !groups.has(group) || crds.some((crd) => crd.group === group);
}
