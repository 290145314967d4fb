import type { Context, Finding } from "../../model/check.ts";
import { summarizeNames } from "../../model/names.ts";
import type { Crd } from "../../model/crd.ts";
import { type ListResult, valuesOf } from "../../model/read.ts";
import { type CrdPair, findRemovedVersions, findUnservedVersions, refOfCrd, formatTargetName } from "./crd-pair.ts";
import type { RequestCount } from "./request-counts.ts";
import { NAMES_CHANGED, SCOPE_OR_KIND_CHANGED, SERVED_VERSION_REMOVED, STORED_VERSION_REMOVED } from "./risk-names.ts";
import { IMMUTABLE_PATHS } from "./risks.ts";
import type { ObjectWriters } from "../shared/object-writers.ts";
import { describeManagedObjects, describeWriters } from "./version-writers.ts";

/**
 * The API server refuses to update a CRD if status.storedVersions lists a version that spec.versions lacks
 * (ValidateCustomResourceDefinitionStoredVersions in k8s.io/apiextensions-apiserver).
 */
export function buildStoredVersionFindings({ installed, target }: CrdPair): readonly Finding[] {
  const shipped = new Set(target.versions.map((version) => version.name));
  const missing = installed.storedVersions.filter((version) => !shipped.has(version));
  const kept = findKeptVersions(installed, shipped);
  return missing.map((version) => ({
    risk: STORED_VERSION_REMOVED,
    detail: { kind: "storedVersion", ...(kept.length > 0 ? { kept: kept.join(",") } : {}) },
    object: refOfCrd(installed),
    path: "status.storedVersions",
    message: `The new CRD drops ${version}, but status.storedVersions still lists it.`,
  }));
}

/** What status.storedVersions lists once all objects are written again; nothing if they would still be stored in a removed version. */
function findKeptVersions({ versions, storedVersions }: Crd, shipped: ReadonlySet<string>): readonly string[] {
  const storage = versions.find((version) => version.storage)?.name;
  if (storage === undefined || !shipped.has(storage)) return [];
  return [...new Set([...storedVersions.filter((version) => shipped.has(version)), storage])];
}

/** Evidence that a version is in use: the requests for it, if they could be read, and the objects written in it. */
export type VersionUsage = {
  readonly counts: ListResult<RequestCount> | undefined;
  readonly written: readonly ObjectWriters[];
};

export function buildServedVersionFindings(pair: CrdPair, usage: VersionUsage): readonly Finding[] {
  const unserved = findUnservedVersions(pair);
  const removed = findRemovedVersions(pair);
  return [...new Set([...unserved, ...removed])].flatMap((version) => {
    const use = unserved.includes(version) ? describeUse(pair, version, usage) : undefined;
    const managed = removed.includes(version) ? describeManagedObjects(version, usage.written) : undefined;
    if (use === undefined && managed === undefined) return [];
    const message = [
      use === undefined ? `Version ${version} is removed` : `Version ${version} is no longer served, and ${use}`,
      ...(managed === undefined ? [] : [`server-side apply will fail for ${managed}, whose managed fields name it`]),
    ];
    return [
      {
        risk: SERVED_VERSION_REMOVED,
        detail: { kind: "servedVersion", ...(managed === undefined ? {} : { effect: "applyRefused" }) },
        object: refOfCrd(pair.installed),
        path: `spec.versions[${version}]`,
        message: `${message.join("; ")}.`,
      },
    ];
  });
}

/** Requests show current use. Managed fields can be old, so they count only if there are no requests. */
function describeUse(pair: CrdPair, version: string, { counts, written }: VersionUsage): string | undefined {
  const count = findRequestCount(pair, version, counts);
  if (count === undefined) return describeWriters(version, written);
  return `${count.users.length === 0 ? "clients" : summarizeNames(count.users)} requested it in the last 24 hours`;
}

/** A removed version without evidence of use is a notice, not a risk. */
export function buildUnservedNotices(pair: CrdPair, usage: VersionUsage, context: Context): readonly string[] {
  if (usage.counts === undefined) return [];
  const { plural, group } = pair.installed;
  const use =
    usage.counts.kind === "absent"
      ? "this cluster does not count requests, so its clients are not known"
      : "no client that needs it requested it in the last 24 hours";
  return findUnservedVersions(pair)
    .filter((version) => !hasFinding(pair, version, usage))
    .map((version) => `${formatTargetName(context)} no longer serves ${plural}.${group} as ${version}; ${use}.`);
}

function hasFinding(pair: CrdPair, version: string, usage: VersionUsage): boolean {
  const isRemoved = findRemovedVersions(pair).includes(version);
  const isManaged = isRemoved && describeManagedObjects(version, usage.written) !== undefined;
  return isManaged || describeUse(pair, version, usage) !== undefined;
}

function findRequestCount(
  { installed }: CrdPair,
  version: string,
  counts: ListResult<RequestCount> | undefined,
): RequestCount | undefined {
  if (counts === undefined) return undefined;
  const name = `${installed.plural}.${version}.${installed.group}`;
  return valuesOf(counts).find((count) => count.name === name);
}

/** The changes of names that the API server refuses; the others do not happen if it refuses the CRD. */
export function buildFixedNameFindings(pair: CrdPair): readonly Finding[] {
  return buildNamesFindings(pair).filter(({ path }) => path !== undefined && IMMUTABLE_PATHS.has(path));
}

/** Group and plural are left out: they form the CRD's name, so a pair always shares them. */
export function buildNamesFindings({ installed, target }: CrdPair): readonly Finding[] {
  const fields = [
    ["spec.scope", installed.scope, target.scope],
    ["spec.names.kind", installed.kind, target.kind],
    ["spec.names.listKind", installed.listKind, target.listKind],
    ["spec.names.singular", installed.singular, target.singular],
  ] as const;
  return fields
    .filter(([, before, after]) => before !== after)
    .map(([path, before, after]) => ({
      risk: IMMUTABLE_PATHS.has(path) ? SCOPE_OR_KIND_CHANGED : NAMES_CHANGED,
      detail: { kind: "shape" },
      object: refOfCrd(installed),
      path,
      message: `It is "${before}" today and "${after}" in the new CRD.`,
    }));
}
