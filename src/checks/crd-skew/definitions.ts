import type { Context, Finding } from "../../model/check.ts";
import { summarizeNames } from "../../model/names.ts";
import { type ListResult, valuesOf } from "../../model/read.ts";
import { type CrdPair, findUnservedVersions, refOfCrd } from "./crd-pair.ts";
import { formatTargetName } from "./target-name.ts";
import type { RequestCount } from "./request-counts.ts";
import { NAMES_CHANGED, SERVED_VERSION_REMOVED, STORED_VERSION_REMOVED } from "./risks.ts";
import { type ObjectWriters, describeWriters } from "./object-writers.ts";

/**
 * status.storedVersions may name no version that spec.versions lacks: the API server refuses such an update of a CRD
 * (ValidateCustomResourceDefinitionStoredVersions of k8s.io/apiextensions-apiserver).
 */
export function buildStoredVersionFindings({ installed, target }: CrdPair): readonly Finding[] {
  const shipped = new Set(target.versions.map((version) => version.name));
  const missing = installed.storedVersions.filter((version) => !shipped.has(version));
  return missing.map((version) => ({
    risk: STORED_VERSION_REMOVED,
    detail: { kind: "storedVersion" },
    object: refOfCrd(installed),
    path: "status.storedVersions",
    message: `Objects may be stored as ${version}, which the target's definition lacks.`,
  }));
}

/** What shows that a version is in use: who asked for it, and who wrote objects in it. */
export type VersionUsage = { readonly counts: ListResult<RequestCount>; readonly written: readonly ObjectWriters[] };

export function buildServedVersionFindings(pair: CrdPair, usage: VersionUsage): readonly Finding[] {
  return findUnservedVersions(pair).flatMap((version) => {
    const use = describeUse(pair, version, usage);
    if (use === undefined) return [];
    return [
      {
        risk: SERVED_VERSION_REMOVED,
        detail: { kind: "servedVersion" },
        object: refOfCrd(pair.installed),
        path: `spec.versions[${version}]`,
        message: `Version ${version} is no longer served, and ${use}.`,
      },
    ];
  });
}

/** Requests say what is in use now, so that managed fields, which can be old, are told where there are none. */
function describeUse(pair: CrdPair, version: string, { counts, written }: VersionUsage): string | undefined {
  const count = findRequestCount(pair, version, counts);
  if (count === undefined) return describeWriters(version, written);
  return `${count.users.length === 0 ? "clients" : summarizeNames(count.users)} asked for it in the last 24 hours`;
}

/** Removed versions that nobody was seen to use are worth a word, and no risk. */
export function buildUnservedNotices(pair: CrdPair, usage: VersionUsage, context: Context): readonly string[] {
  const { plural, group } = pair.installed;
  const use =
    usage.counts.kind === "absent"
      ? "this cluster doesn't count requests, so who asks for it is not known"
      : "no client that needs it was seen in the last 24 hours";
  return findUnservedVersions(pair)
    .filter((version) => describeUse(pair, version, usage) === undefined)
    .map((version) => `${formatTargetName(context)} no longer serves ${plural}.${group} as ${version}; ${use}.`);
}

function findRequestCount(
  { installed }: CrdPair,
  version: string,
  counts: ListResult<RequestCount>,
): RequestCount | undefined {
  const name = `${installed.plural}.${version}.${installed.group}`;
  return valuesOf(counts).find((count) => count.name === name);
}

/** Group and plural are left out: they make up a CRD's name, so that they are the same in a pair. */
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
      risk: NAMES_CHANGED,
      detail: { kind: "shape" },
      object: refOfCrd(installed),
      path,
      message: `It is "${before}" today and "${after}" in the target.`,
    }));
}
